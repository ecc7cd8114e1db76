// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void f(tla::LowerMatrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
// CHECK: cxx-error.tla:[[@LINE+1]]:18: error: use of undeclared identifier 'B'
    potrf(Lower, B(k, k));
  }
}

// MEND: It is C++: declare the name, or spell it as it is declared.
