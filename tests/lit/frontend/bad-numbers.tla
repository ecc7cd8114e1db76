// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

#pragma tla algorithm default(k : n)
// CHECK: bad-numbers.tla:[[@LINE-1]]:35: error: expected a constant here
template <typename T> void f(tla::LowerMatrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
// CHECK: bad-numbers.tla:[[@LINE+1]]:31: error: '99999999999999999999' does not fit an int
    #pragma tla task priority(99999999999999999999)
    potrf(Lower, A(k, k));
// CHECK: bad-numbers.tla:[[@LINE+1]]:31: error: a priority is an integer
    #pragma tla task priority(1.5)
    potrf(Lower, A(k, k));
// CHECK: bad-numbers.tla:[[@LINE+1]]:35: error: division by zero
    #pragma tla task priority(k / 0)
    potrf(Lower, A(k, k));
  }
// CHECK: bad-numbers.tla:[[@LINE+1]]:31: error: this step does not change 'k', so the loop never ends
  for (int k = 0; k < A.nt(); k += 0) {
  }
}

// MEND: Write a number that the compiler can compute.
// MEND: Write a number below 2^31.
// MEND: Drop the point: larger integers are sooner.
// MEND: Divide by something that is not zero.
// MEND: Let the step change the variable, by 1 say.
