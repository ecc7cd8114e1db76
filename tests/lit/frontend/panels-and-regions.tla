// RUN: %hetc --emit=ir %s | FileCheck %s
#include <tla/tla.hpp>

#pragma tla kernel bound(memory)
template <typename T> int factor(tla::Panel<T> P, tla::OutTile<int> pivots);
#pragma tla kernel
template <typename T> void apply(tla::ConstPanel<T> P, tla::ConstTile<T> V, tla::Tile<T> C);
#pragma tla algorithm
template <typename T> void f(tla::Matrix<T> A) {
// CHECK: Workspace<i> pivots(A.nt(), 1, A.nb(), 1)
  tla::Workspace<int> pivots(A.nt(), 1, A.nb(), 1);
  const int kt = A.mt() < A.nt() ? A.mt() : A.nt();
  for (int k = 0; k < kt; ++k) {
// CHECK: task 0 factor(rw A.panel(k, A.mt(), k), write pivots(k, 0))
    #pragma tla task
    factor(A.panel(k, A.mt(), k), pivots(k, 0));
    for (int j = k + 1; j < A.nt(); ++j) {
// CHECK: task 1 apply(read A.panel(k, A.mt(), k), read A(k, k).lower(), rw A(k, j).upper())
      #pragma tla task
      apply(A.panel(k, A.mt(), k), A(k, k).lower(), A(k, j).upper());
    }
  }
}
