// RUN: not %hetc --emit=split --split 2 %s 2>&1 | FileCheck %s
#include <tla/split.hpp>
#include <tla/tla.hpp>

#pragma tla kernel
template <typename T> void twice(int n, tla::Tile<T> A);

namespace tla::split {
// CHECK: opaque-mistakes.tla:[[@LINE+1]]:26: error: opaque(...) names parameters of this rule that are CutTile or CutPanel
#pragma tla split opaque(n)
template <typename T> void twice(int n, CutTile<T> A) {
  for (int d = 0; d < A.slices(); ++d) {
    #pragma tla task
    ::twice(n, A.slice(d));
  }
}
} // namespace tla::split

#pragma tla algorithm
template <typename T> void f(tla::LowerMatrix<T> A) {
  for (int i = 0; i < A.mt(); ++i) {
    #pragma tla task
    twice(2, A(i, i));
  }
}

// MEND: Name parameters of type `CutTile` or `CutPanel`.
