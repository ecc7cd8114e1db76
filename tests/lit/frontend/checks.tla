// check(name(...)): the name, the number of arguments and the kind of each are looked at; scalars may be constants.
// RUN: %hetc --emit=ir --algorithm good %s | FileCheck %s
// RUN: not %hetc check --algorithm unknown %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not %hetc check --algorithm few %s 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: not %hetc check --algorithm kind %s 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not %hetc check --algorithm option %s 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not %hetc check --algorithm integer %s 2>&1 | FileCheck %s --check-prefix=INTEGER
// RUN: not %hetc check --algorithm element %s 2>&1 | FileCheck %s --check-prefix=ELEMENT
// RUN: not %hetc check --algorithm nocall %s 2>&1 | FileCheck %s --check-prefix=NOCALL
#include <tla/tla.hpp>

// CHECK: check gemm(NoTrans, opB, -2, A, B, 0.5, C)
#pragma tla algorithm check(gemm(NoTrans, opB, -2, A, B, 0.5, C))
template <typename T> void good(tla::Op opB, tla::Matrix<T> A, tla::Matrix<T> B, tla::Matrix<T> C) {}

// UNKNOWN: [[@LINE+1]]:29: error: no check 'lltt'; known are llt, {{.*}}; did you mean 'llt'?
#pragma tla algorithm check(lltt(A))
template <typename T> void unknown(tla::LowerMatrix<T> A) {}

// FEW: [[@LINE+1]]:29: error: the check 'plu' takes 2 arguments: a matrix of the algorithm's element type, a matrix of int
#pragma tla algorithm check(plu(A))
template <typename T> void few(tla::Matrix<T> A) {}

// KIND: [[@LINE+1]]:36: error: this argument of the check is a matrix of int, a parameter of 'kind'
#pragma tla algorithm check(plu(A, A))
template <typename T> void kind(tla::Matrix<T> A) {}

// OPTION: [[@LINE+1]]:34: error: this argument of the check is a tla::Op, a parameter of 'option' or a constant
#pragma tla algorithm check(gemm(Upper, NoTrans, 1, A, A, 0, C))
template <typename T> void option(tla::Matrix<T> A, tla::Matrix<T> C) {}

// INTEGER: [[@LINE+1]]:52: error: this argument of the check is a number, a parameter of 'integer' or a constant
#pragma tla algorithm check(gemm(NoTrans, NoTrans, alpha, A, A, 0, C))
template <typename T> void integer(int alpha, tla::Matrix<T> A, tla::Matrix<T> C) {}

// ELEMENT: [[@LINE+1]]:33: error: this argument of the check is a matrix of the algorithm's element type, a parameter of 'element'
#pragma tla algorithm check(llt(A))
template <typename T> void element(tla::LowerMatrix<float> A) {}

// NOCALL: [[@LINE+1]]:34: error: this argument of the check is the call of an algorithm that computes the residual
#pragma tla algorithm check(user(A))
template <typename T> void nocall(tla::Matrix<T> A) {}

// MEND: Spell the check as the message suggests.
// MEND: Pass the arguments of the message.
// MEND: Pass a matrix of the kind in the message.
// MEND: Pass an option or a constant such as `NoTrans`.
// MEND: Pass a number.
// MEND: Pass a matrix of element type T.
// MEND: Pass the call of an algorithm: `check(user(f(A)))`.
