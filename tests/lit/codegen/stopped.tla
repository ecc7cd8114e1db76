// A run that has failed ends at the next iteration of an outermost loop, also when the loop stands in a condition.
// RUN: %hetc --emit=cpp %s | FileCheck %s
// CHECK: if (A.m() >= A.n()) {
// CHECK-NEXT: for (int k = 0; k < A.nt(); ++k) {
// CHECK-NEXT: if (tasks.stopped())
// CHECK-NEXT: return;
// CHECK-NEXT: for (int i = 0; i < A.mt(); ++i) {
#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void f(tla::Matrix<T> A) {
  if (A.m() >= A.n())
    for (int k = 0; k < A.nt(); ++k)
      for (int i = 0; i < A.mt(); ++i) {
        #pragma tla task
        scal(T(2), A(i, k));
      }
}
