#include <tla/tla.hpp>

/// X = the inverse of A, by steps X = 2 X - X A X (Schulz 1933) from X = scale I, which converge where the eigenvalues of
/// scale A are between 0 and 2.
#pragma tla algorithm shape(A(n, n), X(n, n)) requires(n >= 1 && steps >= 1) default(steps : 8, scale : 0.25) input(A : random)
template <typename T> void newton_schulz(tla::Matrix<T> A, tla::Matrix<T> X, int steps, T scale) {
  tla::Workspace<T> Y(A.m(), A.n(), A.nb()), Z(A.m(), A.n(), A.nb());
  for (int i = 0; i < A.mt(); ++i)
    for (int j = 0; j < A.nt(); ++j) {
      #pragma tla task
      laset(T(0), i == j ? scale : T(0), X(i, j));
    }
  for (int s = 0; s < steps; ++s) {
    for (int i = 0; i < A.mt(); ++i)
      for (int j = 0; j < A.nt(); ++j)
        for (int k = 0; k < A.nt(); ++k) {
          #pragma tla task
          gemm(NoTrans, NoTrans, T(1), A(i, k), X(k, j), k == 0 ? T(0) : T(1), Y(i, j));
        }
    for (int i = 0; i < A.mt(); ++i)
      for (int j = 0; j < A.nt(); ++j)
        for (int k = 0; k < A.nt(); ++k) {
          #pragma tla task
          gemm(NoTrans, NoTrans, T(1), X(i, k), Y(k, j), k == 0 ? T(0) : T(1), Z(i, j));
        }
    for (int i = 0; i < A.mt(); ++i)
      for (int j = 0; j < A.nt(); ++j) {
        #pragma tla task
        geadd(T(-1), Z(i, j), T(2), X(i, j));
      }
  }
}
