// RUN: not %hetc check %s 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void f(tla::Matrix<T> A, T alpha) {
  for (int k = 0; k < A.mt(); ++k) {
// CHECK: [[@LINE+2]]:18: error: rows() and cols() are of whole tiles: not with lower(), upper() or panel()
    #pragma tla task
    potrf(Lower, A(k, 0).lower().rows(0, 1));
// CHECK: [[@LINE+2]]:18: error: rows() and cols() are of whole tiles: not with lower(), upper() or panel()
    #pragma tla task
    potrf(Lower, A(k, 0).cols(0, 1).upper());
// CHECK: [[@LINE+2]]:34: error: the program reads an element
    #pragma tla task
    potrf(Lower, A(k, 0).rows(0, A(0, 0)(0, 0) == alpha));
  }
}

// MEND: Take the region of a whole tile first, or rows and columns, not both.
// MEND: The same.
// MEND: Let a kernel look at elements; pass it what it needs.
