// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

// CHECK: bad-sums.tla:[[@LINE+1]]:27: error: 'A' is given twice in 'sum'
#pragma tla kernel sum(A, A)
template <typename T> void one(int p, tla::Tile<T> A);
// CHECK: bad-sums.tla:[[@LINE+1]]:26: error: expected ')' to close 'sum('
#pragma tla kernel sum(A beta == 1)
template <typename T> void two(T beta, tla::Tile<T> A);

// MEND: Name each tile once.
// MEND: Write `if` between the tile and the condition.
