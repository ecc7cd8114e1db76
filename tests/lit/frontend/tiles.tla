// Some of the tiles of a matrix as a matrix: accesses are to the matrix itself, inside the range that it was named by.
// RUN: %hetc check %s 2>&1 | FileCheck %s --check-prefix=FINE --implicit-check-not=remark
// RUN: %hetc --emit=ir %s | FileCheck %s
// RUN: %hetc --emit=deps %s | FileCheck %s --check-prefix=DEPS
// RUN: %hetc run %s -m 37 -n 22 --nb 4 --type z --quiet --serial --output A=%t.s.npy
// RUN: %hetc run %s -m 37 -n 22 --nb 4 --type z --quiet --threads 2 --output A=%t.2.npy && cmp %t.s.npy %t.2.npy
// RUN: %hetc run %s -m 37 -n 22 --nb 4 --type z --quiet --split 2 --output A=%t.3.npy
// RUN: %hetc run %s -m 37 -n 22 --nb 4 --type z --quiet --devices emulated:2 --output A=%t.d.npy && cmp %t.s.npy %t.d.npy
// FINE: tiles: fine (12 task statements)
#include <tla/tla.hpp>

/// Twice all of A, and three times its last tile.
#pragma tla algorithm
template <typename T> void twice(tla::Matrix<T> A) {
  for (int i = 0; i < A.mt(); ++i)
    for (int j = 0; j < A.nt(); ++j) {
      #pragma tla task
      scal(T(2), A(i, j).rows(0, min(A.mb(), A.m() - i * A.mb())));
      if (i == A.mt() - 1 && j == A.nt() - 1) {
        #pragma tla task
        scal(T(1.5), A(i, j));
      }
    }
}

#pragma tla algorithm
template <typename T> void column(tla::Matrix<T> V, tla::Matrix<T> A) {
  #pragma tla task at(A(A.mt() - 1, 0))
  gemm(ConjTrans, NoTrans, T(0.125), V(0, 0), V(0, 0), T(1), A(A.mt() - 1, 0));
}

/// Workspaces of the size of what it is called with: cut as that is, of as many tiles, and in whole tiles.
#pragma tla algorithm
template <typename T> void scratch(tla::Matrix<T> A) {
  tla::Workspace<T> X(A.m(), A.n(), A.nb());
  tla::Workspace<T> Y(min(A.mt(), A.nt()), 1, A.nb(), A.nb());
  tla::Workspace<T> Z(A.mt() * A.nb(), A.n(), A.nb());
  for (int i = 0; i < X.mt(); ++i) {
    #pragma tla task
    geadd(T(1), A(i, 0), T(0), X(i, 0));
    #pragma tla task
    laset(T(0), T(1), Z(i, 0));
    if (i < Y.mt()) {
      #pragma tla task
      laset(T(0), T(1), Y(i, 0));
    }
    #pragma tla task
    geadd(T(1), Z(i, 0).rows(0, min(A.mb(), A.m() - i * A.mb())), T(1), X(i, 0));
    #pragma tla task
    geadd(T(0.25), X(i, 0), T(1), A(i, 0));
  }
}

/// Multiplies the first tile by the sizes of what it is called with.
#pragma tla algorithm
template <typename T> void measured(tla::Matrix<T> A) {
  #pragma tla task
  scal(T(A.m() - A.n() + 1), A(0, 0));
}

#pragma tla algorithm shape(A(m, n)) input(A : random) requires(m >= 1, n >= 1)
template <typename T> void tiles(tla::Matrix<T> A) {
  tla::Workspace<T> W(A.n(), A.n(), A.nb());
  for (int k = 0; k < A.mt(); ++k) {
// CHECK: for (int i = 0; i < max(0, A.mt() - k); ++i)
// CHECK: for (int j = 0; j < max(0, A.nt() - 1); ++j)
// CHECK: scal(T(2), rw A(k + i, 1 + j).rows({{.*}}).inside(k, A.mt(), 1, A.nt()))
// DEPS: S0[k, i, j] -> A[k + i, 1 + j]
    twice(A.tiles(k, A.mt(), 1, A.nt()));
// A part of a part, and of a transpose.
// CHECK: scal(T(2), rw A(k + 1 + i_1, j_1).rows({{.*}}).inside(k + 1, k + 2, 0, 1).inside(k, A.mt(), 0, A.nt()))
    if (k + 1 < A.mt())
      twice(A.tiles(k, A.mt(), 0, A.nt()).tiles(1, 2, 0, 1));
  }
  twice(conjTrans(A).tiles(0, A.nt(), A.mt() - 1, A.mt()));
// A range ends at the last row of tiles only where it ends with the number of the matrix' own rows of tiles.
// CHECK: scal(T(max(0, min(A.nt() * A.mb(), A.m())) - A.n() + 1), rw A(0, 0).inside(0, A.nt(), 0, A.nt()))
  if (A.nt() <= A.mt())
    measured(A.tiles(0, A.nt()));
// Workspaces of a part are parts of larger ones.
// CHECK: write X(k_1 + i_3, 0).inside(k_1, k_1 + max(0, A.mt() - k_1), 0, X.nt())
// CHECK: write Z(i_3, 0).inside(0, max(0, A.mt() - k_1), 0, Z.nt())
// CHECK: write Y(i_3, 0).inside(0, min(max(0, A.mt() - k_1), A.nt()), 0, 1)
  for (int k = 1; k < A.mt(); ++k)
    scratch(A.tiles(k, A.mt(), 0, A.nt()));
}
