// RUN: not %hetc check --algorithm f %s 2>&1 | FileCheck %s
// RUN: not %hetc check --algorithm g %s 2>&1 | FileCheck %s --check-prefix=OWN
#include <tla/tla.hpp>

// CHECK: reserved-parameter.tla:[[@LINE+2]]:57: error: 'n' is the name of a size here
#pragma tla algorithm
template <typename T> void f(tla::LowerMatrix<T> A, int n) {}
// OWN: reserved-parameter.tla:[[@LINE+2]]:50: error: 'values' has a meaning of its own here; give the parameter another name
#pragma tla algorithm
template <typename T> void g(tla::LowerMatrix<T> values) {}

// MEND: Give the parameter another name.
