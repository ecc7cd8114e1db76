// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

// CHECK: bad-sums.tla:[[@LINE+1]]:24: error: 'A' is not a tla::Tile<T> of kernel 'one': sum(...) says when something is added to such a tile
#pragma tla kernel sum(A)
template <typename T> void one(int p, tla::ConstTile<T> A, tla::Tile<T> B);
// CHECK: bad-sums.tla:[[@LINE+1]]:29: error: sum(...) takes a condition on scalar parameters, as in sum(C if beta == 1)
#pragma tla kernel sum(A if A.m() == 0)
template <typename T> void two(int p, tla::Tile<T> A);
// CHECK: bad-sums.tla:[[@LINE+1]]:29: error: 'q' is not a scalar parameter of kernel 'three'
#pragma tla kernel sum(A if q == 0)
template <typename T> void three(int p, tla::Tile<T> A);
// CHECK: bad-sums.tla:[[@LINE+1]]:29: error: 'p' is not a tla::Uplo of kernel 'four': sum(C in uplo) names the parameter that says which triangle of C is added to
#pragma tla kernel sum(B in p)
template <typename T> void four(int p, tla::ConstTile<T> A, tla::Tile<T> B);
// CHECK: bad-sums.tla:[[@LINE+1]]:24: error: kernel 'five' returns info, which may depend on the whole sum: sum(...) is for kernels that return void
#pragma tla kernel sum(A)
template <typename T> int five(tla::Tile<T> A);

#pragma tla algorithm shape(A(n, n))
template <typename T> void f(tla::Matrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
    one(1, A(k, k), A(k, 0));
    #pragma tla task
    two(1, A(k, k));
    #pragma tla task
    three(1, A(k, k));
    #pragma tla task
    four(1, A(k, k), A(k, 0));
    #pragma tla task
    five(A(k, k));
  }
}

// MEND: Name a parameter of type `tla::Tile<T>`.
// MEND: Write a condition on the kernel's scalar parameters behind `if`.
// MEND: Name a scalar parameter of this kernel.
// MEND: Name the parameter of type `Uplo`.
// MEND: Leave `sum` out, or let a kernel of its own look at the result.
