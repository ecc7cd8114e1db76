// A kernel's parameter whose argument generated code cannot pass is refused where it is declared.
// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

enum class Mode { one, two };
enum Plain { three };
struct Weight {
  explicit Weight(int) {}
};
constexpr int global = 0;

#pragma tla kernel
// CHECK: kernel-parameters.tla:[[@LINE+2]]:56: error: parameter 'x' of kernel 'scoped' is of type 'Mode': beside tiles and panels a kernel takes numbers, bool, and tla's Op, Uplo, Diag and Side, by value or by const reference
// MEND: Pass an `int`, or one of tla's options, by value; the kernel makes of it what it needs.
template <typename T> void scoped(tla::Tile<T> A, Mode x) { A(0, 0) = T(1); }

#pragma tla kernel
// CHECK: kernel-parameters.tla:[[@LINE+1]]:56: error: parameter 'x' of kernel 'plain' is of type 'Plain': beside tiles and panels a kernel takes numbers, bool, and tla's Op, Uplo, Diag and Side, by value or by const reference
template <typename T> void plain(tla::Tile<T> A, Plain x) { A(0, 0) = T(1); }

#pragma tla kernel
// CHECK: kernel-parameters.tla:[[@LINE+1]]:56: error: parameter 'x' of kernel 'made' is of type 'Weight': beside tiles and panels a kernel takes numbers, bool, and tla's Op, Uplo, Diag and Side, by value or by const reference
template <typename T> void made(tla::Tile<T> A, Weight x) { A(0, 0) = T(1); }

#pragma tla kernel
// CHECK: kernel-parameters.tla:[[@LINE+1]]:57: error: parameter 'x' of kernel 'changed' is of type 'int &': beside tiles and panels a kernel takes numbers, bool, and tla's Op, Uplo, Diag and Side, by value or by const reference
template <typename T> void changed(tla::Tile<T> A, int &x) { A(0, 0) = T(1); }

#pragma tla kernel
// CHECK: kernel-parameters.tla:[[@LINE+1]]:56: error: parameter 'x' of kernel 'moved' is of type 'int &&': beside tiles and panels a kernel takes numbers, bool, and tla's Op, Uplo, Diag and Side, by value or by const reference
template <typename T> void moved(tla::Tile<T> A, int &&x) { A(0, 0) = T(1); }

#pragma tla kernel
// CHECK: kernel-parameters.tla:[[@LINE+1]]:60: error: parameter 'x' of kernel 'option' is of type 'tla::Op &': beside tiles and panels a kernel takes numbers, bool, and tla's Op, Uplo, Diag and Side, by value or by const reference
template <typename T> void option(tla::Tile<T> A, tla::Op &x) { A(0, 0) = T(1); }

#pragma tla kernel
// CHECK: kernel-parameters.tla:[[@LINE+1]]:63: error: parameter 'x' of kernel 'pointer' is of type 'const int *': beside tiles and panels a kernel takes numbers, bool, and tla's Op, Uplo, Diag and Side, by value or by const reference
template <typename T> void pointer(tla::Tile<T> A, const int *x) { A(0, 0) = T(1); }

#pragma tla algorithm shape(A(n, n)) input(A : zero)
template <typename T> void calls(tla::Op op, tla::Matrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
    scoped(A(k, k), Mode::two);
    #pragma tla task
    plain(A(k, k), three);
    #pragma tla task
    made(A(k, k), Weight(1));
    #pragma tla task
    changed(A(k, k), k);
    #pragma tla task
    moved(A(k, k), 1);
    #pragma tla task
    option(A(k, k), op);
    #pragma tla task
    pointer(A(k, k), &global);
  }
}
