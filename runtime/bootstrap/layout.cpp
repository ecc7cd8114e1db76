#include "runtime/bootstrap/layout.hpp"

#include "runtime/bootstrap/element_type.hpp"
#include "runtime/bootstrap/memory.hpp"

#include <climits>
#include <string>
#include <sys/mman.h>

namespace tla::bootstrap {
namespace {
using runtime::MatrixParameter;
using runtime::Values;

struct WorkspaceTiles {
  WorkspaceTiles(const runtime::WorkspaceShape &shape, const Values &values, int nb)
      : down(shape.tilesDown(values, nb)), across(shape.tilesAcross(values, nb)), rows(shape.tileRows(values, nb)),
        columns(shape.tileCols(values, nb)) {}
  long down, across, rows, columns;
};

bool inColumns(const MatrixParameter &parameter) {
  return parameter.panels && parameter.shape == Shape::General && !parameter.workspace;
}

/// Asks for huge pages before anything touches the memory: fewer page faults, fewer TLB misses.
void adviseHugePages(const Storage &storage, std::size_t bytes) {
  constexpr std::uintptr_t page = 4096;
  if (bytes < 4u << 20)
    return;
  const auto first = reinterpret_cast<std::uintptr_t>(storage.tile(0, 0));
  const auto begin = (first + page - 1) & ~(page - 1), end = (first + bytes) & ~(page - 1);
  ::madvise(reinterpret_cast<void *>(begin), end - begin, MADV_HUGEPAGE); // advice only: may fail
}
} // namespace

StorageRef describeStorage(const MatrixParameter &parameter, const Values &values, int nb) {
  const std::size_t bytes = elementBytes(parameter.type);
  if (!parameter.workspace)
    return StorageRef(new Storage(static_cast<int>(parameter.rows(values)), static_cast<int>(parameter.cols(values)),
                                  nb, nb, bytes, parameter.shape));
  const WorkspaceTiles tiles(*parameter.workspace, values, nb);
  const auto size = [&](long count, long each) {
    long product;
    if (count < 0 || each < 0 || __builtin_mul_overflow(count, each, &product) || product > INT_MAX)
      throw UsageError(std::string("the workspace ") + parameter.name + " would be " + std::to_string(tiles.down) +
                       " x " + std::to_string(tiles.across) + " tiles of " + std::to_string(tiles.rows) + " x " +
                       std::to_string(tiles.columns) + ": sizes must be between 0 and 2^31 - 1");
    return static_cast<int>(count);
  };
  // In both of Workspace's forms: all tiles of one size, or a matrix cut into tiles.
  const long rows = parameter.workspace->rows(values, nb), columns = parameter.workspace->cols(values, nb);
  if (rows != tiles.down * tiles.rows || columns != tiles.across * tiles.columns)
    return StorageRef(new Storage(static_cast<int>(rows), static_cast<int>(columns), static_cast<int>(tiles.rows),
                                  static_cast<int>(tiles.columns), bytes, Shape::General));
  return StorageRef(Storage::makeWorkspace(size(tiles.down, tiles.rows), size(tiles.across, tiles.columns),
                                           static_cast<int>(tiles.rows), static_cast<int>(tiles.columns), bytes));
}

void allocateStorage(const MatrixParameter &parameter, Storage &storage) {
  if (inColumns(parameter))
    storage.allocateColumns();
  else
    storage.allocate();
  if (storage.mt() > 0 && storage.nt() > 0)
    adviseHugePages(storage, inColumns(parameter) ? storage.columnsBytes() : storage.bytes());
}

double storageBytes(const MatrixParameter &parameter, const Values &values, int nb) {
  const auto bytes = static_cast<double>(elementBytes(parameter.type));
  if (parameter.workspace) {
    const WorkspaceTiles tiles(*parameter.workspace, values, nb);
    const auto down = static_cast<double>(tiles.down), across = static_cast<double>(tiles.across);
    const double tile = matrixBytes(static_cast<double>(tiles.rows), static_cast<double>(tiles.columns), INT_MAX, bytes,
                                    Shape::General);
    return down * across * tile + tableBytes(down, across, 1);
  }
  const auto rows = static_cast<double>(parameter.rows(values)), columns = static_cast<double>(parameter.cols(values));
  const double elements =
      inColumns(parameter)
          ? columns * static_cast<double>(Storage::columnBytes(parameter.rows(values), elementBytes(parameter.type)))
          : matrixBytes(rows, columns, nb, bytes, parameter.shape);
  return elements + tableBytes(rows, columns, nb);
}

} // namespace tla::bootstrap
