#include <tla/tla.hpp>

/// QR by tiles with one chain through all rows of nodes, as in [Song12].
#pragma tla algorithm shape(A(m, n), W(A.mt(), A.nt(), ib, A.nb())) default(ib : 1)
template <typename T>
void qr_flat(int ib, tla::Matrix<T> A, tla::Workspace<T> W) {
  for (int k = 0; k < min(A.mt(), A.nt()); ++k) {
    #pragma tla task
    geqrt(ib, A(k, k), W(k, k));
    for (int j = k + 1; j < A.nt(); ++j) {
      #pragma tla task
      unmqr(ConjTrans, ib, A(k, k).lower(), W(k, k), A(k, j));
    }
    for (int i = k + 1; i < A.mt(); ++i) {
      #pragma tla task
      tsqrt(ib, A(k, k).upper(), A(i, k), W(i, k));
      for (int j = k + 1; j < A.nt(); ++j) {
        #pragma tla task at(A(i, j))
        tsmqr(ConjTrans, ib, A(k, j), A(i, j), A(i, k), W(i, k));
      }
    }
  }
}
