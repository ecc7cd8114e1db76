// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

// CHECK: reserved-parameter.tla:[[@LINE+2]]:57: error: 'n' is the name of a size here
#pragma tla algorithm
template <typename T> void f(tla::LowerMatrix<T> A, int n) {}
