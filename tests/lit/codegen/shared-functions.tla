// Tasks of an algorithm that is called twice share their functions, and each says which tiles are its own.
// RUN: %hetc --emit=cpp --algorithm shared_functions %s | FileCheck %s
// RUN: %hetc run %s --algorithm shared_functions --set p=1 --set q=1 -n 4 --nb 2 --quiet
// RUN: not %hetc run %s --algorithm shared_functions --set p=0 --set q=1 -n 4 --nb 2 2>&1 | FileCheck %s --check-prefix=FIRST
// RUN: not %hetc run %s --algorithm shared_functions --set p=1 --set q=0 -n 4 --nb 2 2>&1 | FileCheck %s --check-prefix=SECOND
// CHECK: int run_omatcopy__0(
// CHECK: TaskClass omatcopy__0 = {"omatcopy", {{.*}}, run_omatcopy__0, {{.*}}, arguments_omatcopy__0};
// CHECK-NOT: int run_omatcopy__1(
// CHECK: TaskClass omatcopy__1 = {"omatcopy", {{.*}}, run_omatcopy__0, {{.*}}, arguments_omatcopy__1};
// The factor is part of the function.
// CHECK: int run_omatcopy__2(
// CHECK: TaskClass omatcopy__2 = {"omatcopy", {{.*}}, run_omatcopy__2, {{.*}}, arguments_omatcopy__2};
// FIRST: A(i, j).rows(p, 1)
// SECOND: B(i_1, j_1).rows(q, 1)
#include <tla/tla.hpp>

#pragma tla algorithm shape(A(n, n)) requires(p >= 0, p < 2)
template <typename T> void shift(int p, tla::Matrix<T> A) {
  for (int i = 0; i < A.mt(); ++i)
    for (int j = 0; j < A.nt(); ++j) {
      #pragma tla task
      omatcopy(NoTrans, T(2), A(i, j).rows(0, 1), A(i, j).rows(p, 1));
    }
}

#pragma tla algorithm shape(A(n, n), B(n, n)) requires(p >= 0, p < 2, q >= 0, q < 2)
template <typename T> void shared_functions(int p, int q, tla::Matrix<T> A, tla::Matrix<T> B) {
  shift(p, A);
  shift(q, B);
  for (int i = 0; i < A.mt(); ++i) {
    #pragma tla task
    omatcopy(NoTrans, T(3), A(i, 0).rows(0, 1), A(i, 0).rows(p, 1));
  }
}
