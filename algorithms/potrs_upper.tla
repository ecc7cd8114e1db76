#include <tla/tla.hpp>

/// B = (U^H * U)^-1 * B, in place, from a Cholesky factor U (LAPACK: potrs, uplo = 'U'):
/// U^H * Y = B from the top down, then U * X = Y from the bottom up.
#pragma tla algorithm shape(U(n, n), B(n, k)) default(k : 1) input(U : upper, B : random) check(potrs(U, B))
template <typename T>
void potrs_upper(tla::UpperMatrix<T> U, tla::Matrix<T> B) {
  for (int j = 0; j < B.nt(); ++j) {
    for (int k = 0; k < U.nt(); ++k) {
      #pragma tla task
      trsm(Left, Upper, ConjTrans, NonUnit, T(1), U(k, k), B(k, j));
      for (int i = k + 1; i < U.nt(); ++i) {
        #pragma tla task
        gemm(ConjTrans, NoTrans, T(-1), U(k, i), B(k, j), T(1), B(i, j));
      }
    }
    for (int k = U.nt() - 1; k >= 0; --k) {
      #pragma tla task
      trsm(Left, Upper, NoTrans, NonUnit, T(1), U(k, k), B(k, j));
      for (int i = 0; i < k; ++i) {
        #pragma tla task
        gemm(NoTrans, NoTrans, T(-1), U(i, k), B(k, j), T(1), B(i, j));
      }
    }
  }
}
