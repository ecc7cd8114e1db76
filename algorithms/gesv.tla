#include "getrf.tla"

/// Solves A * X = B for a general square A (LAPACK: gesv): A is overwritten by its factors L and U, ipiv by the pivots, B
/// by the solution X; where a column of tiles lies on one row of nodes, the solves start while the factorization is still
/// running. info = j: U(j, j) is zero, A is singular, and B holds no solution.
#pragma tla algorithm shape(A(n, n), ipiv(n, 1), B(n, k)) default(k : 1) input(A : random, B : random) check(solve(A, B))
template <typename T>
void gesv(tla::Matrix<T> A, tla::Matrix<int> ipiv, tla::Matrix<T> B) {
  getrf(A, ipiv);
  getrs(NoTrans, A, ipiv, B);
}
