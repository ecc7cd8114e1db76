// RUN: %hetc --emit=ir %s | FileCheck %s
#include <tla/tla.hpp>

#pragma tla algorithm input(A : spd) check(llt(A))
template <typename T> void f(tla::LowerMatrix<T> A) {
  tla::Workspace<T> W(1, 1, A.nb(), A.nb());
  for (int k = 0; k < A.nt(); ++k) {
// CHECK: tla::potrf(Lower, rw A(k, k)) priority(A.nt() - k) device(host) bound(memory)
    #pragma tla task priority(A.nt() - k) device(host) bound(memory) at(A(k, k)) release(W(0, 0))
    potrf(Lower, A(k, k));
  }
}
