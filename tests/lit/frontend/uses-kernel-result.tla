// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void f(tla::LowerMatrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
// CHECK: uses-kernel-result.tla:[[@LINE+1]]:22: error: the result of kernel 'potrf' cannot be used in the program
    const int info = potrf(Lower, A(k, k));
  }
}

// MEND: Drop the use: the runtime looks at `info`, and ends the run where it is not 0.
