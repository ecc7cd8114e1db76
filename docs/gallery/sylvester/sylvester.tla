#include "sylvester_tile.hpp"

/// Solves A * X + X * B = C for upper triangular A and B; C is overwritten by X (LAPACK: trsyl).
#pragma tla algorithm shape(A(m, m), B(n, n), C(m, n)) input(A : upper, B : upper, C : random)
template <typename T>
void sylvester(tla::UpperMatrix<T> A, tla::UpperMatrix<T> B, tla::Matrix<T> C) {
  for (int j = 0; j < C.nt(); ++j) {
    for (int i = C.mt() - 1; i >= 0; --i) {
      #pragma tla task
      sylvesterTile(A(i, i), B(j, j), C(i, j));
      for (int l = 0; l < i; ++l) {
        #pragma tla task
        gemm(NoTrans, NoTrans, T(-1), A(l, i), C(i, j), T(1), C(l, j));
      }
      for (int l = j + 1; l < C.nt(); ++l) {
        #pragma tla task
        gemm(NoTrans, NoTrans, T(-1), C(i, j), B(j, l), T(1), C(i, l));
      }
    }
  }
}
