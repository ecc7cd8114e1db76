// LQ, right-hand sides on the right and an upper factor, by algorithms that have none of these: each is called with a
// conjugate transpose.
#include "../../algorithms/posv.tla"
#include "../../algorithms/qr.tla"

/// X = A^H (A A^H)^-1 B, the solution of A X = B with the least norm, by A = L Q, of which A^H = Q^H L^H is a QR
/// factorization: L replaces the lower triangle of A. D becomes D S^-1, by the Cholesky factor of S, which replaces its
/// lower triangle; and U's upper triangle becomes its upper factor.
#pragma tla algorithm shape(A(m, n), B(m, k), X(n, k), D(k, m), S(m, m), U(m, m)) requires(m <= n, m >= 1) \
    input(A : random, B : random, X : zero, D : random, S : spd, U : spd)
template <typename T>
void transposed_views(tla::Matrix<T> A, tla::Matrix<T> B, tla::Matrix<T> X, tla::Matrix<T> D, tla::LowerMatrix<T> S,
                      tla::UpperMatrix<T> U) {
  tla::Workspace<T> W(A.nt(), A.mt(), 4, A.nb()), V(A.q() > 1 ? A.nt() : 0, A.mt(), 4, A.nb());
  qr(4, conjTrans(A), W, V);

  for (int j = 0; j < X.nt(); ++j) {
    for (int i = 0; i < X.mt(); ++i) {
      #pragma tla task
      laset(T(0), T(0), X(i, j));
    }
    for (int i = 0; i < B.mt(); ++i) { // rows 0 .. m - 1 of X = L^-1 B
      const int rows = min(B.mb(), B.m() - i * B.mb());
      #pragma tla task
      geadd(T(1), B(i, j), T(0), X(i, j).rows(0, rows));
      for (int l = 0; l < i; ++l) {
        #pragma tla task
        gemm(NoTrans, NoTrans, T(-1), A(i, l), X(l, j), T(1), X(i, j).rows(0, rows));
      }
      #pragma tla task // of L^H, which is upper triangular
      trsm(Left, Upper, ConjTrans, NonUnit, T(1), conjTrans(A(i, i)).rows(0, rows), X(i, j).rows(0, rows));
    }
  }
  qr_apply(NoTrans, 4, conjTrans(A), W, V, X);

  posv(S, conjTrans(D));
  cholesky(conjTrans(U));
}
