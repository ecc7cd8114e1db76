// The two triangles of the tiles of a matrix with regions, which have contents of their own.
#pragma once

#include "runtime/core/window/tile_table.hpp"

#include <cstddef>

namespace tla::runtime {

/// Half 0 is the strictly lower triangle, half 1 the rest; the tiles of a matrix without regions have half 0 only.
struct Halves {
  int first, last;

  static Halves of(const TileTable &table, Region region) {
    if (!table.regions() || region == Region::Lower)
      return {0, 0};
    return {region == Region::Upper ? 1 : 0, 1};
  }
  static Region region(const TileTable &table, int half) {
    return !table.regions() ? Region::Full : half == 0 ? Region::Lower : Region::Upper;
  }
  /// Place of a half of the tile in an array over all halves of the matrix. Regions may become known late, so there are
  /// always two.
  static std::size_t index(const TileRef &tile, int half) {
    return 2 * (tile.row + static_cast<std::size_t>(tile.column) * tile.matrix->storage().mt()) + half;
  }
  static std::size_t count(const TileTable &table) {
    return 2 * static_cast<std::size_t>(table.storage().mt()) * table.storage().ns();
  }
};

} // namespace tla::runtime
