// A loop that ends when nothing changes any more, with buffers that change places.
#include "settling.hpp"

/// Z = the solution of A X = B, by Jacobi's iteration from X on, until no element changes by `tolerance` or more, in at
/// most `sweeps` steps.
#pragma tla algorithm shape(A(n, n), B(n, k), X(n, k), Z(n, k)) default(k : 3, sweeps : 200, tolerance : 1e-13) \
    input(A : dominant, B : random, X : zero)
template <typename T>
void until_settled(int sweeps, T tolerance, tla::Matrix<T> A, tla::Matrix<T> B, tla::Matrix<T> X, tla::Matrix<T> Z) {
  tla::Workspace<T> V(X.m(), X.n(), X.nb()), W(X.m(), X.n(), X.nb()), r(1, 1, 1, 1);
  tla::Matrix<T> from = V, to = W;
  for (int j = 0; j < X.nt(); ++j)
    for (int i = 0; i < X.mt(); ++i) {
      #pragma tla task
      geadd(T(1), X(i, j), T(0), V(i, j));
    }
  for (int s = 0; s < sweeps; ++s) {
    #pragma tla task
    laset(T(0), T(0), r(0, 0));
    for (int j = 0; j < to.nt(); ++j)
      for (int i = 0; i < to.mt(); ++i) {
        #pragma tla task
        geadd(T(1), B(i, j), T(0), to(i, j));
        for (int l = 0; l < A.nt(); ++l) {
          #pragma tla task
          gemm(NoTrans, NoTrans, T(-1), A(i, l), from(l, j), T(1), to(i, j));
        }
        #pragma tla task
        correct(A(i, i), from(i, j), to(i, j));
        #pragma tla task
        furthest(from(i, j), to(i, j), r(0, 0));
      }
    swap(from, to);
    if (tla::value(r) < tolerance)
      break;
  }
  for (int j = 0; j < Z.nt(); ++j)
    for (int i = 0; i < Z.mt(); ++i) {
      #pragma tla task
      geadd(T(1), from(i, j), T(0), Z(i, j));
    }
}
