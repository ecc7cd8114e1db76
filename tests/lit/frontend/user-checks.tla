// check(user(f(...))): f takes these, and a 1 x 1 matrix for the residual.
// RUN: %hetc --emit=ir --algorithm good %s | FileCheck %s
// RUN: not %hetc check --algorithm unsaid %s 2>&1 | FileCheck %s --check-prefix=UNSAID
// RUN: not %hetc check --algorithm shapes %s 2>&1 | FileCheck %s --check-prefix=SHAPES
// RUN: not %hetc check --algorithm more %s 2>&1 | FileCheck %s --check-prefix=MORE
// RUN: not %hetc check --algorithm expression %s 2>&1 | FileCheck %s --check-prefix=EXPRESSION
// RUN: not %hetc check --algorithm vector %s 2>&1 | FileCheck %s --check-prefix=VECTOR
// RUN: not %hetc check --algorithm writes %s 2>&1 | FileCheck %s --check-prefix=WRITES
// RUN: not %hetc check --algorithm proved %s 2>&1 | FileCheck %s --check-prefix=PROVED
// RUN: %hetc check --algorithm copies %s
#include <tla/tla.hpp>

#pragma tla algorithm shape(A(n, n), X(n, k), r(1, 1))
template <typename T>
void residual(tla::Op op, int s, T alpha, tla::LowerMatrix<T> A, tla::Matrix<T> X, tla::Matrix<T> r) {}

// CHECK: check user(residual(NoTrans, 3, -0.5, before(L), B))
#pragma tla algorithm shape(B(n, k)) check(user(residual(NoTrans, 3, -0.5, before(L), B)))
template <typename T> void good(tla::LowerMatrix<T> L, tla::Matrix<T> B) {}

// UNSAID: [[@LINE+2]]:65: error: the residual that a check asks for is 1 x 1: say shape(r(1, 1)) in '#pragma tla algorithm'
#pragma tla algorithm
template <typename T> void any(tla::Matrix<T> A, tla::Matrix<T> r) {}
#pragma tla algorithm check(user(any(A)))
template <typename T> void unsaid(tla::Matrix<T> A) {}

// It is proved for the shapes that it says, and for no others.
// SHAPES: [[@LINE+2]]:78: error: 'residual' takes a matrix of n x k here, but B is m x k
// SHAPES: 15:6: note: 'residual' is declared here
#pragma tla algorithm shape(B(m, k)) check(user(residual(NoTrans, 3, 1.5, L, B)))
template <typename T> void shapes(tla::LowerMatrix<T> L, tla::Matrix<T> B) {}

// MORE: [[@LINE+1]]:34: error: 'residual' must take (A, tla::Matrix<T> r) to be called in a check: it writes the residual to r, which is 1 x 1
#pragma tla algorithm check(user(residual(A)))
template <typename T> void more(tla::LowerMatrix<T> A) {}

// EXPRESSION: [[@LINE+1]]:76: error: the arguments of this call are parameters of 'expression', matrices as they were before it, as in before(A), and constants
#pragma tla algorithm shape(B(n, k)) check(user(residual(NoTrans, 3, -0.5, after(L), B)))
template <typename T> void expression(tla::LowerMatrix<T> L, tla::Matrix<T> B) {}

// VECTOR: [[@LINE+1]]:74: error: before() takes a matrix, which 's' is not
#pragma tla algorithm shape(B(n, k)) check(user(residual(NoTrans, before(s), -0.5, L, B)))
template <typename T> void vector(tla::LowerMatrix<T> L, tla::Matrix<T> B, int s) {}

// WRITES: [[@LINE+2]]:50: error: 'spoils' writes 'A', which the check gives it as the run left it: only 'r' may be written, and matrices that the check gives as before(A)
#pragma tla algorithm shape(A(m, n), r(1, 1)) requires(m >= 1, n >= 1)
template <typename T> void spoils(tla::Matrix<T> A, tla::Matrix<T> r) {
  #pragma tla task
  scal(T(2), A(0, 0));
}
#pragma tla algorithm check(user(spoils(A)))
template <typename T> void writes(tla::Matrix<T> A) {}
#pragma tla algorithm check(user(spoils(before(A)))) requires(m >= 1, n >= 1)
template <typename T> void copies(tla::Matrix<T> A) {}

// PROVED: [[@LINE+5]]:{{[0-9]+}}: error: {{.*}}this reads A(1, 0)
#pragma tla algorithm shape(A(m, n), r(1, 1)) requires(m >= 1, n >= 1)
template <typename T> void beyond(tla::Matrix<T> A, tla::Matrix<T> r) {
  #pragma tla task
  geadd(T(1),
        A(1, 0), T(1), r(0, 0));
}
#pragma tla algorithm check(user(beyond(A)))
template <typename T> void proved(tla::Matrix<T> A) {}

// MEND: Say `shape(r(1, 1))` in the pragma of the algorithm that judges.
// MEND: Pass a matrix of the shape in the message.
// MEND: Give the algorithm that judges a last parameter for the residual.
// MEND: Pass parameters, `before(A)` and constants only.
// MEND: Take `before()` of matrices only.
// MEND: Copy what the algorithm has to change into a workspace of its own.
// MEND: Keep the algorithm that judges inside its matrices, too.
