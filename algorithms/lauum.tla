#pragma once
#include <tla/tla.hpp>

/// A = L^H * L (uplo = Lower) or U * U^H (Upper), in place, for a triangular A; one triangle of the Hermitian product
/// overwrites the factor, whose diagonal is real (LAPACK: lauum).
#pragma tla algorithm shape(A(n, n)) default(uplo : Lower) input(A : dominant) check(lauum(uplo, A))
template <typename T>
void lauum(Uplo uplo, tla::Matrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
    for (int j = 0; j < k; ++j) {
      if (uplo == Lower) {
        #pragma tla task
        herk(Lower, ConjTrans, 1, A(k, j), 1, A(j, j));
        for (int i = j + 1; i < k; ++i) {
          #pragma tla task
          gemm(ConjTrans, NoTrans, T(1), A(k, i), A(k, j), T(1), A(i, j));
        }
      } else {
        #pragma tla task
        herk(Upper, NoTrans, 1, A(j, k), 1, A(j, j));
        for (int i = j + 1; i < k; ++i) {
          #pragma tla task
          gemm(NoTrans, ConjTrans, T(1), A(j, k), A(i, k), T(1), A(j, i));
        }
      }
    }
    for (int j = 0; j < k; ++j) {
      if (uplo == Lower) {
        #pragma tla task
        trmm(Left, Lower, ConjTrans, NonUnit, T(1), A(k, k), A(k, j));
      } else {
        #pragma tla task
        trmm(Right, Upper, ConjTrans, NonUnit, T(1), A(k, k), A(j, k));
      }
    }
    #pragma tla task
    lauum(uplo, A(k, k));
  }
}
