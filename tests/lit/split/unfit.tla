// A call of which hetc cannot tell whether its arguments fit together stays on whole tiles, where the kernel's own
// requirements are checked when it runs: no rule makes something of what the kernel refuses.
// RUN: %hetc --emit=split --split 2 %s 2>&1 | FileCheck %s
// RUN: not %hetc run %s -n 10 --nb 4 --split 2 --set when=9 --no-check 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: %hetc run %s -n 10 --nb 4 --split 2 --set when=2 --no-check
#include <tla/tla.hpp>

// CHECK: unfit.tla:[[@LINE+9]]:7: remark: kernel 'trmm' runs on whole tiles, on the host: hetc cannot tell that its arguments fit together here
#pragma tla algorithm shape(A(n, n), B(n, n)) input(A : random, B : random) default(when : 1)
template <typename T> void f(tla::Matrix<T> A, tla::Matrix<T> B, int when) {
  for (int j = 0; j < B.nt(); ++j) {
    #pragma tla task
    scal(T(2), B(0, j));
    if (when > 7) {
      #pragma tla task
      // REFUSED: f: requires A.m() >= (side == Left ? B.m() : B.n()), but side is Left; {{.*}} (trmm on B(0, {{[0-9]}})
      trmm(Left, Lower, NoTrans, NonUnit, T(1), A(A.nt() - 1, 0), B(0, j));
    }
  }
}
