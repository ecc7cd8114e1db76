// A generator and a residual of one's own.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <tla/random.hpp>
#include <tla/tla.hpp>

/// A tridiagonal matrix, a little disturbed: -1, 4, -1.
template <typename T> T tridiagonal(long i, long j, std::uint64_t seed, double diagonal) {
  if (i == j)
    return T(diagonal) + tla::randomElement<T>(seed, i, j);
  return i - j == 1 || j - i == 1 ? T(-1) : T(0);
}

#pragma tla kernel flops(2 * D.m() * D.n()) bound(memory)
template <typename T> void addSquares(tla::ConstTile<T> D, tla::Tile<T> r) {
  T sum = 0;
  for (int j = 0; j < D.n(); ++j)
    for (int i = 0; i < D.m(); ++i)
      sum += D(i, j) * D(i, j);
  r(0, 0) += sum;
}

#pragma tla kernel bound(memory)
template <typename T> void clear(tla::OutTile<T> r) {
  for (int j = 0; j < r.n(); ++j)
    for (int i = 0; i < r.m(); ++i)
      r(i, j) = 0;
}

#pragma tla kernel bound(memory)
template <typename T> void scaleResidual(double size, tla::Tile<T> r) {
  r(0, 0) = std::sqrt(r(0, 0)) / (T(size) * std::numeric_limits<tla::RealType<T>>::epsilon());
}
