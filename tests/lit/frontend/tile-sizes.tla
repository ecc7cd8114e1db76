// A tile's sizes in views, conditions and values: of tiles at the edge what is left.
// RUN: %hetc --emit=ir %s | FileCheck %s
// RUN: %hetc run %s -m 11 -n 7 --nb 4 --no-check --output A=%t.1.npy --output B=%t.b1.npy
// RUN: %hetc run %s -m 11 -n 7 --nb 4 --no-check --serial --output A=%t.2.npy --output B=%t.b2.npy
// RUN: cmp %t.1.npy %t.2.npy
// RUN: cmp %t.b1.npy %t.b2.npy
#include <tla/tla.hpp>

#pragma tla algorithm shape(A(m, n), B(n, m)) input(A : random, B : random)
template <typename T> void f(tla::Matrix<T> A, tla::Matrix<T> B) {
  for (int i = 0; i < A.mt(); ++i)
    for (int j = 0; j < A.nt(); ++j) {
      // CHECK: if (min(A.mb(), A.m() - i * A.mb()) > 3)
      if (A(i, j).m() > 3) {
        // CHECK: scal(T(2), rw A(i, j).rows(1, min(A.mb(), A.m() - i * A.mb()) - 1))
        #pragma tla task
        scal(T(2), A(i, j).rows(1, A(i, j).m() - 1));
      }
      // CHECK: scal(T(0.5), rw A(i, j).cols(0, min(A.nb(), A.n() - j * A.nb()) - 1))
      #pragma tla task
      scal(T(0.5), A(i, j).cols(0, A(i, j).n() - 1));
      // Of a transposed matrix the rows are columns.
      const auto C = conjTrans(B);
      // CHECK: scal(T(3), rw B(j, i).conjTrans().rows(0, min(B.nb(), B.n() - i * B.nb())))
      #pragma tla task
      scal(T(3), C(i, j).rows(0, C(i, j).m()));
    }
}
