// Split rules that are not what they should be.
// RUN: not %hetc --emit=split --split 2 %s 2>&1 | FileCheck %s
#include <tla/split.hpp>
#include <tla/tla.hpp>

#pragma tla kernel
template <typename T> void one(tla::Tile<T> A);
#pragma tla kernel
template <typename T> void copy(tla::ConstTile<T> A, tla::OutTile<T> B);
#pragma tla kernel
template <typename T> void twice(int n, tla::Tile<T> A);
#pragma tla kernel
template <typename T> void other(tla::Tile<T> A);
#pragma tla kernel
template <typename T> void rows(tla::Tile<T> A);

namespace tla::split {

// CHECK-DAG: mistakes.tla:[[@LINE+2]]:28: error: there is no kernel 'twise' to split; did you mean 'twice'?
#pragma tla split
template <typename T> void twise(int n, CutTile<T> A) {}

} // namespace tla::split

// CHECK-DAG: mistakes.tla:[[@LINE+2]]:28: error: a split rule is a function template in namespace tla::split, under the name of its kernel
#pragma tla split
template <typename T> void misplaced(tla::split::CutTile<T> A) {}

// CHECK-DAG: mistakes.tla:[[@LINE+1]]:1: error: '#pragma tla split' is not followed by a function template
#pragma tla split
int x;

#pragma tla algorithm
template <typename T> void f(tla::Matrix<T> A) {
  #pragma tla task
  one(A(0, 0));
}

// MEND: Spell the kernel as the message suggests.
// MEND: Define the rule in `namespace tla::split`, with the kernel's name.
// MEND: Put the pragma directly before the rule.
