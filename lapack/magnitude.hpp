// How large the elements of a matrix are: what LAPACK would scale is left to it.
#pragma once

#include <tla/types.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

namespace tla::lapack {

/// The larger part of a complex number: its modulus is at most sqrt(2) times as large, and it needs no square root.
template <typename T> RealType<T> magnitudeOf(T x) { return std::max(std::abs(std::real(x)), std::abs(std::imag(x))); }

/// True when LAPACK's gels and gelsd may scale a matrix or take it as zero: its largest element lies outside of, or
/// near to the end of, what can be squared and divided by safely. NaN is not scaled.
template <typename T>
bool needsScaling(const T *a, long m, long n, long lda,
                  RealType<T> small = std::numeric_limits<RealType<T>>::min() /
                                      std::numeric_limits<RealType<T>>::epsilon()) {
  using Real = RealType<T>;
  Real largest = 0;
  for (long j = 0; j < n; ++j)
    for (long i = 0; i < m; ++i)
      largest = std::max(largest, magnitudeOf(a[i + j * lda]));
  return largest < small || largest > 1 / (2 * small);
}

template <typename T> bool hasNan(const T *a, long m, long n, long lda) {
  RealType<T> sum = 0; // 0, or NaN
  for (long j = 0; j < n; ++j)
    for (long i = 0; i < m; ++i)
      sum += (std::real(a[i + j * lda]) + std::imag(a[i + j * lda])) * 0;
  return !(sum == 0);
}

/// True for what LAPACK's gesdd and gesvd scale, or do not compute: matrices whose squares leave the range, of zeros,
/// and with NaN or infinity in them.
template <typename T> bool isScaledBySvd(const T *a, long m, long n, long lda) {
  using Real = RealType<T>;
  const Real small = std::sqrt(std::numeric_limits<Real>::min()) / std::numeric_limits<Real>::epsilon();
  return needsScaling(a, m, n, lda, small) || hasNan(a, m, n, lda);
}

} // namespace tla::lapack
