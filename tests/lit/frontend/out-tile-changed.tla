// What was in an OutTile is lost: a kernel that adds to it computes with whatever is in memory.
// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <complex>
#include <tla/tla.hpp>

// CHECK: out-tile-changed.tla:[[@LINE+2]]:90: error: kernel 'add' changes elements of 'X' and gives them no values before; what an OutTile had before is lost: make it a Tile
#pragma tla kernel
template <typename T> void add(T alpha, tla::ConstTile<T> A,             tla::OutTile<T> X) {
  for (int j = 0; j < X.n(); ++j)
    for (int i = 0; i < X.m(); ++i)
      X(i, j) += alpha * A(i, j);
}

// CHECK-NOT: error:
#pragma tla kernel
template <typename T> void sum(tla::ConstTile<T> A, tla::OutTile<T> X) {
  for (int i = 0; i < X.m(); ++i)
    X(i, 0) = T(0);
  for (int j = 0; j < A.n(); ++j)
    for (int i = 0; i < X.m(); ++i)
      X(i, 0) += A(i, j);
}
template <typename T> void helper(T *x) { *x = T(1); }
#pragma tla kernel
template <typename T> void elsewhere(tla::OutTile<T> X) {
  helper(X.data());
  X(0, 0) += T(1);
}

#pragma tla algorithm shape(A(n, n), X(n, n)) input(A : random)
template <typename T> void sums(tla::Matrix<T> A, tla::Matrix<T> X) {
  for (int j = 0; j < A.nt(); ++j)
    for (int i = 0; i < A.mt(); ++i) {
      #pragma tla task
      add(T(1), A(i, j), X(i, j));
      #pragma tla task
      sum(A(i, j), X(i, j));
      #pragma tla task
      elsewhere(X(i, j));
    }
}
// MEND: Take `tla::Tile<T> X`; or give each element a value first.
