// A matrix by a generator of one's own, squared, and judged by an algorithm of one's own.
#include "spread.hpp"

/// r = |C - scale op(A) A| / (size n^(1/2) eps), Frobenius norm.
#pragma tla algorithm shape(A(n, n), C(n, n), r(1, 1)) requires(op == NoTrans)
template <typename T>
void square_residual(tla::Op op, T scale, tla::Matrix<T> A, tla::Matrix<T> C, int size, tla::Matrix<T> r) {
  tla::Workspace<T> D(A.m(), A.n(), A.nb());
  #pragma tla task
  clear(r(0, 0));
  for (int i = 0; i < A.mt(); ++i)
    for (int j = 0; j < A.nt(); ++j) {
      for (int k = 0; k < A.nt(); ++k) {
        #pragma tla task
        gemm(NoTrans, NoTrans, scale, A(i, k), A(k, j), k == 0 ? T(0) : T(1), D(i, j));
      }
      #pragma tla task
      geadd(T(-1), C(i, j), T(1), D(i, j));
      #pragma tla task
      addToNorm(D(i, j), r(0, 0));
    }
  #pragma tla task
  scaleResidual(size, r(0, 0));
}

#pragma tla algorithm shape(A(n, n), C(n, n)) input(A : tridiagonal(4)) check(user(square_residual(NoTrans, 2, before(A), C, 3)))
template <typename T> void own_check(tla::Matrix<T> A, tla::Matrix<T> C) {
  for (int i = 0; i < A.mt(); ++i)
    for (int j = 0; j < A.nt(); ++j)
      for (int k = 0; k < A.nt(); ++k) {
        #pragma tla task
        gemm(NoTrans, NoTrans, T(2), A(i, k), A(k, j), k == 0 ? T(0) : T(1), C(i, j));
      }
}
