// A = alpha A: a tile (BLAS: scal) or one triangle of it (LAPACK: lascl). B = alpha A + beta B
// (geadd), or one triangle of that (PLASMA: tradd).
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

/// Computes rows begin .. end - 1 of a column.
template <typename T> void addColumn(T alpha, ConstTile<T> A, T beta, Tile<T> B, int j, int begin, int end) {
  for (int i = begin; i < end; ++i)
    B(i, j) = beta == T(0) ? alpha * A(i, j) : alpha * A(i, j) + beta * B(i, j);
}

template <typename T> void geadd(T alpha, ConstTile<T> A, T beta, Tile<T> B) {
  for (int j = 0; j < B.n(); ++j)
    addColumn<T>(alpha, A, beta, B, j, 0, B.m());
}

template <typename T> void tradd(Uplo uplo, T alpha, ConstTile<T> A, T beta, Tile<T> B) {
  for (int j = 0; j < B.n(); ++j) {
    const int diagonal = j < B.m() ? j : B.m(), below = j < B.m() ? j + 1 : B.m();
    addColumn<T>(alpha, A, beta, B, j, uplo == Uplo::Lower ? diagonal : 0, uplo == Uplo::Lower ? B.m() : below);
  }
}

} // namespace tla::reference
