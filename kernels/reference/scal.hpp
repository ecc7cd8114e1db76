// A = alpha A: a tile (BLAS: scal) or one triangle of it (LAPACK: lascl). B = alpha A + beta B (geadd).
#pragma once

#include "kernels/reference/scalar.hpp"

namespace tla::reference {

template <typename T> void scal(T alpha, Tile<T> A) {
  for (int j = 0; j < A.n(); ++j)
    for (int i = 0; i < A.m(); ++i)
      scale(A(i, j), alpha);
}

template <typename T> void lascl(Uplo uplo, T alpha, Tile<T> A) {
  for (int j = 0; j < A.n(); ++j) {
    const int begin = uplo == Uplo::Lower ? j : 0, end = uplo == Uplo::Lower ? A.n() : j + 1;
    for (int i = begin; i < end; ++i)
      scale(A(i, j), alpha);
  }
}

template <typename T> void geadd(T alpha, ConstTile<T> A, T beta, Tile<T> B) {
  for (int j = 0; j < B.n(); ++j)
    for (int i = 0; i < B.m(); ++i)
      B(i, j) = beta == T(0) ? alpha * A(i, j) : alpha * A(i, j) + beta * B(i, j);
}

} // namespace tla::reference
