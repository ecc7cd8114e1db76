#include <tla/tla.hpp>

/// B = alpha * op(A) * B (side = Left) or alpha * B * op(A) (Right), in place (BLAS: trmm). Of A one triangle counts, with
/// ones on its diagonal if diag = Unit. A tile of B is overwritten once no other tile needs what it held.
#pragma tla algorithm shape(A(side == Left ? m : n, side == Left ? m : n), B(m, n)) \
    default(side : Left, uplo : Lower, op : NoTrans, diag : NonUnit, alpha : 1) \
    input(A : random, B : random) check(trmm(side, uplo, op, diag, alpha, A, B))
template <typename T>
void trmm(Side side, Uplo uplo, Op op, Diag diag, T alpha, tla::Matrix<T> A, tla::Matrix<T> B) {
  const bool lower = (uplo == Lower) == (op == NoTrans); // op(A) is lower triangular
  const int last = A.nt() - 1;
  if (side == Left) {
    for (int j = 0; j < B.nt(); ++j) {
      for (int s = 0; s < A.nt(); ++s) {
        const int i = lower ? last - s : s;
        #pragma tla task
        trmm(Left, uplo, op, diag, alpha, A(i, i), B(i, j));
        for (int t = s + 1; t < A.nt(); ++t) {
          const int k = lower ? last - t : t;
          #pragma tla task
          gemm(op, NoTrans, alpha, A(op == NoTrans ? i : k, op == NoTrans ? k : i), B(k, j), T(1), B(i, j));
        }
      }
    }
  } else {
    for (int i = 0; i < B.mt(); ++i) {
      for (int s = 0; s < A.nt(); ++s) {
        const int j = lower ? s : last - s;
        #pragma tla task
        trmm(Right, uplo, op, diag, alpha, A(j, j), B(i, j));
        for (int t = s + 1; t < A.nt(); ++t) {
          const int k = lower ? t : last - t;
          #pragma tla task
          gemm(NoTrans, op, alpha, B(i, k), A(op == NoTrans ? k : j, op == NoTrans ? j : k), T(1), B(i, j));
        }
      }
    }
  }
}
