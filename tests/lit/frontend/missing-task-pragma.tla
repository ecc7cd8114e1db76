// RUN: not %hetc check --parseable-fixits %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void f(tla::LowerMatrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
// CHECK: missing-task-pragma.tla:[[@LINE+2]]:5: error: call of kernel 'potrf' without '#pragma tla task'
// CHECK: fix-it:{{.*}}:{9:5-9:5}:"#pragma tla task\n    "
    potrf(Lower, A(k, k));
  }
}

// MEND: Put `#pragma tla task` before the call. The message has it as a fix-it.
