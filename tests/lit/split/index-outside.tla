// An index of the author's that nobody can prove, and that is wrong where a matrix has no columns: slices of tiles are
// no worse than tiles then, and stay in use; the run says where the index is wrong.
// RUN: %hetc run %s -m 20 -n 10 --nb 4 --split 2 --no-check 2>&1 | FileCheck %s
// RUN: not %hetc run %s -m 20 -n 0 --nb 4 --split 2 --no-check 2>&1 | FileCheck %s --check-prefix=OUTSIDE
#include <tla/tla.hpp>

// CHECK-NOT: own error
// CHECK: nb = 4 in slices of 2, 2
// CHECK-NOT: own error
// OUTSIDE-NOT: own error
// OUTSIDE: tile A({{[0-9]}}, -1) {{.*}}is outside the 5 x 0 tiles of A
#pragma tla algorithm shape(A(m, n), B(m, m)) input(A : random, B : random) requires(m >= 1)
template <typename T> void f(tla::Matrix<T> A, tla::Matrix<T> B) {
  for (int s = 1; s < B.mt(); s *= 2) {
    #pragma tla task
    scal(T(2), B(s, 0));
  }
  for (int i = 0; i < A.mt(); ++i)
    for (int j = (A.nt() - 1) / 2; j >= 0; --j) {
      #pragma tla task
      scal(T(2), A(i, A.nt() - 1 - j));
    }
}
