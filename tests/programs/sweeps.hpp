// A step of Jacobi's iteration.
#pragma once

#include <tla/tla.hpp>

/// R = X + D^-1 R, with D the diagonal of A.
#pragma tla kernel flops(2 * R.m() * R.n())                                                                            \
    bound(memory) requires(A.m() == R.m() && A.n() == R.m() && X.m() == R.m() && X.n() == R.n())
template <typename T> void correct(tla::ConstTile<T> A, tla::ConstTile<T> X, tla::Tile<T> R) {
  for (int j = 0; j < R.n(); ++j)
    for (int i = 0; i < R.m(); ++i)
      R(i, j) = X(i, j) + R(i, j) / A(i, i);
}
