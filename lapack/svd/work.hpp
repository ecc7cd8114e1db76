// Workspaces of gesdd and gesvd, in elements: what LAPACK takes, and what it may ask for.
#pragma once

#include <tla/types.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace tla::lapack {

/// The sizes of a call, k = min(m, n); `overwrites`: vectors take the place of A.
struct SvdSizes {
  long larger, k;
  bool vectors, overwrites;
};

/// Returns the least LWORK with which LAPACK's gesdd may take a problem of these sizes. Calls with less are left to it,
/// which may say that it is too little.
template <typename T> long leastWorkOfGesdd(const SvdSizes &sizes) {
  const long k = sizes.k, larger = sizes.larger, more = (sizes.overwrites ? 1 : 0) * k * k;
  if constexpr (isComplex<T>)
    return !sizes.vectors ? 2 * k + larger : std::min(2 * k + larger, k * k + 3 * k) + more;
  else
    return 3 * k + (sizes.vectors ? std::max(larger, (6 * larger >= 11 * k ? 4 : 3) * k * k + 4 * k) + more
                                  : std::max(larger, 7 * k));
}

/// Returns the same of gesvd.
template <typename T> long leastWorkOfGesvd(const SvdSizes &sizes) {
  const long k = sizes.k;
  if (sizes.vectors)
    return (isComplex<T> ? 3 : 5) * k;
  return isComplex<T> ? 2 * k + sizes.larger : 3 * k + std::max(sizes.larger, 7 * k);
}

/// Returns a bound of what LAPACK's routines answer where they are asked for the workspace, with blocks of 128 columns.
template <typename T> double mostWork(const SvdSizes &sizes) {
  const double k = sizes.k, larger = sizes.larger;
  const double square = !sizes.vectors ? 0 : isComplex<T> ? 2 : 4;
  return (square + (sizes.overwrites ? 1 : 0)) * k * k + (sizes.overwrites ? larger * k : 0) + 256 * (larger + k);
}

/// Writes a size to WORK(1), rounded up where the type does not have it.
template <typename T> void answerWork(double size, T *work) {
  using Real = RealType<T>;
  Real rounded = static_cast<Real>(size);
  if (rounded < size)
    rounded = std::nextafter(rounded, std::numeric_limits<Real>::infinity());
  *work = rounded;
}

/// LAPACK before 3.10 rounds the size in WORK(1) to the nearest number of the type, which may be too small for it.
template <typename T> void roundUpWork(T *work) {
  using Real = RealType<T>;
  const Real size = std::real(*work);
  if (size > 1 / std::numeric_limits<Real>::epsilon())
    *work = std::nextafter(size, std::numeric_limits<Real>::infinity());
}

} // namespace tla::lapack
