// RUN: not %hetc check --algorithm wrong %s 2>&1 | FileCheck %s
// RUN: %hetc check --algorithm right %s
#include <tla/tla.hpp>

#pragma tla kernel
template <typename T> void make(tla::OutTile<T> W);

#pragma tla algorithm
template <typename T> void wrong(tla::LowerMatrix<T> A) {
  tla::Workspace<T> W(A.nt(), 1, A.nb(), A.nb());
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
    make(W(k, 0));
    #pragma tla task release(W(k, 0))
    trsm(Right, Lower, ConjTrans, NonUnit, T(1), W(k, 0), A(k, k));
    if (k > 1) {
      #pragma tla task
// CHECK: read-after-release.tla:[[@LINE+1]]:52: error: for k = 2 (W has 3 x 1 tiles) this reads W(1, 0), which an earlier task released
      trsm(Right, Lower, ConjTrans, NonUnit, T(1), W(k - 1, 0), A(k, k));
    }
  }
}

#pragma tla algorithm
template <typename T> void right(tla::LowerMatrix<T> A) {
  tla::Workspace<T> W(1, 1, A.nb(), A.nb());
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
    make(W(0, 0));
    #pragma tla task
    trsm(Right, Lower, ConjTrans, NonUnit, T(1), W(0, 0), A(k, k));
    #pragma tla task release(W(0, 0))
    trsm(Right, Lower, ConjTrans, NonUnit, T(1), W(0, 0), A(k, k));
  }
}

// MEND: Move `release` to the task that is the last to use the tile.
