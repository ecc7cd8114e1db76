#include <tla/tla.hpp>

/// A = L * D * L^H, in place, without pivoting, for a Hermitian A whose leading minors are not zero: L is unit lower
/// triangular, D real diagonal. info = j: pivot j is zero.
///
/// W holds L * D, so that the updates of the trailing matrix are products of two tiles.
#pragma tla algorithm input(A : spd) check(ldl(A))
template <typename T>
void ldlt_nopiv(tla::LowerMatrix<T> A) {
  tla::Workspace<T> W(A.m(), A.n(), A.nb());
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
    hetrf_nopiv(A(k, k));
    for (int i = k + 1; i < A.mt(); ++i) {
      #pragma tla task
      trsm(Right, Lower, ConjTrans, Unit, T(1), A(k, k), A(i, k));
      #pragma tla task
      scaleByPivots(A(k, k), A(i, k), W(i, k));
    }
    for (int j = k + 1; j < A.nt(); ++j) {
      for (int i = j + 1; i < A.mt(); ++i) {
        #pragma tla task
        gemm(NoTrans, ConjTrans, T(-1), A(i, k), W(j, k), T(1), A(i, j));
      }
      #pragma tla task release(W(j, k))
      gemmt(Lower, NoTrans, ConjTrans, T(-1), A(j, k), W(j, k), T(1), A(j, j));
    }
  }
}
