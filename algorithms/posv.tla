#include "cholesky.tla"
#include "potrs.tla"

/// Solves A * X = B for a Hermitian positive definite A (LAPACK: posv, uplo = 'L'): A is overwritten by its Cholesky
/// factor L, B by the solution X. Written as mathematics writes it, by composition; the solves start while
/// the factorization is still running.
#pragma tla algorithm shape(A(n, n), B(n, k)) default(k : 1) input(A : spd, B : random) check(solve(A, B))
template <typename T>
void posv(tla::LowerMatrix<T> A, tla::Matrix<T> B) {
  cholesky(A);
  potrs(A, B);
}
