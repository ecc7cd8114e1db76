// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void f(tla::LowerMatrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
// CHECK: index-too-large.tla:[[@LINE+1]]:18: error: for k = 0 (A has 1 x 1 tiles) this writes A(1, 0)
    potrf(Lower, A(k + 1, k));
  }
}

// MEND: Bound the loop, or put the call under an `if`, such that the index stays below the number of tiles.
