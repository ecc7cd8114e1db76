#include "runtime/core/window/packing.hpp"

#include "runtime/core/window/tile_table.hpp"

#include <algorithm>
#include <cstring>

namespace tla::runtime {
namespace {

/// Elements [begin, end) of a column that belong to the region.
struct Rows {
  int begin, end;
};
Rows rowsOf(Region region, int column, int rows) {
  switch (region) {
  case Region::Lower:
    return {std::min(column + 1, rows), rows};
  case Region::Upper:
    return {0, std::min(column + 1, rows)};
  case Region::Full:
    break;
  }
  return {0, rows};
}

/// visit(byte offset in the tile, bytes), column by column.
template <typename Visit> void forEachColumn(const Version &version, Region region, Visit &&visit) {
  const Storage &storage = version.table->storage();
  const std::size_t size = storage.elementBytes(), ld = ldOf(version);
  const int rows = storage.tileRows(version.row);
  for (int column = 0; column < storage.sliceCols(version.column); ++column) {
    const Rows part = rowsOf(region, column, rows);
    visit((part.begin + column * ld) * size, (part.end - part.begin) * size);
  }
}

} // namespace

int ldOf(const Version &version) {
  const TileTable &table = *version.table;
  const Storage &storage = table.storage();
  if (version.guarded)
    return std::max(1, storage.tileRows(version.row)) + guardRows;
  // Only a tile in the caller's memory may be a window on a larger array; any other memory is the tile's alone.
  if (!storage.tiled() && !table.place() && version.data == table.home(version.row, version.column))
    return storage.ld(version.row);
  return std::max(1, storage.tileRows(version.row));
}

std::size_t packedBytes(const TileRef &tile) {
  const Storage &storage = tile.matrix->storage();
  const std::size_t rows = storage.tileRows(tile.row), columns = storage.sliceCols(tile.column), all = rows * columns;
  const std::size_t diagonals = std::min(rows, columns); // columns that the diagonal crosses
  const std::size_t lower = diagonals * rows - diagonals * (diagonals + 1) / 2;
  const std::size_t elements = tile.region == Region::Full ? all : tile.region == Region::Lower ? lower : all - lower;
  return elements * storage.elementBytes();
}

bool isPacked(const Version &version, Region region) {
  const Storage &storage = version.table->storage();
  return region == Region::Full && ldOf(version) == std::max(1, storage.tileRows(version.row));
}

void pack(const Version &version, Region region, void *bytes) {
  char *to = static_cast<char *>(bytes);
  const char *const tile = static_cast<const char *>(version.data);
  forEachColumn(version, region, [&](std::size_t offset, std::size_t count) {
    std::memcpy(to, tile + offset, count);
    to += count;
  });
}

void unpack(const Version &version, Region region, const void *bytes) {
  const char *from = static_cast<const char *>(bytes);
  char *const tile = static_cast<char *>(version.data);
  forEachColumn(version, region, [&](std::size_t offset, std::size_t count) {
    std::memcpy(tile + offset, from, count);
    from += count;
  });
}

} // namespace tla::runtime
