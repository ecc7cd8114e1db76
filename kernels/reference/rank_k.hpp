// C = alpha op(A) op(A)^T + beta C and its Hermitian sister (BLAS: syrk, herk), one triangle of C.
#pragma once

#include "kernels/reference/scalar.hpp"

#include <cassert>

namespace tla::reference {

/// The rows [begin, end) of column j that lie in the stored triangle of an n x n tile.
struct RowRange {
  RowRange(Uplo uplo, int n, int j) : begin(uplo == Uplo::Lower ? j : 0), end(uplo == Uplo::Lower ? n : j + 1) {}
  int begin, end;
};

/// The diagonal of a Hermitian tile is real, whatever is stored there.
template <typename T> void clearDiagonalImaginary(Tile<T> C) {
  for (int j = 0; j < C.n(); ++j)
    C(j, j) = realPart(C(j, j));
}

template <typename T, typename Scalar> void scaleTriangle(Uplo uplo, Scalar beta, Tile<T> C) {
  for (int j = 0; j < C.n(); ++j) {
    const RowRange rows(uplo, C.n(), j);
    for (int i = rows.begin; i < rows.end; ++i)
      scale(C(i, j), beta);
  }
}

/// C += alpha A A^T, or alpha A A^H when second = ConjTrans, down the columns.
template <typename T, typename Scalar>
void rankKByColumns(Uplo uplo, Op second, Scalar alpha, ConstTile<T> A, Tile<T> C) {
  for (int j = 0; j < C.n(); ++j) {
    const RowRange rows(uplo, C.n(), j);
    for (int l = 0; l < A.n(); ++l) {
      const T factor = alpha * applied(second, A(j, l));
      for (int i = rows.begin; i < rows.end; ++i)
        C(i, j) += A(i, l) * factor;
    }
  }
}

/// C += alpha A^T A, or alpha A^H A when first = ConjTrans, as dot products of columns.
template <typename T, typename Scalar> void rankKByDots(Uplo uplo, Op first, Scalar alpha, ConstTile<T> A, Tile<T> C) {
  for (int j = 0; j < C.n(); ++j) {
    const RowRange rows(uplo, C.n(), j);
    for (int i = rows.begin; i < rows.end; ++i) {
      T sum = 0;
      for (int l = 0; l < A.m(); ++l)
        sum += applied(first, A(l, i)) * A(l, j);
      C(i, j) += alpha * sum;
    }
  }
}

template <typename T> void syrk(Uplo uplo, Op op, T alpha, ConstTile<T> A, T beta, Tile<T> C) {
  assert((!isComplex<T> || op != Op::ConjTrans) && "syrk takes NoTrans or Trans; herk takes ConjTrans");
  scaleTriangle(uplo, beta, C);
  if (alpha == T(0))
    return;
  if (op == Op::NoTrans)
    rankKByColumns(uplo, Op::Trans, alpha, A, C);
  else
    rankKByDots(uplo, Op::Trans, alpha, A, C);
}

template <typename T> void herk(Uplo uplo, Op op, RealType<T> alpha, ConstTile<T> A, RealType<T> beta, Tile<T> C) {
  assert((!isComplex<T> || op != Op::Trans) && "herk takes NoTrans or ConjTrans; syrk takes Trans");
  const int k = op == Op::NoTrans ? A.n() : A.m();
  if ((alpha == 0 || k == 0) && beta == 1)
    return;
  scaleTriangle(uplo, beta, C);
  if (alpha != 0 && op == Op::NoTrans)
    rankKByColumns(uplo, Op::ConjTrans, alpha, A, C);
  else if (alpha != 0)
    rankKByDots(uplo, Op::ConjTrans, alpha, A, C);
  clearDiagonalImaginary(C);
}

} // namespace tla::reference
