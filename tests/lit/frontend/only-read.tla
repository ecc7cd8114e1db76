// RUN: %hetc check %s 2>&1 | FileCheck %s
// RUN: %hetc check %s 2>&1 | FileCheck %s --check-prefix=NONE
#include <tla/tla.hpp>

// NONE-NOT: never writes 'changed'
// NONE-NOT: never writes 'kept
#pragma tla kernel
// CHECK: only-read.tla:[[@LINE+1]]:54: remark: kernel 'add' never writes 'A': make it a ConstTile, so that tasks which only read a tile need not wait for each other
template <typename T> void add(T alpha, tla::Tile<T> A, tla::ConstTile<T> B, tla::Tile<T> changed) {
  for (int j = 0; j < A.n(); ++j)
    for (int i = 0; i < A.m(); ++i)
      changed(i, j) += alpha * A(i, j) + B(i, j);
}
template <typename T> T first(tla::ConstTile<T> A) { return A(0, 0); }
template <typename T> T &last(const tla::Tile<T> &A) { return A(A.m() - 1, A.n() - 1); }

#pragma tla kernel
template <typename T>
// CHECK: only-read.tla:[[@LINE+1]]:25: remark: kernel 'sums' never writes 'P': make it a ConstPanel
void sums(tla::Panel<T> P, tla::Tile<T> S,
// CHECK: only-read.tla:[[@LINE-1]]:41: remark: kernel 'sums' never writes 'S': make it a ConstTile
          tla::Tile<T> changed, tla::Tile<T> keptByReference, tla::Tile<T> keptAsData, tla::Tile<T> keptUnused) {
  const T *data = S.data();
  for (int r = 0; r < P.mt(); ++r)
    changed(0, 0) = P(r)(0, static_cast<int>(P(r).n()) - 1) + first<T>(P(r)) + data[S.ld()] + first<T>(S);
  last(keptByReference) = T(1);
  T *end = keptAsData.data();
  *end = T(2);
}

#pragma tla algorithm requires(m >= 1, n >= 1)
template <typename T> void onlyRead(tla::Matrix<T> A) {
  tla::Workspace<T> W(5, 1, A.nb(), A.nb());
  for (int i = 0; i < 5; ++i) {
    #pragma tla task
    laset(T(0), T(1), W(i, 0));
  }
  #pragma tla task
  add(T(2), W(0, 0), W(1, 0), W(2, 0));
  for (int i = 0; i < A.mt(); ++i) {
    #pragma tla task
    sums(W.panel(0, 1, 0), W(1, 0), A(i, 0), W(2, 0), W(3, 0), W(4, 0));
  }
}
