// One triangle of C = alpha op(A) op(B) + beta C (the BLAS extension gemmt).
#pragma once

#include "kernels/reference/rank_k.hpp"

namespace tla::reference {

template <typename T>
void gemmt(Uplo uplo, Op opA, Op opB, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) {
  scaleTriangle(uplo, beta, C);
  if (alpha == T(0))
    return;
  const int k = opA == Op::NoTrans ? A.n() : A.m();
  for (int j = 0; j < C.n(); ++j) {
    const RowRange rows(uplo, C.n(), j);
    for (int i = rows.begin; i < rows.end; ++i) {
      T sum = 0;
      for (int l = 0; l < k; ++l)
        sum += element(opA, A, i, l) * element(opB, B, l, j);
      C(i, j) += alpha * sum;
    }
  }
}

} // namespace tla::reference
