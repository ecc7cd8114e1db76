// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void f(tla::LowerMatrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
// CHECK: workspace-in-loop.tla:[[@LINE+1]]:23: error: the size of workspace 'W' depends on the loop variable 'k'
    tla::Workspace<T> W(k, 1, A.nb(), A.nb());
    #pragma tla task
    potrf(Lower, A(k, k));
  }
}
