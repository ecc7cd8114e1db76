#include <tla/tla.hpp>

/// The first tile row of B = A^H A, for a tall A in blocks of b tiles.
#pragma tla algorithm shape(A(m, n), B(n, n)) requires(n <= m, n >= 1, b >= 1)
template <typename T> void gram(int b, tla::Matrix<T> A, tla::Matrix<T> B) {
  for (int j = 0; j < B.nt(); ++j)
    for (int i = 0; i < B.mt(); i += b) {
      #pragma tla task
      gemm(ConjTrans, NoTrans, T(1), A(j, i), A(j, j), T(0), B(i, j));
    }
}

/// Twice, with the sizes by other names: each requires what gram does, of its own arguments.
#pragma tla algorithm shape(A(m, n), X(n, k), B(n, n), Y(k, k)) default(step : 1) input(A : random, X : random, B : zero, Y : zero)
template <typename T>
void called_requirements(int step, tla::Matrix<T> A, tla::Matrix<T> X, tla::Matrix<T> B, tla::Matrix<T> Y) {
  gram(step, A, B);
  if (step == 1) {
    gram(1, X, Y);
  }
}
