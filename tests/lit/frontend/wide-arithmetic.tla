// What C++ computes in more than an int would be another number here.
// RUN: not %hetc check --algorithm product %s 2>&1 | FileCheck %s --check-prefix=PRODUCT
// RUN: not %hetc check --algorithm difference %s 2>&1 | FileCheck %s --check-prefix=DIFFERENCE
// RUN: %hetc --emit=ir --algorithm constant %s | FileCheck %s
#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void product(int c, tla::Matrix<T> A) {
// PRODUCT: wide-arithmetic.tla:[[@LINE+1]]:20: error: this is computed in 'long', and programs compute with int: make all that it is made of int
  const long end = long(c) * 1000000000;
  for (int s = 0; s < end; ++s) {
    #pragma tla task
    scal(T(2), A(0, 0));
  }
}
#pragma tla algorithm
template <typename T> void difference(int c, tla::Matrix<T> A) {
  const long end = c, begin = 5;
// DIFFERENCE: wide-arithmetic.tla:[[@LINE+1]]:23: error: this is computed in 'long', and programs compute with int: make all that it is made of int
  for (int s = 0; s < end - begin; ++s) {
    #pragma tla task
    scal(T(2), A(0, 0));
  }
}
// Constants, and comparisons, are what they are.
#pragma tla algorithm requires(n >= 1, m >= 1)
template <typename T> void constant(int c, tla::Matrix<T> A) {
  const long big = 1000000000L * 3, end = c;
  // CHECK: for (int s = 0; s < c && s < 3000000000; ++s)
  for (int s = 0; s < end && s < big; ++s) {
    #pragma tla task
    scal(T(2), A(0, 0));
  }
}
// MEND: Declare variables as `int`, and leave out conversions and the `L` of constants; sizes, indices and numbers of iterations are ints.
