// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void f(tla::LowerMatrix<T> A) {
  for (int k = 0; k < A.nt(); ++k)
    for (int i = k + 1; i < A.mt(); ++i) {
// CHECK: at-not-written.tla:[[@LINE+1]]:27: error: this task does not write A(k, k); at() names one of its outputs
      #pragma tla task at(A(k, k))
      trsm(Right, Lower, ConjTrans, NonUnit, T(1), A(k, k), A(i, k));
    }
}

// MEND: Name an output of the task in `at(...)`.
