// A = L L^H or U^H U (LAPACK: potrf).
#pragma once

#include "kernels/reference/scalar.hpp"

#include <cmath>

namespace tla::reference {

/// The pivot of step j from its square: stored at A(j, j) and 0 returned, or `square` stored and j + 1 returned when
/// it is not positive (NaN is not). The imaginary part becomes zero.
template <typename T> int takePivot(int j, RealType<T> square, Tile<T> A) {
  const bool positive = square > 0;
  A(j, j) = positive ? std::sqrt(square) : square;
  return positive ? 0 : j + 1;
}

/// Left-looking, column by column: column j of L is column j of A less L(j:n, 0:j) L(j, 0:j)^H, over the pivot.
template <typename T> int potrfLower(Tile<T> A) {
  const int n = A.n();
  for (int j = 0; j < n; ++j) {
    RealType<T> square = realPart(A(j, j));
    for (int k = 0; k < j; ++k)
      square -= squaredModulus(A(j, k));
    if (const int info = takePivot(j, square, A))
      return info;
    for (int k = 0; k < j; ++k) {
      const T factor = conjugate(A(j, k));
      for (int i = j + 1; i < n; ++i)
        A(i, j) -= A(i, k) * factor;
    }
    for (int i = j + 1; i < n; ++i)
      A(i, j) /= realPart(A(j, j));
  }
  return 0;
}

/// Column j of U solves U(0:j, 0:j)^H u = A(0:j, j); what is left of A(j, j) is the square of the pivot.
template <typename T> int potrfUpper(Tile<T> A) {
  for (int j = 0; j < A.n(); ++j) {
    RealType<T> square = realPart(A(j, j));
    for (int i = 0; i < j; ++i) {
      T sum = A(i, j);
      for (int k = 0; k < i; ++k)
        sum -= conjugate(A(k, i)) * A(k, j);
      A(i, j) = sum / realPart(A(i, i));
      square -= squaredModulus(A(i, j));
    }
    if (const int info = takePivot(j, square, A))
      return info;
  }
  return 0;
}

template <typename T> int potrf(Uplo uplo, Tile<T> A) { return uplo == Uplo::Lower ? potrfLower(A) : potrfUpper(A); }

} // namespace tla::reference
