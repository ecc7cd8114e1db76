// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

void report(int k);
#pragma tla algorithm
template <typename T> void f(tla::LowerMatrix<T> A) {
  for (int k = 0; k < A.nt(); ++k)
// CHECK: unknown-function.tla:[[@LINE+2]]:5: error: 'report' is neither a kernel nor an algorithm
// CHECK: unknown-function.tla:[[@LINE-5]]:6: note: 'report' is declared here
    report(k);
}

// MEND: Declare it under `#pragma tla kernel` or define it under `#pragma tla algorithm`, or drop the call.
