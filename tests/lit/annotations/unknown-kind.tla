// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

// CHECK: unknown-kind.tla:[[@LINE+1]]:13: error: unknown annotation 'algoritm'; did you mean 'algorithm'?
#pragma tla algoritm
template <typename T> void f(tla::LowerMatrix<T> A) {}

// MEND: Write `algorithm`, `kernel`, `task` or `split` behind `#pragma tla`.
