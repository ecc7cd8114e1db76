// A workspace that is as wide as a tile has one column of tiles, whatever their size.
// RUN: %hetc check --algorithm inside %s 2>&1 | FileCheck %s --check-prefix=FINE
// RUN: not %hetc check --algorithm outside %s 2>&1 | FileCheck %s
// FINE-NOT: remark
// FINE: inside: fine
#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void inside(tla::Matrix<T> A) {
  tla::Workspace<T> W(A.m(), A.nb(), A.nb());
  for (int i = 0; i < A.mt(); ++i) {
    #pragma tla task
    laset(T(0), T(1), W(i, 0));
    for (int j = 0; j < A.nt(); ++j) {
      #pragma tla task
      geadd(T(1), W(i, 0).cols(0, A(i, j).n()), T(1), A(i, j));
    }
  }
}

#pragma tla algorithm
template <typename T> void outside(tla::Matrix<T> A) {
  tla::Workspace<T> W(A.m(), A.nb(), A.nb());
  for (int i = 0; i < A.mt(); ++i) {
    // CHECK: one-tile-wide.tla:[[@LINE+2]]:23: error: {{.*}}(W has 1 x 1 tiles) this writes W(0, 1)
    #pragma tla task
    laset(T(0), T(1), W(i, 1));
  }
}
// MEND: Make the workspace wider, or use its only column of tiles: `W(i, 0)`.
