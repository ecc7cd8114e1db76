#include <tla/tla.hpp>

/// y = alpha * op(A) * x + beta * y (BLAS: gemv), op(A) = A, A^T or A^H, an m x n matrix.
#pragma tla algorithm shape(A(op == NoTrans ? m : n, op == NoTrans ? n : m), x(n, 1), y(m, 1)) \
    default(op : NoTrans, alpha : 1, beta : 1) input(A : random, x : random, y : random) \
    check(gemm(op, NoTrans, alpha, A, x, beta, y))
template <typename T>
void gemv(Op op, T alpha, tla::Matrix<T> A, tla::Matrix<T> x, T beta, tla::Matrix<T> y) {
  for (int i = 0; i < y.mt(); ++i) {
    if (x.mt() == 0) {
      #pragma tla task
      scal(beta, y(i, 0));
    }
    for (int k = 0; k < x.mt(); ++k) {
      if (op == NoTrans) {
        #pragma tla task bound(memory)
        gemm(op, NoTrans, alpha, A(i, k), x(k, 0), k == 0 ? beta : T(1), y(i, 0));
      } else {
        #pragma tla task bound(memory)
        gemm(op, NoTrans, alpha, A(k, i), x(k, 0), k == 0 ? beta : T(1), y(i, 0));
      }
    }
  }
}
