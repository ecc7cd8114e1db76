#include <tla/tla.hpp>

/// A = Q * R by tiles down the columns, without a tree, as [Song12] has it (Buttari, Langou, Kurzak & Dongarra, Parallel Computing
/// 35, 2009): what algorithms/qr.tla does on one row of nodes, here on any. For tools/figures; it does not give Q.
#pragma tla algorithm shape(A(m, n), W(A.mt(), A.nt(), ib, A.nb())) default(ib : 32) input(A : random)
template <typename T>
void flat_qr(int ib, tla::Matrix<T> A, tla::Workspace<T> W) {
  for (int k = 0; k < min(A.mt(), A.nt()); ++k) {
    #pragma tla task
    geqrt(ib, A(k, k), W(k, k));
    for (int j = k + 1; j < A.nt(); ++j) {
      #pragma tla task
      unmqr(ConjTrans, ib, A(k, k).lower(), W(k, k), A(k, j));
    }
    for (int r = k + 1; r < A.mt(); ++r) {
      #pragma tla task
      tsqrt(ib, A(k, k).upper(), A(r, k), W(r, k));
      for (int j = k + 1; j < A.nt(); ++j) {
        #pragma tla task at(A(r, j))
        tsmqr(ConjTrans, ib, A(k, j), A(r, j), A(r, k), W(r, k));
      }
    }
  }
}
