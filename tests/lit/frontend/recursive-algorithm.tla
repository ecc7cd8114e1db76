// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void f(tla::LowerMatrix<T> A) {
// CHECK: recursive-algorithm.tla:[[@LINE+1]]:3: error: algorithm 'f' calls itself
  f(A);
}

// MEND: Write a loop. Calls are inlined, so that none may lead to itself.
