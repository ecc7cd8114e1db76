// Buffers that change places: two of Jacobi's iteration, three of a recurrence of three terms.
#include "sweeps.hpp"

/// X becomes `sweeps` steps of Jacobi's iteration for A X = B from X on; Z = P(5), where P(0) = 0, P(1) = Z and
/// P(t + 1) = A P(t) / 16 - P(t - 1).
#pragma tla algorithm shape(A(n, n), B(n, k), X(n, k), Z(n, k)) default(k : 3, sweeps : 5) requires(sweeps >= 0) \
    input(A : dominant, B : random, X : zero, Z : random)
template <typename T>
void two_buffers(int sweeps, tla::Matrix<T> A, tla::Matrix<T> B, tla::Matrix<T> X, tla::Matrix<T> Z) {
  tla::Workspace<T> W(X.m(), X.n(), X.nb());
  tla::Matrix<T> from = X, to = W;
  for (int s = 0; s < sweeps; ++s) {
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
      }
    swap(from, to);
  }
  if (sweeps % 2 != 0)
    for (int j = 0; j < X.nt(); ++j)
      for (int i = 0; i < X.mt(); ++i) {
        #pragma tla task
        geadd(T(1), from(i, j), T(0), X(i, j));
      }

  tla::Workspace<T> U(Z.m(), Z.n(), Z.nb()), V(Z.m(), Z.n(), Z.nb());
  tla::Matrix<T> before = U, now = Z, next = V;
  for (int j = 0; j < Z.nt(); ++j)
    for (int i = 0; i < Z.mt(); ++i) {
      #pragma tla task
      laset(T(0), T(0), before(i, j));
    }
  for (int t = 4; t > 0; --t) {
    for (int j = 0; j < Z.nt(); ++j)
      for (int i = 0; i < Z.mt(); ++i) {
        #pragma tla task
        geadd(T(-1), before(i, j), T(0), next(i, j));
        for (int l = 0; l < A.nt(); ++l) {
          #pragma tla task
          gemm(NoTrans, NoTrans, T(0.0625), A(i, l), now(l, j), T(1), next(i, j));
        }
      }
    swap(before, now);
    swap(now, next);
  }
  for (int j = 0; j < Z.nt(); ++j)
    for (int i = 0; i < Z.mt(); ++i) {
      #pragma tla task
      geadd(T(1), now(i, j), T(0), Z(i, j));
    }
}
