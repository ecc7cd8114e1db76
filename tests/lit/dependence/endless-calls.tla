// RUN: not %hetc check --algorithm all %s 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: not %hetc check --algorithm halves %s 2>&1 | FileCheck %s --check-prefix=HALVES
// RUN: not %hetc check --algorithm blocks %s 2>&1 | FileCheck %s --check-prefix=BLOCKS
// RUN: not %hetc check --algorithm empty %s 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: %hetc check --algorithm deep %s 2>&1 | FileCheck %s --check-prefix=DEEP
// RUN: not %hetc check --algorithm wild %s 2>&1 | FileCheck %s --check-prefix=WILD
// RUN: %hetc check --algorithm even %s 2>&1 | FileCheck %s --check-prefix=GOOD --implicit-check-not=end
// RUN: %hetc check --algorithm numbers %s 2>&1 | FileCheck %s --check-prefix=GOOD --implicit-check-not=error
// RUN: %hetc check --algorithm many %s 2>&1 | FileCheck %s --check-prefix=GOOD --implicit-check-not=error
// RUN: %hetc check --algorithm counted %s 2>&1 | FileCheck %s --check-prefix=GOOD --implicit-check-not=end
#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void all(tla::LowerMatrix<T> A) {
// ALL: endless-calls.tla:[[@LINE+1]]:3: error: 'all' never ends: called for A of 0 x 0 tiles, it makes this call for as much again; make it only where there are more tiles, as in 'if (A.nt() > 1)', and with fewer
  all(A);
}
#pragma tla algorithm
template <typename T> void halves(tla::LowerMatrix<T> A) {
  if (A.nt() > 0) {
    halves(A.tiles(0, A.nt() / 2));
// HALVES: endless-calls.tla:[[@LINE+1]]:5: error: 'halves' never ends: called for A of 1 x 1 tiles, it
    halves(A.tiles(A.nt() / 2, A.nt()));
  }
}
#pragma tla algorithm shape(A(m, n)) requires(level >= 2)
template <typename T> void blocks(int level, tla::Matrix<T> A) {
  if (A.nt() > 2)
// BLOCKS: endless-calls.tla:[[@LINE+1]]:5: error: 'blocks' never ends: called for A of 0 x 3 tiles, it
    blocks(level, A.tiles(A.mt() / 2, A.mt(), 0, A.nt()));
}
#pragma tla algorithm
template <typename T> void empty(tla::LowerMatrix<T> A) {
  if (A.nt() > 1)
    empty(A.tiles(A.nt() / 2, A.nt()));
  else {
// EMPTY: endless-calls.tla:[[@LINE+2]]:18: error: A(0, 0) is outside A.tiles(0, 0, 0, 0) for A_begin = 0, A_end = 0, of a run with n = 0 and tiles of one element
    #pragma tla task
    potrf(Lower, A(0, 0));
  }
}
#pragma tla algorithm
template <typename T> void deep(int level, tla::LowerMatrix<T> A) {
  if (level < 5)
// DEEP: endless-calls.tla:[[@LINE+1]]:5: remark: hetc cannot prove that the calls of 'deep' end: it sees no number of tiles that each of them makes smaller; a run stops with an error where more than 1000 are inside one another
    deep(level + 1, A);
}
#pragma tla algorithm default(level : 0)
template <typename T> void wild(int level, tla::LowerMatrix<T> A) {
  if (level * level >= 0)
// WILD: endless-calls.tla:[[@LINE+1]]:5: error: more than 1000 calls of 'wild' are inside one another, of a run with n = 0 and tiles of one element
    wild(level + 1, A);
}

// Two that call each other: one of the numbers of tiles falls in each circle, and the other does not rise.
template <typename T> void odd(tla::Matrix<T> L, tla::Matrix<T> B);
#pragma tla algorithm shape(L(m, m), B(m, n))
template <typename T> void even(tla::Matrix<T> L, tla::Matrix<T> B) {
  if (L.nt() > 1)
    odd(L.tiles(0, L.nt() / 2, 0, L.nt() / 2), B.tiles(0, L.nt() / 2, 0, B.nt()));
}
#pragma tla algorithm shape(L(m, m), B(m, n))
template <typename T> void odd(tla::Matrix<T> L, tla::Matrix<T> B) {
  if (B.nt() > 1)
    odd(L, B.tiles(0, B.mt(), B.nt() / 2, B.nt()));
  even(L, B);
}
#pragma tla algorithm
template <typename T> void counted(int depth, tla::LowerMatrix<T> A) {
  if (depth > 0)
    counted(depth - 1, A);
}
// What a number decides is not tried, and a trial of many tasks is left.
#pragma tla algorithm
template <typename T> void numbers(T alpha, tla::LowerMatrix<T> A) {
  if (A.nt() > 1 && !(alpha == T(0)))
    numbers(alpha, A.tiles(0, A.nt() / 2));
  for (int t = 0; t < 9000; ++t)
    for (int k = 0; k < A.nt(); ++k) {
      #pragma tla task
      scal(T(2), A(k, k));
    }
}
#pragma tla algorithm
template <typename T> void many(tla::LowerMatrix<T> A) {
  if (A.nt() > 1)
    many(A.tiles(0, A.nt() / 2));
  for (int t = 0; t < 9000; ++t)
    for (int k = 0; k < A.nt(); ++k) {
      #pragma tla task
      scal(T(2), A(k, k));
    }
}
// GOOD: replay mode

// MEND: Make the call under a condition such as `if (A.nt() > 1)`, with fewer tiles than the algorithm was given.
// MEND: Make the call under a condition such as `if (A.nt() > 1)`, with fewer tiles than the algorithm was given.
// MEND: Halve the dimension that the condition asks for.
// MEND: Ask for the tile first, as by `else if (A.nt() == 1)`.
// MEND: Let an int count down to 0, or the number of tiles fall.
