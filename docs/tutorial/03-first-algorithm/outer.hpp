#pragma once
#include <tla/tla.hpp>

/// A = A + x y^T, on one tile.
#pragma tla kernel flops(2 * A.m() * A.n()) requires(x.m() == A.m() && y.m() == A.n())
template <typename T> void addOuter(tla::ConstTile<T> x, tla::ConstTile<T> y, tla::Tile<T> A) {
  for (int j = 0; j < A.n(); ++j)
    for (int i = 0; i < A.m(); ++i)
      A(i, j) += x(i, 0) * y(j, 0);
}
