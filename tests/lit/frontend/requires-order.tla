// What is required of numbers: for complex ones it has no order; a message says the values.
// RUN: not %hetc check --type z %s 2>&1 | FileCheck %s
// RUN: not %hetc run %s -n 10 --set omega=-1.5 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not %hetc run %s -n 10 --nb 4 2>&1 | FileCheck %s --check-prefix=TILE
// RUN: %hetc run %s -n 10 --nb 5 --quiet
#include <tla/tla.hpp>

// CHECK: requires-order.tla:[[@LINE+3]]:79: error: 'omega' is a T, and complex numbers are neither smaller nor larger than others; make it a tla::RealType<T>
// VALUE: hetc: damped requires omega > 0, but omega is -1.5
// TILE: hetc: damped requires A.nb() == 5, but A is 10 x 10 in tiles of 4 (--nb)
#pragma tla algorithm shape(A(n, n)) default(omega : 0.5)            requires(omega > 0, A.nb() == 5) input(A : random)
template <typename T> void damped(T omega, tla::Matrix<T> A) {
  for (int j = 0; j < A.nt(); ++j)
    for (int i = 0; i < A.mt(); ++i) {
      #pragma tla task
      scal(omega, A(i, j));
    }
}
// MEND: Take `tla::RealType<T> omega`, or compare with `==` only.
