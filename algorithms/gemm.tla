#include <tla/tla.hpp>

/// C = alpha * op(A) * op(B) + beta * C (BLAS: gemm), op(X) = X, X^T or X^H; op(A) is m x k, op(B) is k x n.
#pragma tla algorithm shape(A(opA == NoTrans ? m : k, opA == NoTrans ? k : m), \
                            B(opB == NoTrans ? k : n, opB == NoTrans ? n : k), C(m, n)) \
    default(opA : NoTrans, opB : NoTrans, alpha : 1, beta : 1) \
    input(A : random, B : random, C : random) check(gemm(opA, opB, alpha, A, B, beta, C))
template <typename T>
void gemm(Op opA, Op opB, T alpha, tla::Matrix<T> A, tla::Matrix<T> B, T beta, tla::Matrix<T> C) {
  const int kt = opA == NoTrans ? A.nt() : A.mt();
  for (int i = 0; i < C.mt(); ++i) {
    for (int j = 0; j < C.nt(); ++j) {
      if (kt == 0) {
        #pragma tla task
        scal(beta, C(i, j));
      }
      for (int l = 0; l < kt; ++l) {
        if (opA == NoTrans && opB == NoTrans) {
          #pragma tla task
          gemm(opA, opB, alpha, A(i, l), B(l, j), l == 0 ? beta : T(1), C(i, j));
        } else if (opA == NoTrans) {
          #pragma tla task
          gemm(opA, opB, alpha, A(i, l), B(j, l), l == 0 ? beta : T(1), C(i, j));
        } else if (opB == NoTrans) {
          #pragma tla task
          gemm(opA, opB, alpha, A(l, i), B(l, j), l == 0 ? beta : T(1), C(i, j));
        } else {
          #pragma tla task
          gemm(opA, opB, alpha, A(l, i), B(j, l), l == 0 ? beta : T(1), C(i, j));
        }
      }
    }
  }
}
