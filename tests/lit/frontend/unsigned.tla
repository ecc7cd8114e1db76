// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void f(tla::LowerMatrix<T> A) {
  for (int k = 0; k < A.nt(); ++k) {
// CHECK: unsigned.tla:[[@LINE+1]]:24: error: variable 'u' must be a const int, bool, option or number with a value, or a tla::Workspace
    const unsigned int u = k - 2;
  }
// CHECK: unsigned.tla:[[@LINE+1]]:3: error: a loop of a task program has the form for (int i = first; condition; step)
  for (unsigned k = 0; k < 3; ++k) {
  }
  for (int k = 0; k < A.nt(); ++k)
// CHECK: unsigned.tla:[[@LINE+1]]:9: error: unsigned and narrow integers are outside the language of task programs: use int
    if (k - 2u > 3u) {
    }
}

// MEND: Declare it `const int`.
// MEND: Write `for (int i = ...; i < ...; ++i)`.
// MEND: Use `int`.
