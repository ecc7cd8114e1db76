// A product with the constant 0 for beta writes its result, so that no one need fill a fresh tile before; where a loop decides,
// the first step writes and the others add.
// RUN: %hetc --emit=ir %s --algorithm f | FileCheck %s
// RUN: %hetc check %s --algorithm f
// RUN: not %hetc check %s --algorithm late 2>&1 | FileCheck %s --check-prefix=LATE
// RUN: not %hetc check %s --algorithm empty 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not %hetc check %s --algorithm triangle 2>&1 | FileCheck %s --check-prefix=TRIANGLE
#include <tla/tla.hpp>

// CHECK: kernel mix<T>(p, beta, read A, rw B, rw C) writes(B if beta == 0 && p > 0) writes(C if p == 1)
#pragma tla kernel writes(B if beta == 0 && p > 0, C if p == 1)
template <typename T> void mix(int p, T beta, tla::ConstTile<T> A, tla::Tile<T> B, tla::Tile<T> C);

#pragma tla algorithm shape(A(n, n), C(n, n)) requires(n >= 1)
template <typename T> void f(T beta, int p, tla::Matrix<T> A, tla::Matrix<T> C) {
  tla::Workspace<T> W(A.m(), A.n(), A.nb());
  for (int i = 0; i < C.mt(); ++i) {
    for (int k = 0; k < A.nt(); ++k) {
      // CHECK: if (k == 0)
      // CHECK-NEXT: task 0 tla::gemm({{.*}}, T(0), write W(i, 0))
      // CHECK: else
      // CHECK-NEXT: task 1 tla::gemm({{.*}}, T(1), rw W(i, 0))
      #pragma tla task
      gemm(NoTrans, NoTrans, T(1), A(i, k), A(k, 0), k == 0 ? T(0) : T(1), W(i, 0));
    }
    // A value that is known only when it runs may be another than 0; so may one that is no exact integer.
    // CHECK: task 2 tla::gemm({{.*}}, beta, rw C(i, 0))
    #pragma tla task
    gemm(NoTrans, NoTrans, T(1), W(i, 0), A(0, 0), beta, C(i, 0));
    // CHECK: task 3 tla::gemm({{.*}}, T(1e-30), rw C(i, 0))
    #pragma tla task
    gemm(NoTrans, NoTrans, T(1), W(i, 0), A(0, 0), T(1e-30), C(i, 0));
    // CHECK: task 4 tla::gemm({{.*}}, T(-0.0), write C(i, 0))
    #pragma tla task
    gemm(NoTrans, NoTrans, T(1), W(i, 0), A(0, 0), T(-0.0), C(i, 0));
    // The rest of a view's tile stays.
    // CHECK: task 5 tla::gemm({{.*}}, T(0), rw C(i, 0).rows(0, 1))
    #pragma tla task
    gemm(NoTrans, NoTrans, T(1), W(i, 0).rows(0, 1), A(0, 0), T(0), C(i, 0).rows(0, 1));
    // Two tiles, two cases of each.
    // CHECK: if (p > 0)
    // CHECK-NEXT: if (p == 1)
    // CHECK-NEXT: task 6 mix(p, T(0), read A(i, 0), write C(i, 0), write W(i, 0))
    // CHECK: task 7 mix(p, T(0), read A(i, 0), write C(i, 0), rw W(i, 0))
    // CHECK: task 8 mix(p, T(0), read A(i, 0), rw C(i, 0), write W(i, 0))
    // CHECK: task 9 mix(p, T(0), read A(i, 0), rw C(i, 0), rw W(i, 0))
    #pragma tla task
    mix(p, T(0), A(i, 0), C(i, 0), W(i, 0));
  }
}

#pragma tla algorithm shape(A(n, n))
template <typename T> void late(tla::Matrix<T> A) {
  tla::Workspace<T> W(1, 1, A.nb(), A.nb());
  for (int k = 0; k < A.nt(); ++k) {
    // LATE: conditional-writes.tla:[[@LINE+2]]:74: error: for k = 0 (W has 1 x 1 tiles) this reads W(0, 0), which no earlier task wrote
    #pragma tla task
    gemm(NoTrans, NoTrans, T(1), A(k, k), A(k, k), k == 1 ? T(0) : T(1), W(0, 0).rows(0, 1));
  }
}

// What is left out when a size is 0 is said.
#pragma tla algorithm shape(A(m, n))
template <typename T> void empty(tla::Matrix<T> A) {
  tla::Workspace<T> W(A.mt(), 1, A.nb(), A.nb());
  for (int i = 0; i < A.mt(); ++i) {
    for (int k = 0; k < A.nt(); ++k) {
      #pragma tla task
      gemm(NoTrans, ConjTrans, T(1), A(i, k), A(i, k), k == 0 ? T(0) : T(1), W(i, 0));
    }
    // EMPTY: conditional-writes.tla:[[@LINE+2]]:16: error: for n = 0, i = 0 (W has 1 x 1 tiles) this reads W(0, 0), which no earlier task wrote
    #pragma tla task
    scal(T(2), W(i, 0));
  }
}

// One triangle is written, the other stays.
#pragma tla algorithm shape(A(n, n))
template <typename T> void triangle(tla::Matrix<T> A) {
  tla::Workspace<T> W(1, 1, A.nb(), A.nb());
  for (int k = 0; k < A.nt(); ++k) {
    // TRIANGLE: conditional-writes.tla:[[@LINE+2]]:{{[0-9]+}}: error: for k = 0 (W has 1 x 1 tiles) this reads W(0, 0), which no earlier task wrote
    #pragma tla task
    syrk(Lower, NoTrans, T(1), A(k, k), T(0), W(0, 0));
  }
}

// MEND: Fill the tile first, or let a constant, or the loop, decide that beta is 0.
