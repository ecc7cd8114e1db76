// A counterexample is one that requires(...) allows, and a constant number of elements has a tile.
// RUN: %hetc check %s --algorithm constant | FileCheck %s
// RUN: %hetc check %s --algorithm wide | FileCheck %s
// RUN: %hetc check %s --algorithm tile | FileCheck %s
// RUN: %hetc check %s --algorithm half 2>/dev/null | FileCheck %s --check-prefix=HALF
// RUN: not %hetc check %s --algorithm none 2>&1 | FileCheck %s --check-prefix=NONE
// CHECK: fine
// NONE: error:
// HALF: half: not all indices are proved
#include <tla/tla.hpp>

#pragma tla algorithm shape(A(n, 9)) requires(n >= 1)
template <typename T> void constant(tla::Matrix<T> A) {
  #pragma tla task
  scal(T(2), A(0, 0));
}
#pragma tla algorithm shape(A(2, 3))
template <typename T> void wide(tla::Matrix<T> A) {
  #pragma tla task
  scal(T(2), A(0, A.nt() - 1));
}
#pragma tla algorithm shape(C(k, n)) requires(k == C.nb(), n >= k)
template <typename T> void tile(tla::Matrix<T> C) {
  #pragma tla task
  scal(T(2), C(0, 0));
}
#pragma tla algorithm shape(A(n / 2, n)) requires(n >= 2)
template <typename T> void half(tla::Matrix<T> A) {
  #pragma tla task
  scal(T(2), A(0, 0));
}
#pragma tla algorithm shape(A(n / 2, n)) requires(n >= 1)
template <typename T> void none(tla::Matrix<T> A) {
  #pragma tla task
  scal(T(2), A(0, 0));
}
