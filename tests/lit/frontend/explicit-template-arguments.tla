// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

#pragma tla kernel
template <int S = 1, typename T> void sh(tla::Tile<T> A);
#pragma tla algorithm
template <typename T> void f(tla::LowerMatrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
    potrf<T>(Lower, A(k, k));
    #pragma tla task
// CHECK: explicit-template-arguments.tla:[[@LINE+1]]:5: error: kernel 'sh' is called with explicit template arguments; pass options as function arguments
    sh<2>(A(k, k));
  }
}
// CHECK: 1 error generated

// MEND: Drop `<...>` and pass options as function arguments.
