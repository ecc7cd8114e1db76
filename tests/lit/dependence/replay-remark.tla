// RUN: %hetc check %s 2>&1 | FileCheck %s
// RUN: %hetc run %s -n 200 --nb 20 --quiet 2>&1 | count 0
// RUN: not %hetc --emit=deps %s 2>&1 | FileCheck %s --check-prefix=DEPS
// DEPS: hetc: no dependences to print: the step of loop 'k' is not a constant
#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void f(tla::Matrix<T> A) {
// CHECK: replay-remark.tla:[[@LINE+1]]:3: remark: {{.*}}the step of loop 'k' is not a constant{{.*}}replay mode
  for (int k = 1; k < A.mt(); k *= 2) {
    #pragma tla task
    scal(T(2), A(k, 0));
  }
}
// CHECK: f: not all indices are proved
