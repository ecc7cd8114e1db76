// Two precisions in one program.
#include "../../algorithms/posv.tla"
#include "precisions.hpp"

/// Solves A X = B for a positive definite A: it is factorized in float, and the solution corrected so often by residuals
/// that are computed in T (LAPACK: dsposv, with a fixed number of steps).
#pragma tla algorithm shape(A(n, n), B(n, k), X(n, k)) default(k : 2, steps : 4) requires(steps >= 0) \
    input(A : spd, B : random, X : zero)
template <typename T>
void d_and_s_mixed(int steps, tla::LowerMatrix<T> A, tla::Matrix<T> B, tla::Matrix<T> X) {
  tla::Workspace<float> F(A.m(), A.n(), A.nb()), D(X.m(), X.n(), X.nb());
  tla::Workspace<T> R(X.m(), X.n(), X.nb());
  const tla::LowerMatrix L(F);
  for (int j = 0; j < A.nt(); ++j)
    for (int i = j; i < A.mt(); ++i) {
      #pragma tla task
      narrow(A(i, j), L(i, j));
    }
  cholesky(L);
  for (int j = 0; j < X.nt(); ++j)
    for (int i = 0; i < X.mt(); ++i) {
      #pragma tla task
      laset(T(0), T(0), X(i, j));
    }
  for (int step = 0; step <= steps; ++step) {
    for (int j = 0; j < X.nt(); ++j)
      for (int i = 0; i < X.mt(); ++i) {
        #pragma tla task
        geadd(T(1), B(i, j), T(0), R(i, j));
        for (int l = 0; l < i; ++l) {
          #pragma tla task
          gemm(NoTrans, NoTrans, T(-1), A(i, l), X(l, j), T(1), R(i, j));
        }
        #pragma tla task
        hemm(Left, Lower, T(-1), A(i, i), X(i, j), T(1), R(i, j));
        for (int l = i + 1; l < A.mt(); ++l) {
          #pragma tla task
          gemm(ConjTrans, NoTrans, T(-1), A(l, i), X(l, j), T(1), R(i, j));
        }
        #pragma tla task
        narrow(R(i, j), D(i, j));
      }
    potrs(L, D);
    for (int j = 0; j < X.nt(); ++j)
      for (int i = 0; i < X.mt(); ++i) {
        #pragma tla task
        addWidened(D(i, j), X(i, j));
      }
  }
}
