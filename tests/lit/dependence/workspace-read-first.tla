// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void f(tla::LowerMatrix<T> A) {
  tla::Workspace<T> W(A.nt(), 1, A.nb(), A.nb());
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
// CHECK: workspace-read-first.tla:[[@LINE+1]]:59: error: for k = 0 (W has 1 x 1 tiles) this reads W(0, 0), which no earlier task wrote
    trsm(Right, Lower, ConjTrans, NonUnit, T(1), A(k, k), W(k, 0));
  }
}

// MEND: Let a task write the tile first, or take a kernel that does not read it there (`OutTile`, `beta = 0`).
