// Householder reflectors on blocks that lie in a cache: LAPACK's larfg and larf.
#pragma once

#include "kernels/reference/scalar.hpp"
#include "kernels/vectors/isa.hpp"
#include "lapack/magnitude.hpp"

#include <tla/types.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>

namespace tla::lapack {

using reference::conjugate, reference::squaredModulus;

template <typename T> T timesPowerOfTwo(T x, int exponent) {
  if constexpr (isComplex<T>)
    return {std::scalbn(x.real(), exponent), std::scalbn(x.imag(), exponent)};
  else
    return std::scalbn(x, exponent);
}

/// The reflector H = I - tau v v^H, v(0) = 1, with H^H x = (beta, 0, ..., 0) and a real beta. Returns tau; x becomes v
/// except x(0), which becomes beta. |x|^2 does not overflow; where it loses digits, x is made larger first, as by
/// LAPACK's larfg, or H would not be unitary.
template <typename T> T makeReflector(long length, T *x) {
  using Real = RealType<T>;
  constexpr Real digitsAreLost =
      std::numeric_limits<Real>::min() / (std::numeric_limits<Real>::epsilon() * std::numeric_limits<Real>::epsilon());
  Real squares = 0;
  for (long i = 1; i < length; ++i)
    squares += squaredModulus(x[i]);
  const T alpha = x[0];
  if (squaredModulus(alpha) + squares < digitsAreLost) {
    Real largest = 0;
    for (long i = 0; i < length; ++i)
      largest = std::max(largest, magnitudeOf(x[i]));
    if (largest == 0)
      return 0;
    const int exponent = std::ilogb(largest);
    for (long i = 0; i < length; ++i)
      x[i] = timesPowerOfTwo(x[i], -exponent);
    const T tau = makeReflector(length, x);
    x[0] = timesPowerOfTwo(x[0], exponent);
    return tau;
  }
  if (squares == 0) { // or so small against alpha that nothing is lost
    std::fill(x + 1, x + length, T(0));
    if (std::imag(alpha) == 0)
      return 0;
  }
  const Real norm = std::sqrt(squaredModulus(alpha) + squares), beta = -std::copysign(norm, std::real(alpha));
  const T scale = T(1) / (alpha - beta);
  for (long i = 1; i < length; ++i)
    x[i] *= scale;
  x[0] = beta;
  if constexpr (isComplex<T>)
    return {(beta - alpha.real()) / beta, -alpha.imag() / beta};
  else
    return (beta - alpha) / beta;
}

/// Calls visit(row, count) for all rows, a vector of `lanes` at a time and then the rest. No compiler may make two
/// versions of it, with and without products fused with sums: bits must not depend on where a block lies.
template <int lanes, typename Visit> [[gnu::always_inline]] inline void forVectors(long rows, Visit visit) {
  long r = 0;
  for (; r + lanes <= rows; r += lanes)
    visit(r, std::integral_constant<int, lanes>());
  if (r < rows)
    visit(r, static_cast<int>(rows - r));
}

template <typename V, typename T, typename Count> [[gnu::always_inline]] inline V loadRows(const T *x, Count count) {
  V v{};
  std::memcpy(&v, x, count * sizeof(T));
  return v;
}

/// M = M - t v (v^H M) for a block of length x columns, columns lda apart: H^H from the left with t = conj(tau), H with
/// tau.
template <typename T> void reflectLeft(const T *v, T t, long length, T *M, long lda, long columns) {
  if (t == T(0))
    return;
  if constexpr (isComplex<T>) {
    for (long j = 0; j < columns; ++j) {
      T *const column = M + j * lda;
      T product = 0;
      for (long i = 0; i < length; ++i)
        product += std::conj(v[i]) * column[i];
      product *= t;
      for (long i = 0; i < length; ++i)
        column[i] -= product * v[i];
    }
  } else {
    kernels::vectors::vectorized([&] {
      using Wide = kernels::vectors::WideVector<T>;
      using V = typename Wide::type;
      for (long j = 0; j < columns; ++j) {
        T *const column = M + j * lda;
        V products{};
        forVectors<Wide::lanes>(length, [&](long r, auto count) {
          products += loadRows<V>(v + r, count) * loadRows<V>(column + r, count);
        });
        T product = 0;
        for (int lane = 0; lane < Wide::lanes; ++lane)
          product += products[lane];
        product *= t;
        forVectors<Wide::lanes>(length, [&](long r, auto count) {
          const V changed = loadRows<V>(column + r, count) - product * loadRows<V>(v + r, count);
          std::memcpy(column + r, &changed, count * sizeof(T));
        });
      }
    });
  }
}

/// `strips` vectors of rows of reflectRight().
template <typename V, int strips, typename T, typename Count>
[[gnu::always_inline]] inline void reflectRows(const T *v, T tau, long length, T *M, long lda, Count count) {
  constexpr int lanes = sizeof(V) / sizeof(T);
  V w[strips] = {};
  for (long j = 0; j < length; ++j)
#pragma GCC unroll 4
    for (int s = 0; s < strips; ++s)
      w[s] += loadRows<V>(M + j * lda + s * lanes, count) * v[j];
#pragma GCC unroll 4
  for (int s = 0; s < strips; ++s)
    w[s] *= tau;
  for (long j = 0; j < length; ++j)
#pragma GCC unroll 4
    for (int s = 0; s < strips; ++s) {
      const V changed = loadRows<V>(M + j * lda + s * lanes, count) - w[s] * v[j];
      std::memcpy(M + j * lda + s * lanes, &changed, count * sizeof(T));
    }
}

/// M = M (I - tau v v^H) for a block of rows x length.
template <typename T> void reflectRight(const T *v, T tau, long length, T *M, long lda, long rows) {
  if (tau == T(0))
    return;
  if constexpr (isComplex<T>) {
    for (long i = 0; i < rows; ++i) {
      T product = 0;
      for (long j = 0; j < length; ++j)
        product += M[i + j * lda] * v[j];
      product *= tau;
      for (long j = 0; j < length; ++j)
        M[i + j * lda] -= product * std::conj(v[j]);
    }
  } else {
    kernels::vectors::vectorized([&] {
      using Wide = kernels::vectors::WideVector<T>;
      using V = typename Wide::type;
      constexpr int strips = 4;
      const std::integral_constant<int, Wide::lanes> all;
      long r = 0;
      for (; r + strips * Wide::lanes <= rows; r += strips * Wide::lanes)
        reflectRows<V, strips>(v, tau, length, M + r, lda, all);
      forVectors<Wide::lanes>(rows - r,
                              [&](long s, auto count) { reflectRows<V, 1>(v, tau, length, M + r + s, lda, count); });
    });
  }
}

} // namespace tla::lapack
