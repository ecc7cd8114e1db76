// Defaults that are no values of their parameters, arguments of generators that are no numbers.
// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

// CHECK: bad-defaults.tla:[[@LINE+10]]:77: error: the default of 'm' is -1; it must be an int that is not negative
// CHECK: bad-defaults.tla:[[@LINE+9]]:85: error: the default of 'n' is 1.5; it must be an int that is not negative
// CHECK: bad-defaults.tla:[[@LINE+9]]:22: error: the default of 'steps' is 2.5; it must be an int
// CHECK: bad-defaults.tla:[[@LINE+8]]:35: error: the default of 'count' is Lower; it must be an int
// CHECK: bad-defaults.tla:[[@LINE+7]]:49: error: '5000000000' does not fit an int
// CHECK: bad-defaults.tla:[[@LINE+6]]:69: error: the default of 'omega' is NoTrans; it must be a number
// CHECK: bad-defaults.tla:[[@LINE+5]]:86: error: the default of 'limit' is 1e999; it must be a number
// CHECK: bad-defaults.tla:[[@LINE+5]]:19: error: the default of 'op' is 3; it must be one of tla::Op
// CHECK: bad-defaults.tla:[[@LINE+4]]:29: error: the default of 'uplo' is NoTrans; it must be one of tla::Uplo
// CHECK: bad-defaults.tla:[[@LINE+3]]:52: error: a generator's arguments are numbers, and NoTrans is none
#pragma tla algorithm shape(A(n, n), B(m, n))                   default(m : -1, n : 1.5, \
             steps : 2.5, count : Lower, many : 5000000000, omega : NoTrans, limit : 1e999, \
             op : 3, uplo : NoTrans) input(A : spd(NoTrans), B : random)
template <typename T>
void wrong(int steps, int count, int many, T omega, tla::RealType<T> limit, tla::Op op, tla::Uplo uplo, tla::LowerMatrix<T> A,
           tla::Matrix<T> B) {}

// MEND: Write what the parameter's type has: an int, a number, NoTrans, Lower and the like.
