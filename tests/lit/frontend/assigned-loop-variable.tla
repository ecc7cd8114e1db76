// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void f(tla::LowerMatrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
    potrf(Lower, A(k, k));
// CHECK: assigned-loop-variable.tla:[[@LINE+1]]:5: error: a task program consists of loops, conditions and calls
    k += 1;
  }
}

// MEND: Only the loop itself changes its variable: write a `for` with that step, or a const that is computed from it.
