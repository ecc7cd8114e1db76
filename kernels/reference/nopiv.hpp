// Factorizations of a tile without pivoting: A = L D L^H and A = L U.
#pragma once

#include "kernels/reference/scalar.hpp"

namespace tla::reference {

/// Right-looking: with the column w = D(j, j) L(:, j) below the pivot, w w^H / D(j, j) is taken off what is right of
/// it.
template <typename T> int hetrf_nopiv(Tile<T> A) {
  const int n = A.n();
  for (int j = 0; j < n; ++j) {
    const RealType<T> pivot = realPart(A(j, j));
    A(j, j) = pivot;
    if (!(pivot < 0 || pivot > 0))
      return j + 1;
    const RealType<T> inverse = 1 / pivot;
    for (int k = j + 1; k < n; ++k) {
      const T factor = inverse * conjugate(A(k, j));
      for (int i = k; i < n; ++i)
        A(i, k) -= A(i, j) * factor;
    }
    for (int i = j + 1; i < n; ++i)
      A(i, j) *= inverse;
  }
  return 0;
}

template <typename T> void scaleByPivots(ConstTile<T> A, Tile<T> B, OutTile<T> W) {
  for (int j = 0; j < B.n(); ++j) {
    const RealType<T> inverse = 1 / realPart(A(j, j));
    for (int i = 0; i < B.m(); ++i) {
      const T x = B(i, j);
      W(i, j) = x;
      B(i, j) = x * inverse;
    }
  }
}

/// Right-looking: the column over its pivot, a rank-1 update of what is right of it.
template <typename T> int getrf_nopiv(Tile<T> A) {
  for (int j = 0; j < min(A.m(), A.n()); ++j) {
    if (A(j, j) == T(0))
      return j + 1;
    const T inverse = T(1) / A(j, j);
    for (int i = j + 1; i < A.m(); ++i)
      A(i, j) *= inverse;
    for (int k = j + 1; k < A.n(); ++k)
      for (int i = j + 1; i < A.m(); ++i)
        A(i, k) -= A(i, j) * A(j, k);
  }
  return 0;
}

} // namespace tla::reference
