#pragma once
#include <tla/tla.hpp>

/// Solves op(A) * X = alpha * B (side = Left) or X * op(A) = alpha * B (Right) for X, which overwrites B (BLAS: trsm).
/// Of A one triangle counts, with ones on its diagonal if diag = Unit. Whether the system is solved from its first
/// unknown or from its last follows from what op(A) is.
#pragma tla algorithm shape(A(side == Left ? m : n, side == Left ? m : n), B(m, n)) \
    default(side : Left, uplo : Lower, op : NoTrans, diag : NonUnit, alpha : 1) \
    input(A : dominant, B : random) check(trsm(side, uplo, op, diag, alpha, A, B))
template <typename T>
void trsm(Side side, Uplo uplo, Op op, Diag diag, T alpha, tla::Matrix<T> A, tla::Matrix<T> B) {
  const bool lower = (uplo == Lower) == (op == NoTrans); // op(A) is lower triangular
  const int last = A.nt() - 1;
  if (side == Left) {
    for (int j = 0; j < B.nt(); ++j) {
      for (int s = 0; s < A.nt(); ++s) {
        const int k = lower ? s : last - s;
        #pragma tla task
        trsm(Left, uplo, op, diag, s == 0 ? alpha : T(1), A(k, k), B(k, j));
        for (int t = s + 1; t < A.nt(); ++t) {
          const int i = lower ? t : last - t;
          #pragma tla task
          gemm(op, NoTrans, T(-1), A(op == NoTrans ? i : k, op == NoTrans ? k : i), B(k, j), s == 0 ? alpha : T(1), B(i, j));
        }
      }
    }
  } else {
    for (int i = 0; i < B.mt(); ++i) {
      for (int s = 0; s < A.nt(); ++s) {
        const int k = lower ? last - s : s;
        #pragma tla task
        trsm(Right, uplo, op, diag, s == 0 ? alpha : T(1), A(k, k), B(i, k));
        for (int t = s + 1; t < A.nt(); ++t) {
          const int j = lower ? last - t : t;
          #pragma tla task
          gemm(NoTrans, op, T(-1), B(i, k), A(op == NoTrans ? k : j, op == NoTrans ? j : k), s == 0 ? alpha : T(1), B(i, j));
        }
      }
    }
  }
}
