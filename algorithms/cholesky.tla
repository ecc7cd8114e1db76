#include <tla/tla.hpp>

/// A = L * L^H, in place, for a Hermitian positive definite A (LAPACK: potrf, uplo = 'L').
#pragma tla algorithm input(A : spd) check(llt(A))
template <typename T>
void cholesky(tla::LowerMatrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
    potrf(Lower, A(k, k));
    for (int i = k + 1; i < A.mt(); ++i) {
      #pragma tla task
      trsm(Right, Lower, ConjTrans, NonUnit, T(1), A(k, k), A(i, k));
    }
    for (int j = k + 1; j < A.nt(); ++j) {
      #pragma tla task
      herk(Lower, NoTrans, -1, A(j, k), 1, A(j, j));
      for (int i = j + 1; i < A.mt(); ++i) {
        #pragma tla task
        gemm(NoTrans, ConjTrans, T(-1), A(i, k), A(j, k), T(1), A(i, j));
      }
    }
  }
}
