// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

// CHECK: not-a-template.tla:[[@LINE+2]]:6: error: an algorithm is a function template over its element type: template <typename T> void f(...)
#pragma tla algorithm
void f(tla::LowerMatrix<double> A) {}

// MEND: Make it `template <typename T> void name(...)`.
