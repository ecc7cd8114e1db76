// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void f(tla::LowerMatrix<T> A) {
// CHECK: while-loop.tla:[[@LINE+1]]:3: error: this statement is outside the language of task programs
  while (A.nt() > 0) {
    #pragma tla task
    potrf(Lower, A(0, 0));
  }
}

// MEND: Write a `for`.
