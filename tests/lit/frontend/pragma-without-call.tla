// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void f(tla::LowerMatrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
// CHECK: pragma-without-call.tla:[[@LINE+1]]:5: error: '#pragma tla task' is not followed by a call of a kernel
    #pragma tla task
    const int j = k;
  }
}

// MEND: Move the pragma directly before the call of a kernel, or drop it.
