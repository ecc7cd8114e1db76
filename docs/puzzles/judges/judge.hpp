// What judges need: matrices and figures that no other check has.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include <tla/random.hpp>
#include <tla/tla.hpp>

/// Positive definite, with three diagonals.
template <typename T> T tridiagonal(long i, long j, std::uint64_t seed) {
  if (i == j)
    return T(4) + tla::randomElement<T>(seed, i, j);
  return i - j == 1 || j - i == 1 ? T(-1) : T(0);
}

/// r = r + the squares of D's elements.
#pragma tla kernel bound(memory)
template <typename T> void judgeSquares(tla::ConstTile<T> D, tla::Tile<T> r) {
  for (int j = 0; j < D.n(); ++j)
    for (int i = 0; i < D.m(); ++i)
      r(0, 0) += D(i, j) * D(i, j);
}

/// r = r^(1/2) / (s^(1/2) size eps), s from judgeSquares, too.
#pragma tla kernel bound(memory)
template <typename T> void judgeScale(int size, tla::ConstTile<T> s, tla::Tile<T> r) {
  const T largest = s(0, 0) > T(0) ? s(0, 0) : T(1);
  r(0, 0) = std::sqrt(r(0, 0)) / (std::sqrt(largest) * T(size > 1 ? size : 1) * std::numeric_limits<T>::epsilon());
}
