// Conditions that ask which tiles a matrix has: of triangles, transposes, chosen matrices, workspaces, called algorithms.
// RUN: %hetc --emit=ir --algorithm asks %s 2>&1 | FileCheck %s
// RUN: %hetc check --algorithm asks %s 2>&1 | FileCheck %s --check-prefix=CHECK-IT
// RUN: %hetc run --algorithm asks %s -m 21 -n 13 --nb 4 --quiet --serial --output A=%t.s.npy
// RUN: %hetc run --algorithm asks %s -m 21 -n 13 --nb 4 --quiet --threads 2 --output A=%t.2.npy && cmp %t.s.npy %t.2.npy
// RUN: %hetc run --algorithm asks %s -m 21 -n 13 --nb 4 --quiet --split 2 --output A=%t.3.npy && cmp %t.s.npy %t.3.npy
// RUN: %hetc run --algorithm asks %s -m 21 -n 13 --nb 4 --quiet --devices emulated:2 --output A=%t.d.npy && cmp %t.s.npy %t.d.npy
// RUN: %hetc run --algorithm asks %s -m 21 -n 13 --nb 4 --quiet --pattern A=%S/Inputs/tiles.mtx --serial --output A=%t.p.npy
// RUN: %hetc run --algorithm asks %s -m 21 -n 13 --nb 4 --quiet --pattern A=%S/Inputs/tiles.mtx --output A=%t.q.npy && cmp %t.p.npy %t.q.npy
// RUN: %hetc run --algorithm asks %s -m 21 -n 13 --nb 4 --quiet --pattern A=%S/Inputs/tiles.mtx --split 2 --output A=%t.r.npy && cmp %t.p.npy %t.r.npy
// RUN: not %hetc run --algorithm unasked %s -m 21 -n 13 --nb 4 --quiet --pattern A=%S/Inputs/tiles.mtx 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: not %hetc run --algorithm unasked %s -m 21 -n 13 --nb 4 --quiet --pattern A=%S/Inputs/tiles.mtx --serial 2>&1 | FileCheck %s --check-prefix=SOME
// RUN: not %hetc cost --algorithm unasked %s -m 21 -n 13 --nb 4 --pattern A=%S/Inputs/tiles.mtx --dist row:2 2>&1 | FileCheck %s --check-prefix=SOME
// ABSENT: hetc: unasked: the matrix' pattern does not have tile A(0, 1) (scal on A(0, 1), which-tiles.tla:[[@LINE+10]])
// SOME: hetc: unasked: the matrix' pattern does not have tile A(0, 1) (scal, which-tiles.tla:[[@LINE+9]])
#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void unasked(tla::Matrix<T> A) {
  for (int j = 0; j < A.nt(); ++j)
    for (int i = 0; i < A.mt(); ++i)
      if (i + 1 == j || A.has(i, j + 1) || j == 2) {
        #pragma tla task
        scal(T(2), A(i, j));
      }
}

/// Negates what its matrix has, and counts the neighbours there are.
#pragma tla algorithm
template <typename T> void called(T sum, tla::Matrix<T> A) {
  for (int j = 0; j < A.nt(); ++j)
    for (int i = 0; i < A.mt(); ++i)
      if (A.has(i, j)) {
        #pragma tla task priority(A.has(i + 1, j) ? 2 : 1)
        scal(T(A.has(i + 1, j) + (A.has(i, j + 1) ? 4 : 2)) + sum, A(i, j));
      }
}

// CHECK-LABEL: program asks(
// CHECK-IT: remark: 'A.has(i, j)' is not known before the run; 'asks' runs in replay mode
// CHECK-IT-NOT: remark
// CHECK-IT: asks: fine (6 task statements)
#pragma tla algorithm shape(A(m, n), S(n, n)) input(A : random, S : random)
template <typename T> void asks(tla::Matrix<T> A, tla::Matrix<T> S) {
  // CHECK: if (A.has(i, j))
  // CHECK: tla::scal(T(A.has(i + 1, j) + (A.has(i, j + 1) ? 4 : 2)) + T(1), rw A(i, j))
  called(T(1), A);
  // CHECK: if (A.has(j_1, i_1))
  // CHECK: rw A(j_1, i_1).conjTrans())
  called(T(2), conjTrans(A));
  tla::LowerMatrix<T> L(S);
  for (int j = 0; j < L.nt(); ++j)
    for (int i = -1; i < L.mt() + 1; ++i)
      // CHECK: if (i_{{.*}} >= j_{{.*}} && S.has(i_{{.*}}, j_{{.*}}))
      if (L.has(i, j)) {
        #pragma tla task
        scal(T(3), L(i, j));
      }
  tla::Workspace<T> W(A.mt(), A.nt(), A.mb(), A.nb());
  for (int j = 0; j < A.nt() + 2; ++j)
    for (int i = 0; i < A.mt(); ++i)
      // CHECK: if ({{.*}} >= 0 && {{.*}} < A.mt() && {{.*}} >= 0 && {{.*}} < A.nt()) @
      if (W.has(i, j)) {
        #pragma tla task
        laset(T(1), T(2), W(i, j));
        if (!A.has(i, j)) {
          #pragma tla task
          scal(T(4), W(i, j));
        } else {
          #pragma tla task
          scal(T(5), A(i, j));
        }
      }
}
