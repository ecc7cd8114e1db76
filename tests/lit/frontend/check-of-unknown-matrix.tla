// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

// CHECK: check-of-unknown-matrix.tla:[[@LINE+1]]:33: error: this argument of the check is a matrix of the algorithm's element type, a parameter of 'f'
#pragma tla algorithm check(llt(B))
template <typename T> void f(tla::LowerMatrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
    potrf(Lower, A(k, k));
  }
}

// MEND: Name a parameter of the algorithm.
