// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

// CHECK: bad-conditional-writes.tla:[[@LINE+1]]:27: error: 'A' is not a tla::Tile<T> of kernel 'one': writes(...) says when such a tile is not read
#pragma tla kernel writes(A if p == 0)
template <typename T> void one(int p, tla::ConstTile<T> A, tla::Tile<T> B);
// CHECK: bad-conditional-writes.tla:[[@LINE+1]]:32: error: writes(...) takes a condition on scalar parameters, as in writes(C if beta == 0)
#pragma tla kernel writes(A if A.m() == 0)
template <typename T> void two(int p, tla::Tile<T> A);
// CHECK: bad-conditional-writes.tla:[[@LINE+1]]:32: error: 'q' is not a scalar parameter of kernel 'three'
#pragma tla kernel writes(A if q == 0)
template <typename T> void three(int p, tla::Tile<T> A);

#pragma tla algorithm shape(A(n, n))
template <typename T> void f(tla::Matrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
    one(1, A(k, k), A(k, 0));
    #pragma tla task
    two(1, A(k, k));
    #pragma tla task
    three(1, A(k, k));
  }
}

// MEND: Name a parameter of type `tla::Tile<T>`.
// MEND: Write a condition on the kernel's scalar parameters behind `if`.
// MEND: Name a scalar parameter of this kernel.
