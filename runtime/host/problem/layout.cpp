#include "runtime/host/problem/layout.hpp"

#include "runtime/core/schedule/huge_pages.hpp"
#include "runtime/host/base/element_type.hpp"
#include "runtime/host/problem/memory.hpp"

#include <climits>
#include <cmath>
#include <string>

namespace tla::host {
namespace {
using runtime::MatrixParameter;
using runtime::Values;

constexpr std::size_t leastInHugePages = 4 << 20;

struct WorkspaceSize {
  WorkspaceSize(const runtime::WorkspaceShape &shape, const Values &values, int nb)
      : rows(shape.rows(values, nb)), columns(shape.cols(values, nb)), tileRows(shape.tileRows(values, nb)),
        tileColumns(shape.tileCols(values, nb)), tilesDown(shape.tilesDown(values, nb)),
        tilesAcross(shape.tilesAcross(values, nb)) {}
  long rows, columns, tileRows, tileColumns, tilesDown, tilesAcross;
};

double tileCount(const MatrixParameter &parameter, const Values &values, int nb) {
  if (parameter.workspace) {
    const WorkspaceSize size(*parameter.workspace, values, nb);
    return static_cast<double>(size.tilesDown) * static_cast<double>(size.tilesAcross);
  }
  return std::ceil(static_cast<double>(parameter.rows(values)) / nb) *
         std::ceil(static_cast<double>(parameter.cols(values)) / nb);
}

/// The bytes of a whole matrix, on one rank, in constant time.
double wholeBytes(const MatrixParameter &parameter, const Values &values, int nb, int slices) {
  const auto bytes = static_cast<double>(elementBytes(parameter.type));
  if (parameter.workspace) {
    const WorkspaceSize size(*parameter.workspace, values, nb);
    const auto down = static_cast<double>(size.tilesDown), across = static_cast<double>(size.tilesAcross);
    const double tile = matrixBytes(static_cast<double>(size.tileRows), static_cast<double>(size.tileColumns), INT_MAX,
                                    bytes, Shape::General);
    return down * across * tile + slices * tableBytes(down, across, 1);
  }
  const auto rows = static_cast<double>(parameter.rows(values)), columns = static_cast<double>(parameter.cols(values));
  return matrixBytes(rows, columns, nb, bytes, parameter.shape) + slices * tableBytes(rows, columns, nb);
}
} // namespace

StorageRef describeStorage(const MatrixParameter &parameter, const Values &values, int nb, Cut cut) {
  const std::size_t bytes = elementBytes(parameter.type);
  if (!parameter.cut)
    cut = {};
  const auto described = [&](Storage *storage) {
    const StorageRef result(storage);
    storage->setPeriod(values.period);
    storage->setByRows(parameter.byRows && parameter.byRows(values));
    if (values.patterns)
      values.patterns->describe(parameter, *storage);
    return result;
  };
  if (!parameter.workspace)
    return described(new Storage(static_cast<int>(parameter.rows(values)), static_cast<int>(parameter.cols(values)), nb,
                                 nb, bytes, parameter.shape, cut));
  const WorkspaceSize size(*parameter.workspace, values, nb);
  for (const long number : {size.rows, size.columns, size.tileRows, size.tileColumns})
    if (number < 0 || number > INT_MAX)
      throw UsageError(std::string("the workspace ") + parameter.name + " would be " + std::to_string(size.rows) +
                       " x " + std::to_string(size.columns) + " in tiles of " + std::to_string(size.tileRows) + " x " +
                       std::to_string(size.tileColumns) + ": sizes must be between 0 and 2^31 - 1");
  return described(new Storage(static_cast<int>(size.rows), static_cast<int>(size.columns),
                               static_cast<int>(size.tileRows), static_cast<int>(size.tileColumns), bytes,
                               Shape::General, cut));
}

void allocateStorage(Storage &storage, const Placement &placement) {
  const auto owns = [&](int i, int j) { return placement.owns(storage, i, j); };
  storage.allocate(owns);
  if (const std::size_t bytes = storage.bytes(owns); bytes >= leastInHugePages)
    runtime::adviseHugePages(storage.memory(), bytes);
}

double storageBytes(const MatrixParameter &parameter, const Values &values, int nb, const Placement &placement,
                    Cut cut) {
  const int slices = parameter.cut ? cut.slices : 1;
  if (placement.ownsAll() && !values.patterns)
    return wholeBytes(parameter, values, nb, slices);
  // Takes milliseconds; of a sparse matrix, of which the whole says little, a second and a few hundred MiB.
  const double mostTiles = values.patterns ? 1 << 25 : 1 << 22;
  const double tiles = tileCount(parameter, values, nb);
  if (tiles > mostTiles)
    return wholeBytes(parameter, values, nb, slices) / placement.distribution.nodes();
  const StorageRef storage = describeStorage(parameter, values, nb, cut);
  const auto owns = [&](int i, int j) { return placement.owns(*storage, i, j); };
  return static_cast<double>(storage->bytes(owns)) + slices * tableBytes(tiles, 1, 1);
}

} // namespace tla::host
