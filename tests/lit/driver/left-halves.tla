// Standard kernels stay inside the half of a tile that they are given: lower() is without the diagonal.
// RUN: not %hetc check --algorithm left_halves %s 2>&1 | FileCheck %s
// RUN: %hetc check --algorithm inside %s 2>&1 | FileCheck %s --check-prefix=FINE
// RUN: sh -c '%hetc run %s --algorithm chosen -n 12 --nb 4 --set uplo=Lower --quiet 2>%t.err; test $? -eq 4' && FileCheck %s --check-prefix=CHOSEN < %t.err
// RUN: %hetc run %s --algorithm chosen -n 12 --nb 4 --set uplo=Upper --quiet
#include <tla/tla.hpp>

#pragma tla algorithm shape(A(n, n), B(n, n)) requires(n >= 1, n % A.nb() == 0)
template <typename T> void left_halves(tla::Matrix<T> A, tla::Matrix<T> B) {
  for (int i = 0; i < A.nt(); ++i) {
// CHECK: left-halves.tla:[[@LINE+2]]:47: error: trmm stays inside A, which is A(i, i).lower(), only if uplo == Lower && diag == Unit
    #pragma tla task
    trmm(Left, Lower, NoTrans, NonUnit, T(1), A(i, i).lower(), B(i, i));
// CHECK: left-halves.tla:[[@LINE+2]]:18: error: potrf does not stay inside A, which is A(i, i).lower()
    #pragma tla task
    potrf(Lower, A(i, i).lower());
// CHECK: left-halves.tla:[[@LINE+2]]:34: error: gemm does not stay inside A, which is A(i, i).upper()
    #pragma tla task
    gemm(NoTrans, NoTrans, T(1), A(i, i).upper(), A(i, i), T(0), B(i, i));
  }
}

// FINE: inside: fine
#pragma tla algorithm shape(A(n, n), B(n, n)) requires(n >= 1, n % A.nb() == 0)
template <typename T> void inside(tla::Matrix<T> A, tla::Matrix<T> B) {
  for (int i = 0; i < A.nt(); ++i) {
    #pragma tla task
    potrf(Upper, A(i, i).upper());
    #pragma tla task
    trsm(Left, Upper, ConjTrans, NonUnit, T(1), A(i, i).upper(), B(i, i));
    #pragma tla task
    trmm(Left, i == 0 ? Lower : Lower, NoTrans, Unit, T(1), A(i, i).lower(), B(i, i));
    #pragma tla task
    trmm(Left, Lower, NoTrans, NonUnit, T(1), conjTrans(A(i, i)).lower(), B(i, i));
  }
}

// CHOSEN: hetc: chosen: stays inside A, which is A(i, i).upper(), only if uplo == Upper; give it
#pragma tla algorithm shape(A(n, n)) requires(n >= 1) input(A : spd)
template <typename T> void chosen(tla::Uplo uplo, tla::Matrix<T> A) {
  for (int i = 0; i < A.nt(); ++i) {
    #pragma tla task
    lauum(uplo, A(i, i).upper());
  }
}

// MEND: Give the whole tile, or the half that has all that the kernel needs: `lower()` is strictly below the diagonal, `upper()` the rest.
