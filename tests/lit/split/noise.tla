// A tile of rank 2: the third reflector is that of a column of nothing but rounding errors, and so are all that follow.
// Slices add up in another order, which is no error of hetc's.
// RUN: %hetc run %s -m 4 -n 3 --nb 5 --split 2 --slice 2 --no-check 2>&1 | FileCheck %s
#include <tla/tla.hpp>

#pragma tla kernel
template <typename T> void slope(tla::OutTile<T> C) {
  for (int j = 0; j < C.n(); ++j)
    for (int i = 0; i < C.m(); ++i)
      C(i, j) = T(0.5) + T(0.1) * T(i) - T(0.2) * T(j);
}

// CHECK-NOT: own error
// CHECK: nb = 5 in slices of 2, 3
// CHECK-NOT: own error
#pragma tla algorithm shape(A(m, n)) input(A : random)
template <typename T> void f(tla::Matrix<T> A) {
  tla::Workspace<T> W(A.mt(), A.nt(), 2, A.nb());
  for (int i = 0; i < A.mt(); ++i)
    for (int j = 0; j < A.nt(); ++j) {
      #pragma tla task
      slope(A(i, j));
      #pragma tla task
      geqrt(2, A(i, j), W(i, j));
      #pragma tla task
      geqrt(2, A(i, j), W(i, j));
    }
}
