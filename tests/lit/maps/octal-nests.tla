// Nests that are products, whatever the order of their loops: all are compared with the plain program when they are
// compiled, with shares and memories at random.
// RUN: %hetc run %s --tasks octal --algorithm outermost -n 90 --nb 16 --devices emulated:2 --device-weights 2:3 --check --quiet
// RUN: %hetc run %s --tasks octal --algorithm middle -n 90 --nb 16 --devices emulated:2 --device-weights 2:3 --check --quiet
// RUN: %hetc run %s --tasks octal --algorithm columns -n 90 --nb 16 --devices emulated:2 --device-weights 2:3 --check --quiet
// RUN: %hetc run %s --tasks octal --algorithm beside -n 90 --nb 16 --devices emulated:2 --device-weights 2:3 --check --quiet
// RUN: %hetc run %s --tasks octal --algorithm vectors -n 90 --nb 16 --devices emulated:2 --device-weights 2:3 --check --quiet
// RUN: %hetc run %s --tasks octal --algorithm banded -n 90 --nb 16 --devices emulated:2 --device-weights 2:3 --check --quiet
// RUN: %hetc run %s --tasks octal --algorithm beyond -n 90 --nb 16 --devices emulated:2 --device-weights 2:3 --check --quiet
// RUN: %hetc %s --emit=maps --tasks octal --algorithm beside | FileCheck %s
#include <tla/tla.hpp>

#pragma tla algorithm shape(A(n, n), B(n, n), C(n, n)) input(A : random, B : random, C : random) \
    check(gemm(NoTrans, NoTrans, 1, A, B, 1, C))
template <typename T> void outermost(tla::Matrix<T> A, tla::Matrix<T> B, tla::Matrix<T> C) {
  for (int k = 0; k < A.nt(); ++k)
    for (int i = 0; i < C.mt(); ++i)
      for (int j = 0; j < C.nt(); ++j) {
        #pragma tla task
        gemm(NoTrans, NoTrans, T(1), A(i, k), B(k, j), T(1), C(i, j));
      }
}

#pragma tla algorithm shape(A(n, n), B(n, n), C(n, n)) input(A : random, B : random, C : random) \
    check(gemm(Trans, NoTrans, 2, A, B, 1, C))
template <typename T> void middle(tla::Matrix<T> A, tla::Matrix<T> B, tla::Matrix<T> C) {
  for (int j = 0; j < C.nt(); ++j)
    for (int k = 0; k < A.mt(); ++k)
      for (int i = 0; i < C.mt(); ++i) {
        #pragma tla task
        gemm(Trans, NoTrans, T(2), A(k, i), B(k, j), T(1), C(i, j));
      }
}

#pragma tla algorithm shape(A(n, n), B(n, n), C(n, n)) input(A : random, B : random, C : random) \
    check(gemm(NoTrans, NoTrans, 1, A, B, 0, C))
template <typename T> void columns(tla::Matrix<T> A, tla::Matrix<T> B, tla::Matrix<T> C) {
  for (int j = 0; j < C.nt(); ++j)
    for (int i = 0; i < C.mt(); ++i)
      for (int k = 0; k < A.nt(); ++k) {
        #pragma tla task
        gemm(NoTrans, NoTrans, T(1), A(i, k), B(k, j), k == 0 ? T(0) : T(1), C(i, j));
      }
}

// CHECK: for (int i__before = 0;
// CHECK: tla::scal(T(3), rw C(i__before, j__before))
// CHECK: for (int s__ = 0;
// CHECK: tla::gemm(NoTrans, NoTrans, T(1), read A(i, k), read B(k, j), T(1), rw C(i, j))
// CHECK: for (int i__behind = 0; i__behind < C.mt(); ++i__behind)
// CHECK-NEXT: for (int j__behind = 0; j__behind < C.nt(); ++j__behind)
// CHECK-NEXT: tla::scal(T(2), rw C(i__behind, j__behind))
#pragma tla algorithm shape(A(n, n), B(n, n), C(n, n)) input(A : random, B : random, C : random) \
    check(gemm(NoTrans, NoTrans, 2, A, B, 6, C))
template <typename T> void beside(tla::Matrix<T> A, tla::Matrix<T> B, tla::Matrix<T> C) {
  for (int i = 0; i < C.mt(); ++i)
    for (int j = 0; j < C.nt(); ++j) {
      #pragma tla task
      scal(T(3), C(i, j));
      for (int k = 0; k < A.nt(); ++k) {
        #pragma tla task
        gemm(NoTrans, NoTrans, T(1), A(i, k), B(k, j), T(1), C(i, j));
      }
      #pragma tla task
      scal(T(2), C(i, j));
    }
}

#pragma tla algorithm shape(A(n, n), X(n, 3), Y(n, 3)) input(A : random, X : random, Y : random) \
    check(gemm(NoTrans, NoTrans, 1, A, X, 1, Y))
template <typename T> void vectors(tla::Matrix<T> A, tla::Matrix<T> X, tla::Matrix<T> Y) {
  for (int k = 0; k < A.nt(); ++k)
    for (int i = 0; i < Y.mt(); ++i) {
      #pragma tla task
      gemm(NoTrans, NoTrans, T(1), A(i, k), X(k, 0), T(1), Y(i, 0));
    }
}

// Two updates in a step, and steps without any.
#pragma tla algorithm shape(A(n, n), B(n, n), C(n, n)) input(A : lower, B : random, C : random) \
    check(gemm(NoTrans, NoTrans, 3, A, B, 1, C))
template <typename T> void banded(tla::Matrix<T> A, tla::Matrix<T> B, tla::Matrix<T> C) {
  for (int i = 0; i < C.mt(); ++i)
    for (int j = 0; j < C.nt(); ++j)
      for (int k = 0; k < A.nt(); ++k)
        if (k <= i) {
          #pragma tla task
          gemm(NoTrans, NoTrans, T(1), A(i, k), B(k, j), T(1), C(i, j));
          #pragma tla task
          gemm(NoTrans, NoTrans, T(2), A(i, k), B(k, j), T(1), C(i, j));
        }
}

// Tiles that there are not: no part of theirs is made.
#pragma tla algorithm shape(A(n, n), B(n, n), C(n, n)) input(A : random, B : random, C : random) \
    check(gemm(NoTrans, NoTrans, 1, A, B, 1, C))
template <typename T> void beyond(tla::Matrix<T> A, tla::Matrix<T> B, tla::Matrix<T> C) {
  for (int i = 0; i < C.mt() + 2; ++i)
    for (int j = 0; j < C.nt() + 1; ++j)
      for (int k = 0; k < A.nt(); ++k)
        if (i < C.mt() && j < C.nt()) {
          #pragma tla task
          gemm(NoTrans, NoTrans, T(1), A(i, k), B(k, j), T(1), C(i, j));
        }
}

// RUN: %hetc run %s --tasks octal --algorithm sparse -n 6 --nb 1 --devices emulated:2 --device-weights 2:3 --pattern C=%S/Inputs/pattern.mtx --quiet
#pragma tla algorithm shape(A(n, n), B(n, n), C(n, n)) input(A : random, B : random, C : random)
template <typename T> void sparse(tla::Matrix<T> A, tla::Matrix<T> B, tla::Matrix<T> C) {
  for (int i = 0; i < C.mt(); ++i)
    for (int j = 0; j < C.nt(); ++j)
      for (int k = 0; k < A.nt(); ++k)
        if (C.has(i, j)) {
          #pragma tla task
          gemm(NoTrans, NoTrans, T(1), A(i, k), B(k, j), T(1), C(i, j));
        }
}
