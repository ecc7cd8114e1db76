// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void f(tla::LowerMatrix<T> A) {
  for (int k = 0; k < A.nt(); ++k)
// CHECK: loop-steps-other-variable.tla:[[@LINE+1]]:37: error: the step of a loop changes its own variable: ++i, i += c, or the like
    for (int i = k + 1; i < A.mt(); ++k) {
      #pragma tla task
      trsm(Right, Lower, ConjTrans, NonUnit, T(1), A(k, k), A(i, k));
    }
}

// MEND: Step the loop's own variable.
