// RUN: not %hetc --emit=maps --copies 2 %s 2>&1 | FileCheck %s
#include <tla/matrix.hpp>

#pragma tla kernel sum(C)
template <typename T> void add(tla::ConstTile<T> A, tla::Tile<T> C);

// CHECK: error: copies of the nodes add up sums by tla::laset, which 'f' does not declare: #include <tla/tla.hpp>
#pragma tla algorithm shape(A(n, n), C(n, n))
template <typename T> void f(tla::Matrix<T> A, tla::Matrix<T> C) {
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
    add(A(k, k), C(0, 0));
  }
}
