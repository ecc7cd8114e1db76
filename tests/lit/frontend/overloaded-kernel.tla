// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

#pragma tla kernel
template <typename T> void op(tla::ConstTile<T> A, tla::Tile<T> B);
#pragma tla kernel
template <typename T> void op(tla::Tile<T> A, tla::Tile<T> B, int s);
#pragma tla algorithm
template <typename T> void f(tla::Matrix<T> A) {
  for (int k = 1; k < A.mt(); ++k)
    for (int j = 0; j < A.nt(); ++j) {
      #pragma tla task
      op(A(k - 1, j), A(k, j));
      #pragma tla task
// CHECK: overloaded-kernel.tla:[[@LINE+2]]:7: error: kernel 'op' is overloaded; give each kernel a name of its own
// CHECK: overloaded-kernel.tla:5:28: note: the other 'op' that this program calls
      op(A(k - 1, j), A(k, j), 3);
    }
}

// MEND: Give each kernel a name of its own.
