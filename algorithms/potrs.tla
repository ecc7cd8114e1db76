#include <tla/tla.hpp>

/// B = (L * L^H)^-1 * B, in place, from a Cholesky factor L (LAPACK: potrs, uplo = 'L'):
/// L * Y = B from the top down, then L^H * X = Y from the bottom up.
#pragma tla algorithm shape(L(n, n), B(n, k)) default(k : 1) input(L : lower, B : random) check(potrs(L, B))
template <typename T>
void potrs(tla::LowerMatrix<T> L, tla::Matrix<T> B) {
  for (int j = 0; j < B.nt(); ++j) {
    for (int k = 0; k < L.nt(); ++k) {
      #pragma tla task
      trsm(Left, Lower, NoTrans, NonUnit, T(1), L(k, k), B(k, j));
      for (int i = k + 1; i < L.mt(); ++i) {
        #pragma tla task
        gemm(NoTrans, NoTrans, T(-1), L(i, k), B(k, j), T(1), B(i, j));
      }
    }
    for (int k = L.nt() - 1; k >= 0; --k) {
      #pragma tla task
      trsm(Left, Lower, ConjTrans, NonUnit, T(1), L(k, k), B(k, j));
      for (int i = 0; i < k; ++i) {
        #pragma tla task
        gemm(ConjTrans, NoTrans, T(-1), L(k, i), B(k, j), T(1), B(i, j));
      }
    }
  }
}
