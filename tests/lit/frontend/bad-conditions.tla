// RUN: not %hetc check %s 2>&1 | FileCheck %s
// RUN: not %hetc check %s 2>&1 | FileCheck %s --check-prefix=SIZES
#include <tla/tla.hpp>

// CHECK: bad-conditions.tla:[[@LINE+1]]:38: error: 'q' is not a scalar parameter of kernel 'one'
#pragma tla kernel requires(p >= 1 + q)
template <typename T> void one(int p, tla::Tile<T> A);
// CHECK: bad-conditions.tla:[[@LINE+1]]:29: error: requires(...) knows m() and n() of the kernel's tiles, and mt() of panels
#pragma tla kernel requires(A.mt() == 1)
template <typename T> void two(tla::Tile<T> A);
// CHECK: bad-conditions.tla:[[@LINE+1]]:29: error: requires(...) takes a condition, such as A.n() == B.m()
#pragma tla kernel requires(A.m())
template <typename T> void three(tla::Tile<T> A);
// CHECK: bad-conditions.tla:[[@LINE+1]]:29: error: 'p' is not a tile or panel of kernel 'four'
#pragma tla kernel alias(A, p)
template <typename T> void four(int p, tla::Tile<T> A);
// CHECK: bad-conditions.tla:[[@LINE+1]]:29: error: 'A' is not a scalar parameter of kernel 'five'
#pragma tla kernel requires(A == 1)
template <typename T> void five(tla::Tile<T> A);
// SIZES: bad-conditions.tla:[[@LINE+1]]:32: error: no matrix has 'k' rows or columns
#pragma tla algorithm requires(n <= m && k <= n) shape(A(m, n))
template <typename T> void f(tla::Matrix<T> A) {
  for (int k = 0; k < A.nt() && k < A.mt(); ++k) {
    #pragma tla task
    one(1, A(k, k));
    #pragma tla task
    two(A(k, k));
    #pragma tla task
    three(A(k, k));
    #pragma tla task
    four(1, A(k, k));
    #pragma tla task
    five(A(k, k));
  }
}

// MEND: Name a scalar parameter of this kernel.
// MEND: Use `m()` and `n()` of tiles; `mt()` is of panels.
// MEND: Compare: `A.m() == B.m()`.
// MEND: Name tiles or panels of this kernel.
// MEND: Use sizes of the tile: `A.n() == 1`.
// MEND: Use a size that a `shape` has, `m` or `n` here.
