// A loop that ends in the middle of an iteration.
#include "settling.hpp"

/// X = the inverse of A, by steps X = 2 X - X A X (Schulz 1933) from X = scale A' on, until A X is I to `tolerance`, in at
/// most `steps`; r(0, 0) is how far A X is from I in the end.
#pragma tla algorithm shape(A(n, n), X(n, n), r(1, 1)) requires(n >= 1) \
    default(steps : 60, scale : 1, tolerance : 1e-13) input(A : dominant)
template <typename T>
void newton_until(int steps, T scale, T tolerance, tla::Matrix<T> A, tla::Matrix<T> X, tla::Matrix<T> r) {
  tla::Workspace<T> Y(A.m(), A.n(), A.nb()), Z(A.m(), A.n(), A.nb());
  for (int j = 0; j < A.nt(); ++j)
    for (int i = 0; i < A.mt(); ++i) {
      #pragma tla task
      laset(T(0), i == j ? scale : T(0), X(i, j));
    }
  for (int s = steps; s > 0; s -= 2) {
    #pragma tla task
    laset(T(0), T(0), r(0, 0));
    for (int j = 0; j < A.nt(); ++j)
      for (int i = 0; i < A.mt(); ++i) {
        for (int k = 0; k < A.nt(); ++k) {
          #pragma tla task
          gemm(NoTrans, NoTrans, T(1), A(i, k), X(k, j), k == 0 ? T(0) : T(1), Y(i, j));
        }
        #pragma tla task
        departure(i == j, Y(i, j), r(0, 0));
      }
    if (tla::value(r) < tolerance) {
      break;
    }
    for (int j = 0; j < A.nt(); ++j)
      for (int i = 0; i < A.mt(); ++i)
        for (int k = 0; k < A.nt(); ++k) {
          #pragma tla task
          gemm(NoTrans, NoTrans, T(1), X(i, k), Y(k, j), k == 0 ? T(0) : T(1), Z(i, j));
        }
    for (int j = 0; j < A.nt(); ++j)
      for (int i = 0; i < A.mt(); ++i) {
        #pragma tla task
        geadd(T(-1), Z(i, j), T(2), X(i, j));
      }
  }
}
