#include <tla/tla.hpp>

/// A = L * U, in place, without pivoting: for matrices that need none, such as diagonally dominant ones. L is unit lower
/// triangular. info = j: pivot j is zero.
#pragma tla algorithm input(A : dominant) check(lu(A))
template <typename T>
void getrf_nopiv(tla::Matrix<T> A) {
  for (int k = 0; k < min(A.mt(), A.nt()); ++k) {
    #pragma tla task
    getrf_nopiv(A(k, k));
    for (int i = k + 1; i < A.mt(); ++i) {
      #pragma tla task
      trsm(Right, Upper, NoTrans, NonUnit, T(1), A(k, k), A(i, k));
    }
    for (int j = k + 1; j < A.nt(); ++j) {
      #pragma tla task
      trsm(Left, Lower, NoTrans, Unit, T(1), A(k, k), A(k, j));
      for (int i = k + 1; i < A.mt(); ++i) {
        #pragma tla task
        gemm(NoTrans, NoTrans, T(-1), A(i, k), A(k, j), T(1), A(i, j));
      }
    }
  }
}
