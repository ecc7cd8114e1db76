// Triangles of a workspace and of a matrix as parameters of algorithms that others wrote.
#include "../../algorithms/cholesky_upper.tla"
#include "../../algorithms/posv.tla"

/// X = (A^H A)^-1 A^H B: least squares by the normal equations, whose matrix is formed and factorized in a workspace. The
/// upper triangle of S becomes its Cholesky factor, the rest of S stays.
#pragma tla algorithm shape(A(m, n), B(m, k), X(n, k), S(n, n)) default(k : 2) requires(n <= m, n >= 1) \
    input(A : random, B : random, X : zero, S : spd)
template <typename T> void scratch_cholesky(tla::Matrix<T> A, tla::Matrix<T> B, tla::Matrix<T> X, tla::Matrix<T> S) {
  tla::Workspace<T> G(A.n(), A.n(), A.nb());
  for (int j = 0; j < G.nt(); ++j)
    for (int i = j; i < G.mt(); ++i)
      for (int l = 0; l < A.mt(); ++l) {
        #pragma tla task
        gemm(ConjTrans, NoTrans, T(1), A(l, i), A(l, j), l == 0 ? T(0) : T(1), G(i, j));
      }
  for (int j = 0; j < X.nt(); ++j)
    for (int i = 0; i < X.mt(); ++i)
      for (int l = 0; l < A.mt(); ++l) {
        #pragma tla task
        gemm(ConjTrans, NoTrans, T(1), A(l, i), B(l, j), l == 0 ? T(0) : T(1), X(i, j));
      }
  posv(tla::LowerMatrix(G), X);
  const tla::UpperMatrix<T> U(S);
  cholesky_upper(U);
}
