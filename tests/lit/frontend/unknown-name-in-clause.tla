// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void f(tla::LowerMatrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
// CHECK: unknown-name-in-clause.tla:[[@LINE+1]]:31: error: 'kk' is not a variable or parameter here
    #pragma tla task priority(kk)
    potrf(Lower, A(k, k));
  }
}

// MEND: Name a loop's variable, a const or a parameter.
