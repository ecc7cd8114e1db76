// RUN: not %hetc check %s 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tla/tla.hpp>

// CHECK: [[@LINE+6]]:28: error: 'A' is not an int parameter of 'f'
// CHECK: [[@LINE+5]]:40: error: a candidate of 'ib' is a positive int constant
// CHECK: [[@LINE+4]]:44: error: a candidate of 'ib' is a positive int constant
// CHECK: [[@LINE+3]]:50: error: a candidate of 'ib' is a positive int constant
// CHECK: [[@LINE+2]]:53: error: 'c' is not an int parameter of 'f'
// CHECK: [[@LINE+1]]:60: error: 'op' is not an int parameter of 'f'
#pragma tla algorithm tune(A : 3, ib : 0 | 2.5 | n, c : 2, op : 3)
template <typename T> void f(tla::Matrix<T> A, int ib, T c, tla::Op op) {}

// MEND: Name an int parameter, and give positive constants: `tune(ib : 32 | 64)`.
