// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <complex>
#include <tla/tla.hpp>

#pragma tla algorithm
// CHECK: complex-parameter.tla:[[@LINE+1]]:{{.*}} error: parameter 'alpha' of an algorithm must be a matrix, an int, an option such as tla::Op, or a number of the element type
template <typename T> void f(std::complex<double> alpha, tla::LowerMatrix<T> A) {
  for (int i = 0; i < A.mt(); ++i) {
    #pragma tla task
    scal(T(2), A(i, i));
  }
}

// MEND: Take the number as `T`.
