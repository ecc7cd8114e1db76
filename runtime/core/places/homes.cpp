#include "runtime/core/places/homes.hpp"

#include "runtime/core/window/dry_pass.hpp"
#include "runtime/core/window/main_access.hpp"
#include "runtime/core/window/tile_table.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace tla::runtime {

MatrixHomes *Homes::find(const Storage &storage) const {
  for (const auto &matrix : matrices_)
    if (&matrix->storage() == &storage)
      return matrix.get();
  return nullptr;
}

void Homes::add(std::unique_ptr<MatrixHomes> matrix) {
  if (!find(matrix->storage()))
    matrices_.push_back(std::move(matrix));
}

std::vector<std::unique_ptr<MatrixHomes>> Homes::take(const std::vector<const Storage *> &only) {
  if (only.empty())
    return std::exchange(matrices_, {});
  std::vector<std::unique_ptr<MatrixHomes>> taken;
  for (auto &matrix : matrices_)
    if (std::find(only.begin(), only.end(), &matrix->storage()) != only.end())
      taken.push_back(std::move(matrix));
  std::erase(matrices_, nullptr);
  return taken;
}

std::size_t Homes::bytes(const NodePlaces &places, int place) const {
  std::size_t sum = 0;
  for (const auto &matrix : matrices_)
    matrix->forEach([&](int row, int column, int home) {
      if (home == place)
        sum += places.memory(place).taken(matrix->storage().sliceBytes(row, column));
    });
  return sum;
}

/// visit(address) for each tile that has memory.
template <typename Visit> static void forEachAddress(const Storage &storage, Visit visit) {
  for (int column = 0; column < storage.nt(); ++column)
    for (int row = 0; row < storage.mt(); ++row)
      if (const void *const tile = storage.tile(row, column); tile && storage.stores(row, column))
        visit(tile);
}

bool areAliases(const Storage &one, const Storage &other) {
  if (&one == &other)
    return false;
  std::unordered_set<const void *> addresses;
  forEachAddress(one, [&](const void *tile) { addresses.insert(tile); });
  bool found = false;
  forEachAddress(other, [&](const void *tile) { found |= addresses.contains(tile); });
  return found;
}

const MatrixHomes *Homes::aliasOf(const Storage &other) const {
  for (const auto &matrix : matrices_)
    if (areAliases(matrix->storage(), other))
      return matrix.get();
  return nullptr;
}

namespace {

/// Notes which accelerators use the tiles of a stream.
class HomeFinder final : public DryPass {
public:
  HomeFinder(const NodePlaces &places, const Distribution *distribution, int rank,
             const std::vector<const Storage *> *only)
      : DryPass(distribution, rank), places_(places), rule_(places), only_(only), taskBytes_(places.count()) {}

  TileTable &table(Storage &storage, const char *name, bool workspace, bool regions) override {
    TileTable &table = DryPass::table(storage, name, workspace, regions);
    if (static_cast<std::size_t>(table.number()) < matrices_.size())
      return table;
    Matrix &matrix = matrices_.emplace_back();
    if (!workspace && (!only_ || std::find(only_->begin(), only_->end(), &storage) != only_->end())) {
      matrix.homes = std::make_unique<MatrixHomes>(storage, name);
      matrix.written.resize(static_cast<std::size_t>(storage.mt()) * storage.ns());
    }
    return table;
  }
  void append(const TaskCall &call) override {
    const int place = rule_.place(call.taskClass, call.accesses, call.accessCount);
    if (place == hostPlace)
      return;
    std::size_t bytes = 0;
    for (int i = 0; i < call.accessCount; ++i)
      bytes += note(call.accesses[i], place);
    taskBytes_[place] = std::max(taskBytes_[place], bytes);
  }

  /// Behind the stream: those matrices of which an accelerator uses any tile.
  HomesOfProgram take() {
    HomesOfProgram found;
    for (Matrix &matrix : matrices_)
      if (matrix.homes && matrix.homes->any())
        found.homes.add(std::move(matrix.homes));
    found.taskBytes = std::move(taskBytes_);
    return found;
  }

private:
  struct Matrix {
    std::unique_ptr<MatrixHomes> homes; ///< null: it is none of those that may be resident
    std::vector<bool> written;          ///< by tile: an accelerator writes it
  };

  /// Notes an access and returns the bytes that the tile takes at the place.
  std::size_t note(const TileAccess &access, int place) {
    Matrix &matrix = matrices_[access.matrix->number()];
    const TileTable &table = *access.matrix;
    if (!table.has(access.row, access.column) || !table.stores(access.row, access.column))
      return 0; // the run will say so
    const std::size_t bytes = places_.memory(place).taken(table.tileBytes(access.row, access.column));
    if (!matrix.homes || table.foreign(access.row, access.column))
      return bytes;
    const std::size_t tile = access.row + static_cast<std::size_t>(access.column) * table.storage().mt();
    if (writes(access) || (!matrix.written[tile] && matrix.homes->place(access.row, access.column) == hostPlace))
      matrix.homes->setPlace(access.row, access.column, place);
    if (writes(access))
      matrix.written[tile] = true;
    return bytes;
  }

  const NodePlaces &places_;
  PlaceRule rule_;
  const std::vector<const Storage *> *const only_;
  std::vector<Matrix> matrices_; // by number
  std::vector<std::size_t> taskBytes_;
};

} // namespace

std::vector<const Storage *> callersMatrices(const Algorithm &algorithm, const Arguments &arguments) {
  std::vector<const Storage *> matrices;
  for (int i = 0; i < algorithm.matrixCount; ++i)
    if (const Storage *const storage = arguments.matrices[i];
        !algorithm.matrices[i].workspace && std::find(matrices.begin(), matrices.end(), storage) == matrices.end())
      matrices.push_back(storage);
  return matrices;
}

HomesOfProgram homesFor(const std::function<void(TaskSink &)> &stream, const NodePlaces &places,
                        const Distribution *distribution, int rank, const std::vector<const Storage *> *only) {
  HomeFinder finder(places, distribution, rank, only);
  stream(finder);
  return finder.take();
}

std::string obstacleTo(const Homes &further, const Homes &present, const std::vector<std::size_t> &taskBytes,
                       const NodePlaces &places) {
  constexpr std::size_t partOnTheWay = 16; // as Places leaves of what is not at home
  for (int place = 1; place < places.count(); ++place) {
    const NodePlaces::Memory &memory = places.memory(place);
    const std::size_t homes = further.bytes(places, place) + present.bytes(places, place);
    const std::size_t besides = std::max(taskBytes[place], memory.bytes / partOnTheWay);
    if (homes > memory.bytes || besides > memory.bytes - homes)
      return "tiles of " + std::to_string(homes) + " bytes would be at home with " + memory.name + ", which has " +
             std::to_string(memory.bytes) + " bytes of memory and needs " + std::to_string(besides) +
             " of them for tiles on the way";
  }
  return {};
}

} // namespace tla::runtime
