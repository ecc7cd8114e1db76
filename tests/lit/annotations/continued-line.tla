// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

// The caret is on the second line of the pragma.
#pragma tla algorithm input(A : spd) \
    chekc(llt(A))
// CHECK: continued-line.tla:[[@LINE-1]]:5: error: unknown clause 'chekc'; did you mean 'check'?
template <typename T> void f(tla::LowerMatrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
    potrf(Lower, A(k, k));
  }
}

// MEND: Spell the clause as the message suggests. A pragma goes on in the next line behind a backslash.
