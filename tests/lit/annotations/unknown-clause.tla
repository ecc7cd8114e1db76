// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void f(tla::LowerMatrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
// CHECK: unknown-clause.tla:[[@LINE+2]]:22: error: unknown clause 'priorty'; did you mean 'priority'?
// CHECK: {{^ +}}| {{ *}}priority{{ *$}}
    #pragma tla task priorty(-k)
    potrf(Lower, A(k, k));
  }
}
// CHECK: 1 error generated

// MEND: Spell the clause as the message suggests.
