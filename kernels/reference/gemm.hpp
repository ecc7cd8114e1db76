// C = alpha op(A) op(B) + beta C (BLAS: gemm).
#pragma once

#include "kernels/reference/scal.hpp"

namespace tla::reference {

/// op(A) = A: C(:, j) += A(:, l) * (alpha op(B)(l, j)), so that every inner loop runs down a column.
template <typename T> void gemmByColumns(Op opB, T alpha, ConstTile<T> A, ConstTile<T> B, Tile<T> C) {
  for (int j = 0; j < C.n(); ++j)
    for (int l = 0; l < A.n(); ++l) {
      const T factor = alpha * element(opB, B, l, j);
      for (int i = 0; i < C.m(); ++i)
        C(i, j) += A(i, l) * factor;
    }
}

/// op(A) = A^T or A^H: C(i, j) += alpha * (row i of op(A), a column of A, times column j of op(B)).
template <typename T> void gemmByDots(Op opA, Op opB, T alpha, ConstTile<T> A, ConstTile<T> B, Tile<T> C) {
  for (int j = 0; j < C.n(); ++j)
    for (int i = 0; i < C.m(); ++i) {
      T sum = 0;
      for (int l = 0; l < A.m(); ++l)
        sum += applied(opA, A(l, i)) * element(opB, B, l, j);
      C(i, j) += alpha * sum;
    }
}

template <typename T> void gemm(Op opA, Op opB, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) {
  reference::scal(beta, C);
  if (alpha == T(0))
    return;
  if (opA == Op::NoTrans)
    gemmByColumns(opB, alpha, A, B, C);
  else
    gemmByDots(opA, opB, alpha, A, B, C);
}

} // namespace tla::reference
