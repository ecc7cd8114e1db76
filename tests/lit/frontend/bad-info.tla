// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

#pragma tla kernel info(continue)
// CHECK: [[@LINE+1]]:28: error: kernel 'one' has info(...) and returns void; it must return int, LAPACK's info
template <typename T> void one(tla::Tile<T> A);
#pragma tla algorithm
template <typename T> void f(tla::LowerMatrix<T> A) {
  #pragma tla task
  one(A(0, 0));
}

// MEND: Let the kernel return int, 0 when all is well; or drop the clause.
