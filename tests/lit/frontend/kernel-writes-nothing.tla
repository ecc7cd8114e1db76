// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

#pragma tla kernel
template <typename T> void look(tla::ConstTile<T> A);
#pragma tla algorithm
template <typename T> void f(tla::LowerMatrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
// CHECK: kernel-writes-nothing.tla:[[@LINE+1]]:5: error: kernel 'look' writes no tile
    look(A(k, k));
  }
}

// MEND: Give the kernel an output: a `Tile` or `OutTile`. A task without one would have no effect.
