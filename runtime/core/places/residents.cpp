#include "runtime/core/places/residents.hpp"

#include <tla/runtime/error.hpp>

#include <algorithm>
#include <memory>

namespace tla::runtime {

std::string Residents::add(HomesOfProgram found, const NodePlaces &places) {
  Homes fresh;
  for (std::unique_ptr<MatrixHomes> &matrix : found.homes.take())
    if (!homes_.find(matrix->storage()))
      fresh.add(std::move(matrix));
  if (std::string obstacle = obstacleTo(fresh, homes_, found.taskBytes, places); !obstacle.empty())
    return obstacle;
  std::vector<std::unique_ptr<MatrixHomes>> matrices = fresh.take();
  for (auto matrix = matrices.begin(); matrix != matrices.end(); ++matrix)
    if (!allocate(**matrix)) {
      std::for_each(matrices.begin(), matrix + 1, [this](const auto &given) { release(*given); });
      return "an accelerator has less memory than it said";
    }
  for (std::unique_ptr<MatrixHomes> &matrix : matrices)
    homes_.add(std::move(matrix));
  return {};
}

bool Residents::allocate(MatrixHomes &matrix) {
  return matrix.takeMemory(
      [this](int place, std::size_t bytes) { return buffers_.accelerator(place).allocateResident(bytes); });
}

void Residents::release(MatrixHomes &matrix) {
  matrix.giveMemory([this](int place, void *memory, std::size_t bytes) {
    buffers_.accelerator(place).releaseResident(memory, bytes);
  });
}

void Residents::end(const std::vector<const Storage *> &only) {
  for (const std::unique_ptr<MatrixHomes> &matrix : homes_.take(only))
    release(*matrix);
}

std::vector<std::size_t> Residents::bytes() const {
  std::vector<std::size_t> bytes;
  for (int place = 1; place <= buffers_.accelerators(); ++place)
    bytes.push_back(buffers_.accelerator(place).resident());
  return bytes;
}

static bool isMeant(const MatrixHomes &matrix, const std::vector<const Storage *> &only) {
  return only.empty() || std::find(only.begin(), only.end(), &matrix.storage()) != only.end();
}

void Residents::setUnchanged(const std::vector<const Storage *> &only) const {
  for (const std::unique_ptr<MatrixHomes> &matrix : homes_.matrices())
    if (isMeant(*matrix, only))
      matrix->forEach([&](int row, int column, int) { matrix->setChanged(row, column, false); });
}

void Residents::copy(PlacedSink &sink, bool toHost, const std::vector<const Storage *> &only) const {
  for (const std::unique_ptr<MatrixHomes> &matrix : homes_.matrices()) {
    if (!isMeant(*matrix, only))
      continue;
    TileTable &host = sink.table(matrix->storage(), matrix->name(), false, false);
    std::vector<TileTable *> tables = {&host};
    for (int place = 1; place <= buffers_.accelerators(); ++place)
      tables.push_back(&sink.replica(host, place));
    matrix->forEach([&](int row, int column, int place) {
      TileTable &home = *tables[place];
      if (toHost && !matrix->isChanged(row, column))
        return;
      sink.copy({toHost ? &home : &host, row, column}, toHost ? host : home, 0);
    });
  }
}

void Residents::requireNoAlias(const std::vector<const Storage *> &matrices) const {
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    const bool isAlias = homes_.aliasOf(*matrices[i]) != nullptr ||
                         std::any_of(matrices.begin(), matrices.begin() + static_cast<std::ptrdiff_t>(i),
                                     [&](const Storage *earlier) { return areAliases(*earlier, *matrices[i]); });
    if (isAlias)
      throw UsageError("two matrices that are to be resident have the same memory, and would be two there; name it by "
                       "one object");
  }
}

void Residents::requireNoAlias(const Algorithm &algorithm, const Arguments &arguments) const {
  for (int i = 0; i < algorithm.matrixCount && !empty(); ++i)
    if (const MatrixHomes *const resident = homes_.aliasOf(*arguments.matrices[i]))
      throw UsageError(std::string("matrix ") + algorithm.matrices[i].name + " of " + algorithm.name +
                       " has memory of the resident matrix " + resident->name() +
                       ", but is another object: its content is with the accelerators; use the same object, or end "
                       "the residence first");
}

} // namespace tla::runtime
