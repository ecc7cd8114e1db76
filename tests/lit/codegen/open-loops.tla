// RUN: %hetc --emit=cpp %s 2>/dev/null | FileCheck %s
// A loop that only the run's own end may end asks for it, wherever it stands, and that its steps go on.
#include <tla/tla.hpp>
#pragma tla algorithm
template <typename T> void halves(int h, tla::Matrix<T> A) {
  // CHECK: for (int j = 0; j < A.nt(); ++j)
  // CHECK-NEXT: if (tasks.stopped())
  for (int j = 0; j < A.nt(); ++j)
    // CHECK: for (int i = 0; i < A.mt(); i = rt::advance({"open-loops.tla:[[@LINE+2]]", "i", "i += h"}, 1, i, long(i) + h))
    // CHECK-NEXT: if (tasks.stopped())
    for (int i = 0; i < A.mt(); i += h)
      // CHECK: for (int r = i; r < A.mt(); r += 2)
      // CHECK-NEXT: rt::append(
      for (int r = i; r < A.mt(); r += 2) {
        #pragma tla task
        scal(T(2), A(r, j));
      }
}
