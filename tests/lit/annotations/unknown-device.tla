// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void f(tla::LowerMatrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
// CHECK: unknown-device.tla:[[@LINE+1]]:{{[0-9]+}}: error: unknown device 'cpu'; known are host, gpu, any
    #pragma tla task device(cpu)
    potrf(Lower, A(k, k));
  }
}

// MEND: Name `host`, `gpu` or `any`.
