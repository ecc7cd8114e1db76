// A binary tree is beyond the analysis: one line says so.
// RUN: %hetc check %s 2>&1 | FileCheck %s --implicit-check-not=remark
// CHECK: binary-tree.tla:[[@LINE+9]]:3: remark: the step of loop 'd' is not a constant; 'tsqr' runs in replay mode and its indices are not proved
// CHECK: tsqr: not all indices are proved (2 task statements)
#include <tla/tla.hpp>
#pragma tla algorithm shape(A(m, n), W(A.mt(), 2, ib, A.nb())) tune(ib : 16 | 32 | 64)
template <typename T> void tsqr(tla::Matrix<T> A, tla::Workspace<T> W, int ib) {
  for (int i = 0; i < A.mt(); ++i) {
    #pragma tla task
    geqrt(ib, A(i, 0), W(i, 0));
  }
  for (int d = 1; d < A.mt(); d *= 2)
    for (int i = 0; i + d < A.mt(); i += 2 * d) {
      #pragma tla task
      ttqrt(ib, A(i, 0), A(i + d, 0), W(i + d, 1));
    }
}
