// A triangular tile: its inverse, its product with itself (LAPACK: trtri, lauum), and whether it is singular.
#pragma once

#include "kernels/reference/trmm.hpp"

namespace tla::reference {

/// The first zero on the diagonal, counted from 1, or 0.
template <typename T> int requireNonsingular(Tile<T> R) {
  for (int j = 0; j < min(R.m(), R.n()); ++j)
    if (R(j, j) == T(0))
      return j + 1;
  return 0;
}

/// Column by column, from the part of the inverse that is there: column j of it, except the diagonal, is
/// -1 / A(j, j) times that part, times column j of A (LAPACK: trti2).
template <typename T> int trtri(Uplo uplo, Diag diag, Tile<T> A) {
  const int n = A.n();
  if (const int info = diag == Diag::NonUnit ? reference::requireNonsingular(A) : 0)
    return info;
  const bool lower = uplo == Uplo::Lower;
  for (int s = 0; s < n; ++s) {
    const int j = lower ? n - 1 - s : s, begin = lower ? j + 1 : 0;
    const ConstTile<T> inverse(&A(0, 0) + begin + static_cast<long>(begin) * A.ld(), s, s, A.ld());
    T *x = &A(0, j) + begin;
    multiplyVector({s, lower}, Op::NoTrans, diag, inverse, x);
    const T pivot = diag == Diag::NonUnit ? T(1) / A(j, j) : T(1);
    for (int i = 0; i < s; ++i)
      x[i] *= -pivot;
    if (diag == Diag::NonUnit)
      A(j, j) = pivot;
  }
  return 0;
}

/// U U^H row by row or L^H L column by column: the factor's elements from (i, i) on suffice for row i of the product.
/// Only the real part of the diagonal counts (LAPACK: lauu2).
template <typename T> void lauum(Uplo uplo, Tile<T> A) {
  const int n = A.n();
  const bool lower = uplo == Uplo::Lower;
  for (int i = 0; i < n; ++i) {
    const RealType<T> pivot = realPart(A(i, i));
    RealType<T> square = pivot * pivot;
    for (int k = i + 1; k < n; ++k)
      square += squaredModulus(lower ? A(k, i) : A(i, k));
    for (int j = 0; j < i; ++j) {
      T &x = lower ? A(i, j) : A(j, i);
      x *= pivot;
      for (int k = i + 1; k < n; ++k)
        x += lower ? conjugate(A(k, i)) * A(k, j) : A(j, k) * conjugate(A(i, k));
    }
    A(i, i) = square;
  }
}

} // namespace tla::reference
