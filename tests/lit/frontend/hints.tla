// Where Clang's words do not say what to do in a .tla, a note does.
// RUN: not %hetc check %s --algorithm element 2>&1 | FileCheck %s --check-prefix=ELEMENT
// RUN: not %hetc check %s -DNUMBER 2>&1 --algorithm number | FileCheck %s --check-prefix=NUMBER
// RUN: not %hetc check %s -DNUMBER 2>&1 --algorithm number --type s | FileCheck %s --check-prefix=NUMBER
// RUN: not %hetc check %s -DNOTHING 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: not %hetc check %s -DNOTHING 2>&1 | grep -c 'error:' | grep -x 1
#ifndef NOTHING
#include <tla/tla.hpp>
#endif

#ifndef NUMBER
// NOTHING: hints.tla:[[@LINE+2]]:{{[0-9]+}}: error: 'tla' is not declared: a .tla begins with #include <tla/tla.hpp>
#pragma tla algorithm
template <typename T> void element(tla::Matrix<T> A, tla::Matrix<int> S) {
  for (int k = 0; k < A.nt(); ++k) {
    // ELEMENT: hints.tla:[[@LINE+2]]:17: error: invalid operands
    // ELEMENT: hints.tla:[[@LINE+1]]:17: note: a tile has no value for control: what runs may depend on sizes, loop variables and scalar parameters, never on elements; let a kernel look at them
    if (S(k, 0) != 0) {
      #pragma tla task
      scal(T(2), A(k, k));
    }
  }
}

#else
#pragma tla algorithm
template <typename T> void number(tla::Matrix<T> A, tla::Matrix<T> C) {
  for (int k = 0; k < A.nt(); ++k) {
    // NUMBER: hints.tla:[[@LINE+3]]:5: error: no matching function for call to 'gemm'
    // NUMBER: hints.tla:[[@LINE+2]]:5: note: numbers of the element type are written so: T(1.0) where the kernel takes a T, not 1.0
    #pragma tla task
    gemm(NoTrans, NoTrans, 1.0, A(0, k), A(k, 0), 0, C(0, 0));
  }
}
#endif

// MEND: Begin the file with `#include <tla/tla.hpp>`.
// MEND: What runs may not depend on elements: let a kernel decide.
// MEND: Write numbers as `T(1.0)`.
