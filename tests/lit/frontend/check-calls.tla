// A check argument that is a call names an algorithm with parameters (op, those arguments, B).
// RUN: %hetc --emit=ir --algorithm good %s | FileCheck %s
// RUN: not %hetc check --algorithm unknown %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not %hetc check --algorithm order %s 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not %hetc check --algorithm type %s 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not %hetc check --algorithm local %s 2>&1 | FileCheck %s --check-prefix=LOCAL
// RUN: not %hetc check --algorithm twice %s 2>&1 | FileCheck %s --check-prefix=TWICE
#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void apply_q(tla::Op op, int ib, tla::Matrix<T> A, tla::Matrix<T> W, tla::Matrix<T> B) {}

// CHECK: check qr(A, apply_q(ib, A, W))
#pragma tla algorithm shape(W(A.m(), A.n(), A.nb())) check(qr(A, apply_q(ib, A, W)))
template <typename T> void good(tla::Matrix<T> A, int ib, tla::Workspace<T> W) {}

// UNKNOWN: [[@LINE+1]]:39: error: no algorithm 'aply_q' is defined here; did you mean 'apply_q'?
#pragma tla algorithm check(qr(A,     aply_q(ib, A, A)))
template <typename T> void unknown(tla::Matrix<T> A, int ib) {}

// ORDER: [[@LINE+2]]:34: error: 'apply_q' must take (tla::Op, A, ib, A, tla::Matrix<T> B) to be called in a check: it overwrites B with op(Q) * B
// ORDER: 11:28: note: 'apply_q' is declared here
#pragma tla algorithm check(qr(A,apply_q(A, ib, A)))
template <typename T> void order(tla::Matrix<T> A, int ib) {}

// TYPE: [[@LINE+1]]:34: error: 'apply_q' must take (tla::Op, ib, A, L, tla::Matrix<T> B) to be called in a check: it overwrites B with op(Q) * B
#pragma tla algorithm check(qr(A,apply_q(ib, A, L)))
template <typename T> void type(tla::Matrix<T> A, tla::LowerMatrix<T> L, int ib) {}

// LOCAL: [[@LINE+1]]:49: error: the arguments of this call are parameters of 'local'
#pragma tla algorithm check(qr(A,apply_q(ib, A, W)))
template <typename T> void local(tla::Matrix<T> A, int ib) {
  tla::Workspace<T> W(A.mt(), A.nt(), ib, A.nb());
}

// TWICE: [[@LINE+1]]:32: error: this argument of the check is a matrix of the algorithm's element type, a parameter of 'twice'
#pragma tla algorithm check(qr(apply_q(ib, A, A),    apply_q(ib, A, A)))
template <typename T> void twice(tla::Matrix<T> A, int ib) {}

// MEND: Spell the name as the message suggests.
// MEND: Give the algorithm of the check the parameters in the message.
// MEND: The same.
// MEND: Pass parameters of the algorithm that is checked.
// MEND: Pass a matrix of element type T.
