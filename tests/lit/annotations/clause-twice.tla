// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void f(tla::LowerMatrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
// CHECK: clause-twice.tla:[[@LINE+1]]:{{[0-9]+}}: error: clause 'priority' is given twice
    #pragma tla task priority(1) priority(2)
    potrf(Lower, A(k, k));
  }
}

// MEND: Keep one of the two clauses.
