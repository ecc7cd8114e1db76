#include <tla/tla.hpp>

/// C = alpha * A * B + beta * C (side = Left) or alpha * B * A + beta * C (Right), where A is symmetric and one of its
/// triangles is stored (BLAS: symm).
#pragma tla algorithm shape(A(side == Left ? m : n, side == Left ? m : n), B(m, n), C(m, n)) \
    default(side : Left, uplo : Lower, alpha : 1, beta : 1) \
    input(A : random, B : random, C : random) check(symm(side, uplo, alpha, A, B, beta, C))
template <typename T>
void symm(Side side, Uplo uplo, T alpha, tla::Matrix<T> A, tla::Matrix<T> B, T beta, tla::Matrix<T> C) {
  for (int i = 0; i < C.mt(); ++i) {
    for (int j = 0; j < C.nt(); ++j) {
      for (int k = 0; k < A.nt(); ++k) {
        if (side == Left && k == i) {
          #pragma tla task
          symm(side, uplo, alpha, A(i, i), B(i, j), k == 0 ? beta : T(1), C(i, j));
        } else if (side == Left && (uplo == Lower) == (k < i)) {
          #pragma tla task
          gemm(NoTrans, NoTrans, alpha, A(i, k), B(k, j), k == 0 ? beta : T(1), C(i, j));
        } else if (side == Left) {
          #pragma tla task
          gemm(Trans, NoTrans, alpha, A(k, i), B(k, j), k == 0 ? beta : T(1), C(i, j));
        } else if (k == j) {
          #pragma tla task
          symm(side, uplo, alpha, A(j, j), B(i, j), k == 0 ? beta : T(1), C(i, j));
        } else if ((uplo == Lower) == (j < k)) {
          #pragma tla task
          gemm(NoTrans, NoTrans, alpha, B(i, k), A(k, j), k == 0 ? beta : T(1), C(i, j));
        } else {
          #pragma tla task
          gemm(NoTrans, Trans, alpha, B(i, k), A(j, k), k == 0 ? beta : T(1), C(i, j));
        }
      }
    }
  }
}
