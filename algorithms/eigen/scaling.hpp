// Kernels that bring a Hermitian matrix into the range in which its squares neither over- nor underflow.
#pragma once
#include <tla/tla.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

namespace eigen {
/// The larger of two magnitudes; NaN if one of them is.
template <typename Real> inline Real largerMagnitude(Real a, Real b) { return a >= b || std::isnan(a) ? a : b; }
} // namespace eigen

/// r = the largest |Re a| or |Im a| of a column of tiles, NaN if there is one. With diagonal = 1 the first tile is on the
/// diagonal, and only its lower triangle counts.
#pragma tla kernel requires(r.m() == 1, r.n() == 1) flops(A.m() * A.n()) bound(memory)
template <typename T>
void largestElement(int diagonal, tla::ConstPanel<T> A, tla::OutTile<tla::RealType<T>> r) {
  using Real = tla::RealType<T>;
  Real largest = 0;
  bool number = true;
  for (int t = 0; t < A.mt(); ++t)
    for (int j = 0; j < A(t).n(); ++j)
      for (int i = t == 0 && diagonal == 1 ? j : 0; i < A(t).m(); ++i) {
        const T a = A(t)(i, j);
        largest = std::max({largest, std::abs(std::real(a)), std::abs(std::imag(a))});
        number &= a == a;
      }
  r(0, 0) = number ? largest : std::numeric_limits<Real>::quiet_NaN();
}

/// r becomes the larger of a and r; NaN stays.
#pragma tla kernel requires(r.m() == 1, r.n() == 1, a.m() == 1, a.n() == 1) bound(memory)
template <typename T> void keepLarger(tla::ConstTile<T> a, tla::Tile<T> r) {
  r(0, 0) = eigen::largerMagnitude(a(0, 0), r(0, 0));
}

/// sigma = the power of two that brings a matrix with largest element `largest` near 1 where that is far from it, else 1. What is far:
/// elements as small as the roundoff of the largest one must have squares that do not underflow. LAPACK's syev, whose norms are
/// computed without squares, goes as far as the square root of the smallest number. Returns 1 for NaN or Inf.
#pragma tla kernel requires(sigma.m() == 1, sigma.n() == 1, largest.m() == 1, largest.n() == 1) bound(memory)
template <typename T> int requireFinite(tla::ConstTile<T> largest, tla::OutTile<T> sigma) {
  const T size = largest(0, 0);
  sigma(0, 0) = 1;
  if (!std::isfinite(size))
    return 1;
  if (const int exponent = size > 0 ? std::ilogb(size) : 0; std::abs(exponent) > std::numeric_limits<T>::max_exponent / 4)
    sigma(0, 0) = std::ldexp(T(1), std::min(-exponent, std::numeric_limits<T>::max_exponent - 1));
  return 0;
}

/// A = sigma A, a tile of which only the lower triangle counts where it is on the diagonal.
#pragma tla kernel requires(sigma.m() == 1, sigma.n() == 1) flops(A.m() * A.n()) bound(memory)
template <typename T> void scaleTile(int diagonal, tla::ConstTile<tla::RealType<T>> sigma, tla::Tile<T> A) {
  const tla::RealType<T> factor = sigma(0, 0);
  if (factor == 1)
    return;
  for (int j = 0; j < A.n(); ++j)
    for (int i = diagonal == 1 ? j : 0; i < A.m(); ++i)
      A(i, j) *= factor;
}

/// w = w / sigma: eigenvalues of the matrix as it was.
#pragma tla kernel requires(sigma.m() == 1, sigma.n() == 1) flops(w.m()) bound(memory)
template <typename T> void unscale(tla::ConstTile<T> sigma, tla::Tile<T> w) {
  for (int i = 0; i < w.m(); ++i)
    w(i, 0) /= sigma(0, 0);
}
