// One elementary reflector H = I - tau v v^H, v = (1; x) (LAPACK: larfg, larf).
#pragma once

#include "kernels/reference/scalar.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tla::reference {

/// The Euclidean norm of x, scaled by its largest part so that no square overflows or vanishes (LAPACK: lassq).
template <typename T> RealType<T> norm2(int n, const T *x) {
  using Real = RealType<T>;
  Real scale = 0, squares = 1;
  const auto add = [&](Real part) {
    const Real size = std::abs(part);
    if (size == 0)
      return;
    if (scale < size) {
      squares = 1 + squares * (scale / size) * (scale / size);
      scale = size;
    } else {
      squares += (size / scale) * (size / scale);
    }
  };
  for (int i = 0; i < n; ++i) {
    add(realPart(x[i]));
    if constexpr (isComplex<T>)
      add(x[i].imag());
  }
  return scale * std::sqrt(squares);
}

/// H^H (alpha; x) = (beta; 0) with beta real: beta replaces alpha, the vector's lower part replaces x, tau is returned.
/// A beta whose inverse would overflow is found from a vector scaled up, as often as it takes (LAPACK: larfg).
template <typename T> T larfg(T &alpha, int n, T *x) {
  using Real = RealType<T>;
  constexpr Real safeMin = 2 * std::numeric_limits<Real>::min() / std::numeric_limits<Real>::epsilon();
  constexpr int mostScalings = 20;
  const auto scaleVector = [&](T factor) {
    for (int i = 0; i < n; ++i)
      x[i] *= factor;
  };
  Real norm = norm2(n, x);
  if (norm == 0 && realPart(alpha) == alpha)
    return T(0);
  const auto betaOf = [&] { return -std::copysign(std::hypot(std::abs(alpha), norm), realPart(alpha)); };
  Real beta = betaOf();
  int scalings = 0;
  if (std::abs(beta) < safeMin) {
    do {
      ++scalings;
      scaleVector(1 / safeMin);
      beta /= safeMin;
      alpha /= safeMin;
    } while (std::abs(beta) < safeMin && scalings < mostScalings);
    norm = norm2(n, x);
    beta = betaOf();
  }
  const T tau = (beta - alpha) / beta;
  scaleVector(T(1) / (alpha - beta));
  for (; scalings > 0; --scalings)
    beta *= safeMin;
  alpha = beta;
  return tau;
}

/// (first; rest) = (I - tau v v^H) (first; rest), v = (1; x).
template <typename T> void reflect(T tau, int n, const T *x, T &first, T *rest) {
  T sum = first;
  for (int i = 0; i < n; ++i)
    sum += conjugate(x[i]) * rest[i];
  sum *= tau;
  first -= sum;
  for (int i = 0; i < n; ++i)
    rest[i] -= x[i] * sum;
}

} // namespace tla::reference
