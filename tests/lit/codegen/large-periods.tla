// What repeats over nodes has up to 2^24 rows and columns, whose products an int may not hold.
// RUN: %hetc --emit=cpp %s | FileCheck %s
#include <tla/tla.hpp>

#pragma tla algorithm shape(A(n, n)) requires(n >= 1)
template <typename T> void large(tla::Matrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
// CHECK: if (long(A.p()) * 1000 > A.m())
    if (A.p() * 1000 > A.m()) {
      #pragma tla task
      scal(T(2), A(k, k));
    }
  }
}
