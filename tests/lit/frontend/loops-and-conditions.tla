// RUN: %hetc --emit=ir %s | FileCheck %s
#include <tla/tla.hpp>

#include <algorithm>
constexpr int width = 2;
#pragma tla algorithm
template <typename T> void f(tla::Matrix<T> A, int shift) {
  const int last = std::min(A.mt(), A.nt()) - 1;
// CHECK: for (int k = min(A.mt(), A.nt()) - 1; k >= 0; --k)
  for (int k = last; k >= 0; k--) {
// CHECK: for (int j = k; j < A.nt(); j = j + 2)
    for (int j = k; j < A.nt(); j += width) {
// CHECK: if (j != k && !(j > shift || k % 3 == 1))
      if (j != k && !(j > shift || k % 3 == 1)) {
        #pragma tla task
        scal(T(0.5), A(k, j));
// CHECK: } else {
      } else {
        #pragma tla task
        scal(T(1), A(k, j));
      }
    }
  }
  if constexpr (tla::isComplex<T>) {
// CHECK-NOT: T(9)
    #pragma tla task
    scal(T(9), A(0, 0));
  }
}
