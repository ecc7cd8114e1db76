// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void f(tla::LowerMatrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
// CHECK: reads-element.tla:[[@LINE+1]]:9: error: the program reads an element of a tile here: what runs may depend on sizes, loop variables and scalar parameters only
    if (A(k, k)(0, 0) != T(0)) {
      #pragma tla task
      potrf(Lower, A(k, k));
    }
  }
}

// MEND: Let a kernel look at the element; what it finds may be a tile of int.
