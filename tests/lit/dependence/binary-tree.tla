// Dependences of a binary tree are beyond the analysis, which one line says; its indices are not.
// RUN: %hetc check %s 2>&1 | FileCheck %s --implicit-check-not=remark
// RUN: %hetc check %s -DREACH=2 2>&1 | FileCheck %s --check-prefix=FAR
// CHECK: binary-tree.tla:[[@LINE+17]]:5: remark: the step of loop 'd' is not a constant; 'tsqr' runs in replay mode{{$}}
// CHECK: tsqr: fine (2 task statements)
// FAR: binary-tree.tla:[[@LINE+15]]:5: remark: the step of loop 'd' is not a constant; 'tsqr' runs in replay mode{{$}}
// FAR: binary-tree.tla:[[@LINE+17]]:28: remark: hetc cannot prove that this access is always right; the runtime checks it
// FAR-NOT: remark
// FAR: tsqr: not all indices are proved (2 task statements)
#include <tla/tla.hpp>
#ifndef REACH
#define REACH 1
#endif
#pragma tla algorithm shape(A(m, n), W(A.mt(), 2, ib, A.nb())) tune(ib : 16 | 32 | 64)
template <typename T> void tsqr(tla::Matrix<T> A, tla::Workspace<T> W, int ib) {
  if (A.nt() > 0) {
    for (int i = 0; i < A.mt(); ++i) {
      #pragma tla task
      geqrt(ib, A(i, 0), W(i, 0));
    }
    for (int d = 1; d < A.mt(); d *= 2) {
      for (int i = 0; i + d < A.mt(); i += 2 * d) {
        #pragma tla task
        ttqrt(ib, A(i, 0), A(i + REACH * d, 0), W(i + d, 1));
      }
    }
  }
}
