// Where a size is wrong that nobody gave, a note says what it is taken to be; also where there is no tile at all.
// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

#pragma tla algorithm shape(A(n, n), B(n, k)) default(k : 1) input(A : random, B : random)
// CHECK: no-shape.tla:[[@LINE+6]]:34: error: for j = 0, i = 0 (R has 0 x 1 tiles) this writes R(0, 0)
// CHECK: no-shape.tla:[[@LINE+1]]:88: note: no shape says how large 'R' is, so it is taken to be m x n;
template <typename T> void residual(tla::Matrix<T> A, tla::Matrix<T> B, tla::Matrix<T> R) {
  for (int j = 0; j < B.nt(); ++j)
    for (int i = 0; i < A.mt(); ++i) {
      #pragma tla task
      geadd(T(1), B(i, j), T(0), R(i, j));
    }
}
// MEND: Say it in `shape`: `shape(A(n, n), B(n, k), R(n, k))`.
