// RUN: %hetc --emit=ir --algorithm chosen %s | FileCheck %s
// RUN: %hetc check --algorithm chosen %s
// RUN: not %hetc check --algorithm elements %s 2>&1 | FileCheck %s --check-prefix=ELEMENTS
#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void twice(tla::Matrix<T> M) {
  for (int j = 0; j < M.nt(); ++j) {
    #pragma tla task
    scal(T(2), M(0, j));
  }
}

// A name may stand for one of several matrices: a task for each, under its condition.
#pragma tla algorithm shape(A(n, n), B(n, n), C(n, k)) requires(n >= 1, k >= 1)
template <typename T> void chosen(int which, tla::Matrix<T> A, tla::Matrix<T> B, tla::Matrix<T> C) {
  for (int k = 0; k < A.nt(); ++k) {
    const auto X = k % 2 == 0 ? A : B, Y = k % 2 == 0 ? B : A;
    for (int i = 0; i < X.mt(); ++i) {
      #pragma tla task at(X(i, k))
      gemm(NoTrans, NoTrans, T(1), Y(i, k), Y(k, k), T(1), X(i, k));
    }
  }
  twice(which == 0 ? A : which == 1 ? B : C);
  const auto known = 2 > 1 ? A : B;
  #pragma tla task
  trsm(Left, Lower, NoTrans, Unit, T(1), known(0, 0), (which > 0 ? C : B)(0, 0));
}
// CHECK: for (int i = 0; i < A.mt(); ++i)
// CHECK-NEXT: if (k % 2 == 0)
// CHECK-NEXT: task 0 tla::gemm(NoTrans, NoTrans, T(1), read B(i, k), read B(k, k), T(1), rw A(i, k))
// CHECK-NEXT: } else {
// CHECK-NEXT: task 1 tla::gemm(NoTrans, NoTrans, T(1), read A(i, k), read A(k, k), T(1), rw B(i, k))
// CHECK: for (int j = 0; j < (which == 0 ? A.nt() : which == 1 ? B.nt() : C.nt()); ++j)
// CHECK-NEXT: if (which == 0)
// CHECK-NEXT: task 2 tla::scal(T(2), rw A(0, j))
// CHECK-NEXT: } else if (which == 1)
// CHECK-NEXT: task 3 tla::scal(T(2), rw B(0, j))
// CHECK: task 4 tla::scal(T(2), rw C(0, j))
// CHECK: if (which > 0)
// CHECK-NEXT: task 5 tla::trsm(Left, Lower, NoTrans, Unit, T(1), read A(0, 0), rw C(0, 0))
// CHECK: task 6 tla::trsm(Left, Lower, NoTrans, Unit, T(1), read A(0, 0), rw B(0, 0))

#pragma tla algorithm shape(A(n, n), B(n, n))
template <typename T> void elements(tla::Matrix<T> A, tla::Matrix<T> B) {
// ELEMENTS: matrix-choices.tla:[[@LINE+1]]:18: error: the program reads an element of a tile here
  const auto X = A(0, 0)(0, 0) == T(0) ? A : B;
  #pragma tla task
  scal(T(2), X(0, 0));
}
// MEND: Decide by sizes, loop variables and scalar parameters; what runs may not depend on elements.
