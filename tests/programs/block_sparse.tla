#include <tla/tla.hpp>

/// A = L * L^H of a sparse Hermitian positive definite A, of which the tiles are there that L has: --pattern A=FILE,fill.
#pragma tla algorithm input(A : spd) check(llt(A))
template <typename T>
void block_sparse(tla::LowerMatrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
    potrf(Lower, A(k, k));
    for (int i = k + 1; i < A.mt(); ++i)
      if (A.has(i, k)) {
        #pragma tla task
        trsm(Right, Lower, ConjTrans, NonUnit, T(1), A(k, k), A(i, k));
      }
    for (int j = k + 1; j < A.nt(); ++j)
      if (A.has(j, k)) {
        #pragma tla task
        herk(Lower, NoTrans, -1, A(j, k), 1, A(j, j));
        for (int i = j + 1; i < A.mt(); ++i)
          if (A.has(i, k)) {
            #pragma tla task
            gemm(NoTrans, ConjTrans, T(-1), A(i, k), A(j, k), T(1), A(i, j));
          }
      }
  }
}
