#include <tla/tla.hpp>

#pragma tla algorithm shape(A(n, n))
template <typename T> void cholesky_tridiagonal(tla::LowerMatrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
    potrf(Lower, A(k, k));
    if (k + 1 < A.mt()) {
      #pragma tla task
      trsm(Right, Lower, ConjTrans, NonUnit, T(1), A(k, k), A(k + 1, k));
      #pragma tla task
      herk(Lower, NoTrans, -1, A(k + 1, k), 1, A(k + 1, k + 1));
    }
  }
}
