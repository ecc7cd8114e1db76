// Comparisons of number arguments stay open, real or complex; the rest is proved.
// RUN: %hetc check %s 2>&1 | FileCheck %s --implicit-check-not=remark
// RUN: %hetc check --type=z %s 2>&1 | FileCheck %s --implicit-check-not=remark
// RUN: sed 's/C(i, j)/C(i, j + 1)/' %s > %t.tla && not %hetc check %t.tla 2>&1 | FileCheck %s --check-prefix=WRONG
// CHECK: axpby: fine (2 task statements)
// WRONG: error: for j = 0, i = 0 (C has 1 x 1 tiles) this writes C(0, 1)
#include <tla/tla.hpp>

#pragma tla kernel
template <typename T> void axpby(T alpha, tla::ConstTile<T> A, tla::Tile<T> C);

#pragma tla algorithm shape(A(m, n), C(m, n))
template <typename T> void axpby(tla::Matrix<T> A, tla::Matrix<T> C, T alpha, T beta) {
  for (int j = 0; j < C.nt(); ++j)
    for (int i = 0; i < C.mt(); ++i) {
      if (beta != T(1)) {
        #pragma tla task
        scal(beta, C(i, j));
      }
      if (alpha != T(0)) {
        #pragma tla task
        axpby(alpha, A(i, j), C(i, j));
      }
    }
}
