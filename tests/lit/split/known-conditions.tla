// What conditions around a task say of each other ends, also where numbers decide a part of one.
// RUN: %hetc run %s -n 13 --nb 4 --split 3 2>&1 | FileCheck %s
// CHECK: in slices of
// CHECK: residual  not checked
#include <tla/tla.hpp>

#pragma tla algorithm shape(A(n, n)) input(A : random)
template <typename T> void known(tla::Matrix<T> A) {
  for (int k = A.nt() - 1; k >= 0; --k) {
    if (0 <= -1 || -1 / 3 >= k - 1) {
      #pragma tla task
      scal(T(2), A(0, k));
      if (!(2 > 3 || k >= 1 + 1) && (k == 0 || k - 1 >= 7 / 3)) {
        #pragma tla task
        scal(T(3), A(0, 0));
      }
    } else {
      #pragma tla task
      trsm(Left, Upper, NoTrans, NonUnit, T(1), A(0, 0), A(0, k));
    }
  }
}
