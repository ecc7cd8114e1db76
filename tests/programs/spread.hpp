// A generator and a residual of one's own.
#pragma once

#include <cmath>
#include <complex>
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

/// The Frobenius norm r becomes that of what it was the norm of and D, without squares that could over- or underflow.
#pragma tla kernel flops(2 * D.m() * D.n()) bound(memory)
template <typename T> void addToNorm(tla::ConstTile<T> D, tla::Tile<T> r) {
  tla::RealType<T> norm = std::real(r(0, 0));
  for (int j = 0; j < D.n(); ++j)
    for (int i = 0; i < D.m(); ++i)
      norm = std::hypot(norm, std::abs(D(i, j)));
  r(0, 0) = norm;
}

#pragma tla kernel bound(memory)
template <typename T> void clear(tla::OutTile<T> r) {
  for (int j = 0; j < r.n(); ++j)
    for (int i = 0; i < r.m(); ++i)
      r(i, j) = 0;
}

#pragma tla kernel bound(memory)
template <typename T> void scaleResidual(double size, tla::Tile<T> r) {
  r(0, 0) /= T(size) * std::numeric_limits<tla::RealType<T>>::epsilon();
}
