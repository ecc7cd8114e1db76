// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void f(tla::LowerMatrix<T> A) {
// CHECK: mutable-variable.tla:[[@LINE+2]]:7: error: variable 'last' must be const: only loops change values
// CHECK: {{^ +}}| {{ *}}const{{ *$}}
  int last = A.nt() - 1;
  for (int k = 0; k < last; ++k) {
    #pragma tla task
    potrf(Lower, A(k, k));
  }
}
// CHECK: 1 error generated

// MEND: Declare it `const int`. The message has it as a fix-it.
