// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

#pragma tla kernel
template <typename T> void many(tla::Tile<T> A, int a, int b, int c, int d, int e, int f, int g, int h, int i);
#pragma tla algorithm
template <typename T> void f(tla::LowerMatrix<T> A) {
  for (int a = 0; a < A.nt(); ++a)
    for (int b = 0; b < 2; ++b)
      for (int c = 0; c < 2; ++c)
        for (int d = 0; d < 2; ++d)
          for (int e = 0; e < 2; ++e) {
            #pragma tla task
// CHECK: too-many-captures.tla:[[@LINE+1]]:13: error: this call needs 9 loop variables, sizes and panels; a task has room for 8
            many(A(a, a), a, b, c, d, e, A.mt(), A.nb(), A.m(), A.n());
          }
}
