// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

#pragma tla kernel
template <typename T> void many(tla::Tile<T> A, int a, int b, int c, int d, int e, int f, int g, int h, int i);
#pragma tla kernel
template <typename T> void views(tla::Tile<T> A, tla::ConstTile<T> B, int i, int j);
#pragma tla algorithm
template <typename T> void f(tla::LowerMatrix<T> A) {
  for (int a = 0; a < A.nt(); ++a)
    for (int b = 0; b < 2; ++b)
      for (int c = 0; c < 2; ++c)
        for (int d = 0; d < 2; ++d)
          for (int e = 0; e < 2; ++e) {
            #pragma tla task
// CHECK: too-many-captures.tla:[[@LINE+1]]:13: error: this call needs 9 loop variables, sizes, panels and numbers of views; a task has room for 8
            many(A(a, a), a, b, c, d, e, A.mt(), A.nb(), A.m(), A.n());
          }
  for (int a = 0; a < A.nt(); ++a) {
    #pragma tla task
    views(A(a, a).rows(a + 1, a + 2).cols(a + 3, a + 4), A(a, 0).rows(a + 1, a).cols(a + 5, a + 6), a, 0);
    #pragma tla task
// CHECK: :[[@LINE+1]]:5: error: this call needs 9 loop variables, sizes, panels and numbers of views; a task has room for 8
    views(A(a, a).rows(a + 1, a + 2).cols(a + 3, a + 4), A(a, 0).rows(a + 1, a).cols(a + 5, a + 6), A.nt(), A.nb());
  }
}
