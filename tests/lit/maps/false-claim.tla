// A kernel that says that it adds and does not is found before the program is used.
// RUN: not %hetc run %s -n 20 --nb 4 --copies 2 --no-check 2>&1 | FileCheck %s
// RUN: not %hetc run %s -n 20 --nb 4 --tasks octal --no-check 2>&1 | FileCheck %s --check-prefix=OCTAL
// RUN: %hetc run %s -n 20 --nb 4 --no-check
#include <tla/tla.hpp>

#pragma tla kernel sum(C)
// CHECK: false-claim.tla:[[@LINE+2]]:28: error: with updates dealt to copies of the nodes 'f' does something else than the plain program ({{.*}}): the clause sum(...) of kernel 'halve' is not true, or this is hetc's own error
// OCTAL: false-claim.tla:[[@LINE+1]]:28: error: with updates dealt to the elements of a node 'f' does something else than the plain program ({{.*}}, updates dealt {{.*}}): the clause sum(...) of kernel 'halve' is not true, or this is hetc's own error
template <typename T> void halve(tla::ConstTile<T> A, tla::Tile<T> C) {
  C(0, 0) = C(0, 0) / 2 + A(0, 0);
}

#pragma tla algorithm shape(A(n, n), C(n, n)) input(A : random, C : random)
template <typename T> void f(tla::Matrix<T> A, tla::Matrix<T> C) {
  for (int k = 0; k < A.nt(); ++k)
    for (int i = 0; i < C.mt(); ++i) {
      #pragma tla task
      halve(A(i, k), C(i, 0));
    }
}
