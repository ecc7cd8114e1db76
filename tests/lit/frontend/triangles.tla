// RUN: %hetc --emit=ir --algorithm factors %s | FileCheck %s
// RUN: %hetc check --algorithm factors %s
// RUN: %hetc check %s --algorithm ofMatrix
// RUN: not %hetc run --algorithm ofMatrix %s -m 5 -n 4 --nb 2 2>&1 | FileCheck %s --check-prefix=MATRIX
// RUN: %hetc run --algorithm ofTiles %s -n 5 --nb 2 --set h=2 --no-check
// RUN: not %hetc run --algorithm ofTiles %s -n 5 --nb 2 --set h=3 2>&1 | FileCheck %s --check-prefix=TILES
// RUN: not %hetc check --algorithm constant %s 2>&1 | FileCheck %s --check-prefix=CONSTANT
// RUN: not %hetc check --algorithm other %s 2>&1 | FileCheck %s --check-prefix=OTHER
#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void lower(tla::LowerMatrix<T> L) {
  for (int j = 0; j < L.nt(); ++j)
    for (int i = j; i < L.mt(); ++i) {
      #pragma tla task
      scal(T(2), L(i, j));
    }
}
#pragma tla algorithm
template <typename T> void upper(tla::UpperMatrix<T> U) {
  #pragma tla task
  scal(T(3), U(0, U.nt() - 1));
}

// Triangles of workspaces and matrices are parameters of other algorithms.
#pragma tla algorithm shape(A(n, n)) requires(n >= 1)
template <typename T> void factors(tla::Matrix<T> A) {
  tla::Workspace<T> W(A.n(), A.m(), A.nb());
  for (int j = 0; j < W.nt(); ++j)
    for (int i = 0; i < W.mt(); ++i) {
      #pragma tla task
      geadd(T(1), A(i, j), T(0), W(i, j));
    }
  lower(tla::LowerMatrix<T>(W));
  const tla::UpperMatrix U(W);
  upper(U);
  upper(tla::UpperMatrix(A));
}
// CHECK-NOT: {{^}} requires(A.n()
// CHECK: for (int j_1 = 0; j_1 < W.nt(); ++j_1)
// CHECK-NEXT: for (int i_1 = j_1; i_1 < W.mt(); ++i_1)
// CHECK-NEXT: task 1 tla::scal(T(2), rw W(i_1, j_1))
// CHECK: task 2 tla::scal(T(3), rw W(0, W.nt() - 1))
// CHECK: task 3 tla::scal(T(3), rw A(0, A.nt() - 1))

// That a matrix is square is asked before the run, where its shape does not say so.
#pragma tla algorithm
template <typename T> void ofMatrix(tla::Matrix<T> A) {
  lower(tla::LowerMatrix(A));
}
// MATRIX: ofMatrix requires A.m() == A.n(), but A is 5 x 4

#pragma tla algorithm shape(A(n, n)) requires(n >= 1)
template <typename T> void ofTiles(int h, tla::Matrix<T> A) {
  tla::Workspace<T> W(A.mt(), A.nt(), h, A.nb());
  for (int j = 0; j < W.nt(); ++j)
    for (int i = 0; i < W.mt(); ++i) {
      #pragma tla task
      laset(T(0), T(1), W(i, j));
    }
  lower(tla::LowerMatrix(W));
  #pragma tla task
  scal(T(2), A(0, 0));
}
// TILES: ofTiles requires h == A.nb(), but h is 3
#pragma tla algorithm
template <typename T> void constant(tla::Matrix<T> A) {
  tla::Workspace<T> W(2, 3, 4, 4);
// CONSTANT: triangles.tla:[[@LINE+1]]:9: error: a triangle is one of a square matrix in square tiles, which does not hold in this call: 8 == 12
  lower(tla::LowerMatrix(W));
}
#pragma tla algorithm
template <typename T> void other(tla::LowerMatrix<T> A) {
// OTHER: triangles.tla:[[@LINE+1]]:9: error: no matching conversion
  upper(tla::UpperMatrix<T>(A));
}
// MEND: Make the workspace square, with square tiles.
// MEND: Take a triangle of a general matrix, or of a workspace.
