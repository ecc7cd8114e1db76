// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

// CHECK: bad-parameter.tla:[[@LINE+2]]:65: error: parameter 'name' of an algorithm must be a matrix, an int, an option such as tla::Op, or a number of the element type
#pragma tla algorithm
template <typename T> void f(tla::LowerMatrix<T> A, const char *name) {}

// MEND: Take `int`, `T`, `tla::Op`, `Uplo`, `Diag` or `Side`.
