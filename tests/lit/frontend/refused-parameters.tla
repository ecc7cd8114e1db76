// Every parameter that is refused is said, and nothing that clauses and statements then lack.
// RUN: not %hetc check %s 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tla/tla.hpp>

#pragma tla algorithm shape(A(n, n), B(n, n), C(n, n)) requires(n >= t) input(A : random, B : random) default(t : 3)
template <typename T>
// CHECK: [[@LINE+1]]:32: error: the elements of matrix 'A' must be float, double, std::complex of either, or int
void refused(tla::Matrix<long> A, tla::Matrix<T> B,
// CHECK: [[@LINE+1]]:32: error: the elements of matrix 'C' must be float, double, std::complex of either, or int
             tla::Matrix<char> C, int t) {
  for (int i = 0; i < A.nt(); ++i) {
    #pragma tla task
    scal(T(1), B(i, C.nt() - t));
  }
}

// MEND: Use a matrix of T for numbers that are computed with, and one of int for counts and positions.
