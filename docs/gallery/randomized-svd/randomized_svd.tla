#include "jacobi.hpp"

/// Y = the Q of Y = Q R, and R in the first tile of its workspace: a chain down the one column of tiles, as in qr.tla.
#pragma tla algorithm shape(Y(m, n), R(m, n, Y.nb())) requires(n >= 1, m >= n, n <= Y.nb())
template <typename T> void orthonormalize(int ib, tla::Matrix<T> Y, tla::Workspace<T> R) {
  tla::Workspace<T> W(Y.mt(), 1, ib, Y.nb());
  for (int i = 0; i < Y.mt(); ++i) {
    #pragma tla task
    geadd(T(1), Y(i, 0), T(0), R(i, 0));
    #pragma tla task
    laset(T(0), i == 0 ? T(1) : T(0), Y(i, 0));
  }
  #pragma tla task
  geqrt(ib, R(0, 0), W(0, 0));
  for (int i = 1; i < Y.mt(); ++i) {
    #pragma tla task
    tsqrt(ib, R(0, 0).upper(), R(i, 0), W(i, 0));
  }
  for (int i = Y.mt() - 1; i > 0; --i) {
    #pragma tla task
    tsmqr(NoTrans, ib, Y(0, 0), Y(i, 0), R(i, 0), W(i, 0));
  }
  #pragma tla task
  unmqr(NoTrans, ib, R(0, 0).lower(), W(0, 0), Y(0, 0));
}

/// A = U diag(s) V^T, nearly, with the k largest singular values of A: A times a random G says well enough what A's columns span
/// (Halko, Martinsson & Tropp, SIAM Review 53, 2011). The last some of the k are not to be relied upon.
#pragma tla algorithm shape(A(m, n), G(n, k), U(m, k), s(k, 1), V(n, k)) \
    requires(k >= 1, k <= m, k <= n, k <= A.nb()) default(k : 16, ib : 16) input(A : random, G : random)
template <typename T>
void randomized_svd(int ib, tla::Matrix<T> A, tla::Matrix<T> G, tla::Matrix<T> U, tla::Matrix<T> s, tla::Matrix<T> V) {
  tla::Workspace<T> Y(A.m(), G.n(), A.nb()), Z(A.n(), G.n(), A.nb()); // orthonormal: A = Y Y^T A, nearly, and Y^T A = R^T Z^T
  tla::Workspace<T> S(A.m(), G.n(), A.nb()), R(A.n(), G.n(), A.nb());
  tla::Workspace<T> C(1, 1, G.n(), G.n()), D(1, 1, G.n(), G.n());
  for (int i = 0; i < A.mt(); ++i)
    for (int l = 0; l < A.nt(); ++l) {
      #pragma tla task
      gemm(NoTrans, NoTrans, T(1), A(i, l), G(l, 0), l == 0 ? T(0) : T(1), Y(i, 0));
    }
  orthonormalize(ib, Y, S);
  for (int i = 0; i < A.nt(); ++i)
    for (int l = 0; l < A.mt(); ++l) {
      #pragma tla task
      gemm(Trans, NoTrans, T(1), A(l, i), Y(l, 0), l == 0 ? T(0) : T(1), Z(i, 0));
    }
  orthonormalize(ib, Z, R);
  #pragma tla task
  jacobi(R(0, 0), C(0, 0), s(0, 0), D(0, 0)); // R^T = C diag(s) D^T
  for (int i = 0; i < A.mt(); ++i) {
    #pragma tla task
    gemm(NoTrans, NoTrans, T(1), Y(i, 0), C(0, 0), T(0), U(i, 0));
  }
  for (int i = 0; i < A.nt(); ++i) {
    #pragma tla task
    gemm(NoTrans, NoTrans, T(1), Z(i, 0), D(0, 0), T(0), V(i, 0));
  }
}
