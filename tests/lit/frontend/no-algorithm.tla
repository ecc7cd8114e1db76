// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

// CHECK: error: no algorithm in 'no-algorithm.tla': put '#pragma tla algorithm' before its function template
template <typename T> void f(tla::LowerMatrix<T> A) {}

// MEND: Put `#pragma tla algorithm` before the function template.
