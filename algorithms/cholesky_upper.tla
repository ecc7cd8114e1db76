#include <tla/tla.hpp>

/// A = U^H * U, in place, for a Hermitian positive definite A (LAPACK: potrf, uplo = 'U').
#pragma tla algorithm input(A : spd) check(llt(A))
template <typename T>
void cholesky_upper(tla::UpperMatrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
    potrf(Upper, A(k, k));
    for (int j = k + 1; j < A.nt(); ++j) {
      #pragma tla task
      trsm(Left, Upper, ConjTrans, NonUnit, T(1), A(k, k), A(k, j));
    }
    for (int j = k + 1; j < A.nt(); ++j) {
      #pragma tla task
      herk(Upper, ConjTrans, -1, A(k, j), 1, A(j, j));
      for (int i = k + 1; i < j; ++i) {
        #pragma tla task
        gemm(ConjTrans, NoTrans, T(-1), A(k, i), A(k, j), T(1), A(i, j));
      }
    }
  }
}
