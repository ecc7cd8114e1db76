// RUN: %hetc --emit=ir --algorithm both %s | FileCheck %s
#include <tla/tla.hpp>

// A call of another algorithm is inlined; its names do not clash with the caller's.
#pragma tla algorithm
template <typename T> void scaleDiagonal(tla::LowerMatrix<T> M, T factor) {
  for (int k = 0; k < M.nt(); ++k) {
    #pragma tla task
    scal(factor, M(k, k));
  }
}
#pragma tla algorithm
template <typename T> void both(tla::LowerMatrix<T> A, T factor) {
  for (int k = 0; k < A.nt(); ++k)
    if (k % 2 == 0)
      scaleDiagonal(A, T(2) * factor);
  scaleDiagonal(A, T(3));
}
// CHECK: program both
// CHECK: for (int k = 0; k < A.nt(); ++k)
// CHECK: if (k % 2 == 0)
// CHECK: for (int k_1 = 0; k_1 < A.nt(); ++k_1)
// CHECK: task 0 tla::scal(T(2) * factor, rw A(k_1, k_1))
// CHECK: for (int k_2 = 0;
// CHECK: task 1 tla::scal(T(3), rw A(k_2, k_2))
