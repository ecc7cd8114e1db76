// A constant that the kernel's int cannot hold would be another number in it.
// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

#pragma tla kernel
template <typename T> void mark(int total, tla::Tile<T> B) { B(0, 0) = T(total); }

#pragma tla algorithm input(A : zero)
template <typename T> void constants(tla::Matrix<T> A) {
  #pragma tla task
  // CHECK: large-constants.tla:[[@LINE+1]]:8: error: 10000000000 does not fit 'int', the type of parameter 'total' of kernel 'mark'
  mark(100000 * 100000, A(0, 0));
  #pragma tla task
  // CHECK: large-constants.tla:[[@LINE+1]]:8: error: 3000000000 does not fit 'int', the type of parameter 'total' of kernel 'mark'
  mark(3000000000, A(0, 0));
}

// MEND: Give the kernel a parameter of type `long`, or of a real type.
