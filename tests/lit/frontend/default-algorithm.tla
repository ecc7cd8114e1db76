// Of several algorithms the one with the file's name is meant.
// RUN: rm -rf %t && mkdir %t && cp %s %t/main_part.tla && %hetc check %t/main_part.tla | FileCheck %s
// RUN: cp %s %t/main.tla && not %hetc check %t/main.tla 2>&1 | FileCheck %s --check-prefix=NONE
// CHECK: main_part: fine
// NONE: error: several algorithms in 'main.tla' (helper, main_part): choose one with --algorithm
#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void helper(tla::LowerMatrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
    scal(T(2), A(k, k));
  }
}
#pragma tla algorithm
template <typename T> void main_part(tla::LowerMatrix<T> A) { helper(A); }
