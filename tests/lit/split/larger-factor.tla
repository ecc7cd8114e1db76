// A triangular factor may be larger than what it is applied to: its leading square counts. So it is on slices, where
// the kernels that rules call have requirements of their own. What hetc makes of it is tried when it compiles.
// RUN: %hetc run %s --algorithm above -m 10 -n 8 --nb 4 --split 4 2>&1 | FileCheck %s
// RUN: %hetc run %s --algorithm above -m 10 -n 8 --nb 4 --split 3 --type s --set op=Trans 2>&1 | FileCheck %s
// RUN: %hetc run %s --algorithm beside -m 9 -n 6 --nb 4 --split 3 --type z --set uplo=Upper --set op=ConjTrans 2>&1 | FileCheck %s
// CHECK-NOT: error
// CHECK: in slices of
// CHECK: residual  not checked
#include <tla/tla.hpp>

#pragma tla algorithm shape(A(n, n), B(m, n)) input(A : random, B : random) default(uplo : Lower, op : NoTrans)
template <typename T> void above(tla::Uplo uplo, tla::Op op, tla::Matrix<T> A, tla::Matrix<T> B) {
  tla::Workspace<T> W(1, 1, A.nb(), A.nb());
  #pragma tla task
  laset(T(0), T(2), W(0, 0));
  for (int i = 0; i < B.mt(); ++i)
    for (int j = 0; j < B.nt(); ++j) {
      #pragma tla task
      trsm(Left, uplo, op, NonUnit, T(1), W(0, 0), B(i, j));
      #pragma tla task
      trmm(Left, uplo, op, NonUnit, T(3), W(0, 0), B(i, j));
    }
}

#pragma tla algorithm shape(A(n, n), B(m, n)) input(A : random, B : random) default(uplo : Lower, op : NoTrans)
template <typename T> void beside(tla::Uplo uplo, tla::Op op, tla::Matrix<T> A, tla::Matrix<T> B) {
  tla::Workspace<T> W(1, 1, A.nb(), A.nb());
  #pragma tla task
  laset(T(0), T(2), W(0, 0));
  for (int i = 0; i < B.mt(); ++i)
    for (int j = 0; j < B.nt(); ++j) {
      #pragma tla task
      trsm(Right, uplo, op, NonUnit, T(1), W(0, 0), B(i, j));
      #pragma tla task
      trmm(Right, uplo, op, NonUnit, T(3), W(0, 0), B(i, j));
    }
}
