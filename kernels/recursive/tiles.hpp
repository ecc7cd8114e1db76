// Panels and parts of them, tile by tile.
#pragma once

#include "kernels/recursive/laswp.hpp"

namespace tla::kernels::recursive {

/// Part of a panel: no tile is without rows.
template <typename T> using Tiles = std::vector<Tile<T>>;

/// The tiles of a panel that have rows, in order.
template <typename T> Tiles<T> tilesOf(Panel<T> A) {
  Tiles<T> tiles;
  for (int r = 0; r < A.mt(); ++r)
    if (A(r).m() > 0)
      tiles.push_back(A(r));
  return tiles;
}

/// Rows from i on and columns [j, j + n) of A.
template <typename T> Tiles<T> window(const Tiles<T> &A, int i, int j, int n) {
  Tiles<T> part;
  part.reserve(A.size());
  for (const Tile<T> &tile : A) {
    const int skipped = min(i, tile.m());
    if (skipped < tile.m())
      part.push_back(block(tile, skipped, j, tile.m() - skipped, n));
    i -= skipped;
  }
  return part;
}

template <typename T> void swapRows(Crew *crew, int row, int *ipiv, int k, const Tiles<T> &A) {
  interchange(crew, row, ConstTile<int>(ipiv, k, 1, k), 1, Panel<T>(A.data(), static_cast<int>(A.size())));
}

} // namespace tla::kernels::recursive
