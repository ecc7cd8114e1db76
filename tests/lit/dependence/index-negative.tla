// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void f(tla::Matrix<T> A) {
  for (int k = 0; k < A.mt(); ++k) {
    #pragma tla task
// CHECK: index-negative.tla:[[@LINE+1]]:44: error: for k = 0 (A has 1 x 0 tiles) this reads A(0, -1)
    gemm(NoTrans, NoTrans, T(-1), A(k, 0), A(k, k - 1), T(1), A(k, 0));
  }
}

// MEND: Leave the case of the message out: begin the loop at 1, or put the call under `if (k > 0)`.
