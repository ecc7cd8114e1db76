// RUN: not %hetc check --algorithm beyond %s 2>&1 | FileCheck %s --check-prefix=BEYOND --implicit-check-not=error:
// RUN: not %hetc check --algorithm around %s 2>&1 | FileCheck %s --check-prefix=AROUND --implicit-check-not=error:
// RUN: not %hetc check --algorithm nowhere %s 2>&1 | FileCheck %s --check-prefix=NOWHERE --implicit-check-not=error:
// RUN: not %hetc check --algorithm ends %s 2>&1 | FileCheck %s --check-prefix=ENDS --implicit-check-not=error:
// RUN: not %hetc check --algorithm scratch %s 2>&1 | FileCheck %s --check-prefix=SCRATCH
// RUN: not %hetc check --algorithm above %s 2>&1 | FileCheck %s --check-prefix=ABOVE --implicit-check-not=error:
// RUN: not %hetc graph --algorithm powers %s -n 9 2>&1 | FileCheck %s --check-prefix=GRAPH
#include <tla/tla.hpp>

// The matrix has the tile, and the part does not.
#pragma tla algorithm shape(A(m, n)) requires(A.mt() >= A.nt())
template <typename T> void beyond(tla::Matrix<T> A) {
  for (int k = 0; k < A.mt(); ++k) {
    const auto row = A.tiles(k, k + 1, 0, A.nt());
    for (int i = 0; i < row.nt(); ++i) {
// BEYOND: [[@LINE+2]]:18: error: for k = 0, i = 1 (A has 2 x 2 tiles) this writes A(1, 0), which is outside A.tiles(k, k + 1, 0, A.nt())
      #pragma tla task
      scal(T(2), row(i, 0));
    }
  }
}

// The part has it, and what that is a part of does not.
#pragma tla algorithm shape(A(m, n)) requires(A.mt() >= 3)
template <typename T> void around(tla::Matrix<T> A) {
  const auto two = A.tiles(0, 2, 0, A.nt());
  const auto three = two.tiles(0, 3, 0, A.nt());
  for (int j = 0; j < A.nt(); ++j) {
// AROUND: [[@LINE+2]]:16: error: for j = 0 (A has 3 x 1 tiles) this writes A(2, 0), which is outside A.tiles(0, 2, 0, A.nt())
    #pragma tla task
    scal(T(2), three(2, j));
  }
}

// Nor has the matrix.
#pragma tla algorithm shape(A(m, n)) requires(A.m() >= 1, A.n() >= 1)
template <typename T> void nowhere(tla::Matrix<T> A) {
// NOWHERE: [[@LINE+2]]:14: error: {{.*}}(A has 1 x 1 tiles) this writes A(1, 0)
  #pragma tla task
  scal(T(2), A.tiles(1, 2, 0, 1)(0, 0));
}

#pragma tla algorithm shape(A(n, n), r(1, 1)) requires(n >= 1)
template <typename T> void ends(tla::Matrix<T> A, tla::Matrix<T> r) {
  const auto s = A.tiles(0, 1, 0, 1);
  for (int k = 0; k < 10; ++k) {
    #pragma tla task
    geadd(T(1), A(0, 0).rows(0, 1).cols(0, 1), T(0.5), r(0, 0));
// ENDS: [[@LINE+1]]:5: error: a value is that of a matrix, not of some of its tiles
    if (tla::value(s) < 1)
      break;
  }
}

// A workspace may have the size of a part, but not any size that a loop decides.
#pragma tla algorithm
template <typename T> void sums(int rows, tla::Matrix<T> A) {
// SCRATCH: [[@LINE+1]]:21: error: the size of workspace 'W' depends on the loop variable 'k'; declare it before the loops
  tla::Workspace<T> W(rows * A.nb(), A.n(), A.nb());
  for (int i = 0; i < A.mt(); ++i) {
    #pragma tla task
    geadd(T(1), A(i, 0), T(0), W(i, 0));
  }
}
#pragma tla algorithm requires(n >= 1)
template <typename T> void scratch(tla::Matrix<T> A) {
  for (int k = 0; k < A.mt(); ++k)
    sums(k, A.tiles(k, A.mt(), 0, A.nt()));
}

// What is beyond proof is found where it is gone through.
// GRAPH: A(4, 0) is outside A.tiles(0, 2, 0, 1) for i = 2
#pragma tla algorithm shape(A(n, n)) requires(A.mt() >= 9)
template <typename T> void powers(tla::Matrix<T> A) {
  for (int i = 0; i < 3; ++i) {
    #pragma tla task
    scal(T(2), A.tiles(0, 2, 0, 1)(i * i, 0));
  }
}

// Of a triangle four bounds give the tiles that it stores.
#pragma tla algorithm requires(A.mt() >= 2)
template <typename T> void above(tla::LowerMatrix<T> A) {
// ABOVE: [[@LINE+2]]:14: error: (A has 2 x 2 tiles, lower triangle only) this writes A(0, 1)
  #pragma tla task
  scal(T(2), A.tiles(0, 2, 0, 2)(0, 1));
}

// MEND: Let the loop count the tiles that the part has: `row.mt()`.
// MEND: Make the part that this one is taken from larger, or take it from the matrix.
// MEND: Let the bounds of a part be those of the matrix: at most `A.mt()` and `A.nt()`.
// MEND: Ask for the value of a matrix of one tile, which a task writes.
// MEND: Declare the workspace before the loop, of the size of the whole matrix, and pass it, or a part of it.
// MEND: Take a tile of the stored triangle, or its transpose.
