// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

// CHECK: bad-flops.tla:[[@LINE+1]]:32: error: 'zz' is not a parameter of kernel 'one'
#pragma tla kernel flops(1.0 * zz)
template <typename T> void one(tla::Tile<T> A);
// CHECK: bad-flops.tla:[[@LINE+1]]:26: error: flops(...) knows m() and n() of the kernel's tiles
#pragma tla kernel flops(A.q())
template <typename T> void two(tla::Tile<T> A);
// CHECK: bad-flops.tla:[[@LINE+1]]:30: error: 'A' is not a scalar parameter of kernel 'three'
#pragma tla kernel flops(2 * A)
template <typename T> void three(tla::Tile<T> A);
#pragma tla algorithm
template <typename T> void f(tla::LowerMatrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
    one(A(k, k));
    #pragma tla task
    two(A(k, k));
    #pragma tla task
    three(A(k, k));
  }
}

// MEND: Name a parameter of this kernel.
// MEND: Use `m()` and `n()` of tiles, and scalar parameters.
// MEND: Say which size of the tile: `A.m()` or `A.n()`.
