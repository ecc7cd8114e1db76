// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void f(tla::LowerMatrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
// CHECK: clause-syntax.tla:[[@LINE+1]]:{{[0-9]+}}: error: expected ')' to close 'priority('
    #pragma tla task priority(-k
    potrf(Lower, A(k, k));
  }
}

// MEND: Close the parenthesis of the clause.
