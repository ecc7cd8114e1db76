// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void f(tla::LowerMatrix<T> A) {
  for (int k = 0; k < A.nt(); ++k)
    for (int i = k + 1; i < A.mt(); ++i) {
      #pragma tla task
// CHECK: upper-of-lower.tla:[[@LINE+1]]:61: error: for k = 0, i = 1 (A has 2 x 2 tiles, lower triangle only) this writes A(0, 1)
      trsm(Right, Lower, ConjTrans, NonUnit, T(1), A(k, k), A(k, i));
    }
}

// MEND: Index the stored triangle only: tile (j, i), transposed, in place of (i, j).
