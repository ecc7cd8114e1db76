// RUN: not %hetc check --algorithm number %s 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not %hetc check --algorithm matrix %s 2>&1 | FileCheck %s --check-prefix=MATRIX
// RUN: %hetc check --algorithm constant %s
#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void number(tla::Matrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
// NUMBER: static-variable.tla:[[@LINE+1]]:22: error: variable 'first' is static: it would keep its first value; leave out 'static'
    static const int first = k + 1;
    #pragma tla task
    scal(T(first), A(k, k));
  }
}
#pragma tla algorithm
template <typename T> void matrix(tla::Matrix<T> A) {
// MATRIX: static-variable.tla:[[@LINE+1]]:15: error: variable 'X' is static: it would keep its first value; leave out 'static'
  static auto X = A;
  #pragma tla task
  scal(T(2), X(0, 0));
}
#pragma tla algorithm requires(n >= 1, m >= 1)
template <typename T> void constant(tla::Matrix<T> A) {
  static constexpr int two = 2;
  static const int three = two + 1;
  #pragma tla task
  scal(T(three), A(0, 0));
}
// MEND: Leave out `static`.
