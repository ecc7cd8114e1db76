// Ragged tiles of a matrix beside full tiles of a workspace: the smallest sizes for which a kernel cannot do it.
// RUN: not %hetc check %s 2>&1 | FileCheck %s
// RUN: not %hetc --split 2 %s -o %t 2>&1 | FileCheck %s
// RUN: %hetc check --algorithm fitting %s 2>&1 | FileCheck %s --check-prefix=FINE
// RUN: %hetc --emit=cpp --algorithm fitting %s | FileCheck %s --check-prefix=PROVED
// RUN: %hetc --emit=cpp --algorithm views %s | FileCheck %s --check-prefix=CHECKED
#include <tla/tla.hpp>

#pragma tla algorithm shape(A(m, n))
template <typename T> void sizes_that_do_not_fit(tla::Matrix<T> A) {
  tla::Workspace<T> W(A.mt(), A.nt(), A.nb(), A.nb());
  for (int i = 0; i < A.mt(); ++i)
    for (int j = 0; j < A.nt(); ++j) {
      #pragma tla task
      laset(T(0), T(1), W(i, j));
// CHECK: sizes_that_do_not_fit.tla:[[@LINE+2]]:7: error: for m = 1, n = 1, nb = 2, i = 0, j = 0: gemm requires (opA == NoTrans ? A.m() : A.n()) == C.m(), but opA is NoTrans; A, which is W(0, 0), is 2 x 2; C, which is A(0, 0), is 1 x 1
      #pragma tla task
      gemm(NoTrans, NoTrans, T(1), W(i, j), W(i, j), T(1), A(i, j));
    }
}

// FINE: fitting: fine
// PROVED-NOT: failRequirement
#pragma tla algorithm shape(A(m, n))
template <typename T> void fitting(tla::Matrix<T> A) {
  tla::Workspace<T> W(A.m(), A.n(), A.nb());
  for (int i = 0; i < A.mt(); ++i)
    for (int j = 0; j < A.nt(); ++j) {
      #pragma tla task
      omatcopy(NoTrans, T(2), A(i, j), W(i, j));
      #pragma tla task
      omatcopy(NoTrans, T(1), W(i, j), A(i, j));
    }
}

// CHECKED: failRequirement("A.m() >= (side == Left ? B.m() : B.n())"
#pragma tla algorithm shape(A(m, n))
template <typename T> void views(tla::Matrix<T> A) {
  for (int i = 1; i < A.mt(); ++i)
    for (int j = 0; j < A.nt() - 1; ++j) {
      #pragma tla task
      trsm(Left, Lower, NoTrans, Unit, T(1), A(0, j), A(i, j).rows(0, i % A.nb() < 1 ? 1 : 0));
    }
}

// MEND: A workspace of `A.mt()` tiles of `A.nb()` rows has full tiles, where those at the edge of A are smaller: give the workspace the form `W(A.m(), A.n(), A.nb())`, or pass `.rows(0, h)` of it.
