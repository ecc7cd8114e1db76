// RUN: not %hetc check %s 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void f(tla::Matrix<T> A) {
  for (int k = 0; k < A.mt(); ++k) {
// CHECK: [[@LINE+1]]:25: error: expected a whole tile, without rows() and cols()
    #pragma tla task at(A(k, 0).rows(0, 1))
    potrf(Lower, A(k, 0).rows(0, 1));
// CHECK: [[@LINE+1]]:30: error: expected a whole tile, without rows() and cols()
    #pragma tla task release(A(k, 0).cols(0, 1))
    potrf(Lower, A(k, 0).cols(0, 1));
  }
}

// MEND: Name the whole tile: `at(A(k, 0))`. For places and lifetimes a view is its tile.
