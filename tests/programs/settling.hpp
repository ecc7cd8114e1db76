// Kernels of until_settled.tla and newton_until.tla: how far something is from where it is to go. For real types.
#pragma once

#include "sweeps.hpp"

namespace settling {
/// The larger of r and the distance of a and b.
template <typename T> T farther(T r, T a, T b) {
  const T distance = a < b ? b - a : a - b;
  return r < distance ? distance : r;
}
} // namespace settling

/// r = max(r, the largest element of |A - B|).
#pragma tla kernel bound(memory)
template <typename T> void furthest(tla::ConstTile<T> A, tla::ConstTile<T> B, tla::Tile<T> r) {
  for (int j = 0; j < A.n(); ++j)
    for (int i = 0; i < A.m(); ++i)
      r(0, 0) = settling::farther(r(0, 0), A(i, j), B(i, j));
}

/// r = max(r, the largest element of |A - I|), or of |A| where the tile is none of the diagonal's.
#pragma tla kernel bound(memory)
template <typename T> void departure(int isDiagonal, tla::ConstTile<T> A, tla::Tile<T> r) {
  for (int j = 0; j < A.n(); ++j)
    for (int i = 0; i < A.m(); ++i)
      r(0, 0) = settling::farther(r(0, 0), A(i, j), T(isDiagonal && i == j));
}
