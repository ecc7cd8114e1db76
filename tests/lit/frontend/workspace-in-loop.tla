// RUN: not %hetc check --algorithm f %s 2>&1 | FileCheck %s
// RUN: not %hetc check --algorithm g %s 2>&1 | FileCheck %s --check-prefix=SIZE
#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void f(tla::LowerMatrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
// CHECK: workspace-in-loop.tla:[[@LINE+1]]:23: error: workspace 'W' is declared inside a loop: each iteration would have its own; declare it before the loops
    tla::Workspace<T> W(1, 1, A.nb(), A.nb());
    #pragma tla task
    potrf(Lower, A(k, k));
  }
}
#pragma tla algorithm
template <typename T> void inner(tla::LowerMatrix<T> A, int k) {
// SIZE: workspace-in-loop.tla:[[@LINE+1]]:21: error: the size of workspace 'W' depends on the loop variable 'k'
  tla::Workspace<T> W(k, 1, A.nb(), A.nb());
  #pragma tla task
  potrf(Lower, A(k, k));
}
#pragma tla algorithm
template <typename T> void g(tla::LowerMatrix<T> A) {
  for (int k = 0; k < A.nt(); ++k)
    inner(A, k);
}

// MEND: Declare the workspace before the loops, with a tile for each iteration.
// MEND: Let its size depend on sizes and parameters only.
