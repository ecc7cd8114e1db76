// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

#pragma tla kernel
template <typename T> void clear(tla::ConstTile<T> A) {
// CHECK: write-through-const-tile.tla:[[@LINE+1]]:11: error: cannot assign to return value because function 'operator()' returns a const value
  A(0, 0) = T(0);
}
#pragma tla algorithm
template <typename T> void f(tla::LowerMatrix<T> A) {
  #pragma tla task
  clear(A(0, 0));
}

// MEND: Declare the parameter as `tla::Tile<T>`, or as `tla::OutTile<T>` if it is only written.
