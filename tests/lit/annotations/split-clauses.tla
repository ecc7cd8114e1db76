// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/split.hpp>
#include <tla/tla.hpp>

#pragma tla kernel
template <typename T> void twice(tla::Tile<T> A);
namespace tla::split {
// CHECK: split-clauses.tla:[[@LINE+1]]:19: error: clause 'flops' belongs to 'kernel', not to 'split'
#pragma tla split flops(2)
template <typename T> void twice(CutTile<T> A) {}
} // namespace tla::split

// MEND: Move the clause to the pragma that it belongs to.
