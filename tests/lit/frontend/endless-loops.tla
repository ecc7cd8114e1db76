// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void endless_loops(int s, tla::Matrix<T> A) {
// CHECK: endless-loops.tla:[[@LINE+1]]:3: error: the loop over 'k' never ends once it is entered: its step '--k' goes down, where its condition 'k < A.nt()' stays true; step the other way, or bound 'k' from below
  for (int k = 0; k < A.nt(); --k)
// CHECK: endless-loops.tla:[[@LINE+1]]:5: error: the loop over 'i' never ends once it is entered: its step 'i += 2' goes up, where its condition 'i >= 0' stays true
    for (int i = A.mt() - 1; i >= 0; i += 2) {
      #pragma tla task
      scal(T(2), A(i, k));
    }
// CHECK: endless-loops.tla:[[@LINE+1]]:3: error: the loop over 'j' never ends once it is entered: its condition 'A.nt() > 3' does not depend on 'j'
  for (int j = 0; A.nt() > 3; ++j) {
    #pragma tla task
    scal(T(2), A(0, j));
  }
}

// MEND: Turn the step or the comparison around.
// MEND: The same.
// MEND: Let the condition depend on the loop's variable.
