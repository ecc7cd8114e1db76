// RUN: not %hetc check %s 2>&1 | FileCheck %s --check-prefix=WHICH
// RUN: %hetc check %s --algorithm second 2>&1 | FileCheck %s --check-prefix=SECOND
// RUN: not %hetc check %s --algorithm secnd 2>&1 | FileCheck %s --check-prefix=NEAREST
// WHICH: error: several algorithms in 'two-algorithms.tla' (first, second): choose one with --algorithm
// SECOND: second: fine
// NEAREST: error: no algorithm 'secnd' in 'two-algorithms.tla'; did you mean 'second'?
#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void first(tla::LowerMatrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
    potrf(Lower, A(k, k));
  }
}
#pragma tla algorithm
template <typename T> void second(tla::LowerMatrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
    scal(T(2), A(k, k));
  }
}

// MEND: Give `--algorithm NAME`, or name the file like one of them.
// MEND: Spell the name as the message suggests.
