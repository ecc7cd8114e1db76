// Solves with a triangle in any of its forms: options choose the tile and the direction.
// RUN: %hetc check %s 2>&1 | FileCheck %s --implicit-check-not=remark
// CHECK: trsm: fine (2 task statements)
#include <tla/tla.hpp>
#pragma tla algorithm shape(A(n, n), B(n, k)) default(k : 1)
template <typename T> void trsm(tla::Uplo uplo, tla::Op op, tla::Diag diag, tla::Matrix<T> A, tla::Matrix<T> B) {
  const bool forward = (uplo == Lower) == (op == NoTrans);
  for (int s = 0; s < A.nt(); ++s) {
    const int k = forward ? s : A.nt() - 1 - s;
    for (int j = 0; j < B.nt(); ++j) {
      #pragma tla task
      trsm(Left, uplo, op, diag, T(1), A(k, k), B(k, j));
      for (int r = 0; r < A.mt() - 1 - s; ++r) {
        const int i = forward ? k + 1 + r : k - 1 - r;
        #pragma tla task
        gemm(op, NoTrans, T(-1), A(op == NoTrans ? i : k, op == NoTrans ? k : i), B(k, j), T(1), B(i, j));
      }
    }
  }
}
