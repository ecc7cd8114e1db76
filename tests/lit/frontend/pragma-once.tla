// Files that include each other: '#pragma once' holds in the file that hetc is given, too.
// RUN: %hetc check %s 2>&1 | FileCheck %s --implicit-check-not=warning
// RUN: %hetc -c %s -o %t.o
// CHECK: forward: fine (2 task statements)
  #  pragma   once
#include "Inputs/once.tla"

#pragma tla algorithm
template <typename T> void forward(tla::Matrix<T> A) {
  for (int i = 0; i < A.mt(); ++i)
    for (int j = 0; j < A.nt(); ++j) {
      #pragma tla task
      laset(T(0), T(0), A(i, j));
    }
  backward(A);
}
