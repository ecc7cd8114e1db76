// A rule takes what its kernel takes.
// RUN: not %hetc --emit=split --split 2 -DCASE=1 %s 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not %hetc --emit=split --split 2 -DCASE=2 %s 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not %hetc --emit=split --split 2 -DCASE=3 %s 2>&1 | FileCheck %s --check-prefix=SCALAR
// RUN: not %hetc --emit=split --split 2 -DCASE=4 %s 2>&1 | FileCheck %s --check-prefix=WRITES
// RUN: not %hetc --emit=split --split 2 -DCASE=5 %s 2>&1 | FileCheck %s --check-prefix=SELF
// RUN: not %hetc --emit=split --split 2 -DCASE=6 %s 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// RUN: not %hetc --emit=split --split 2 -DCASE=7 %s 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not %hetc --emit=split --split 2 -DCASE=8 %s 2>&1 | FileCheck %s --check-prefix=PRAGMA
#include <tla/split.hpp>
#include <tla/tla.hpp>

#pragma tla kernel
template <typename T> void twice(int n, tla::ConstTile<T> A, tla::Tile<T> B);

namespace tla::split {
#if CASE == 1
// COUNT: wrong-parameters.tla:[[@LINE+3]]:28: error: this rule has 2 parameters, kernel 'twice' 3; a split rule takes
// COUNT: note: kernel 'twice' is declared here
#pragma tla split
template <typename T> void twice(int n, CutTile<T> A) {}
#elif CASE == 2
// KIND: error: parameter 'B' is not what kernel 'twice' takes there
#pragma tla split
template <typename T> void twice(int n, CutTile<T> A, CutPanel<T> B) {}
#elif CASE == 3
// SCALAR: error: parameter 'n' is not what kernel 'twice' takes there
#pragma tla split
template <typename T> void twice(double n, CutTile<T> A, CutTile<T> B) {}
#else
#pragma tla split
template <typename T> void twice(int n, CutTile<T> A, CutTile<T> B) {
  for (int d = 0; d < A.slices(); ++d) {
#if CASE == 4
// WRITES: error: this rule writes 'A', which kernel 'twice' only reads
    #pragma tla task
    scal(T(1), A.slice(d));
#elif CASE == 5
// SELF: wrong-parameters.tla:[[@LINE+1]]:5: error: 'twice' is a split rule; rules call kernels on slices, and none calls itself
    twice(n, A, B);
#elif CASE == 6
// ARGUMENT: wrong-parameters.tla:[[@LINE+2]]:16: error: a split rule passes a parameter to a kernel as A.slice(d)
    #pragma tla task
    scal(T(1), B.slice(d).lower());
#elif CASE == 7
// SIZE: wrong-parameters.tla:[[@LINE+1]]:25: error: of a tile a split rule knows slices()
    for (int i = 0; i < A.n(); ++i) {
      #pragma tla task
      scal(T(1), B.slice(d));
    }
#else
// PRAGMA: wrong-parameters.tla:[[@LINE+1]]:5: error: call of kernel 'scal' without '#pragma tla task'
    scal(T(1), B.slice(d));
#endif
  }
}
#endif
} // namespace tla::split

#pragma tla algorithm
template <typename T> void f(tla::Matrix<T> A) {
  #pragma tla task
  twice(2, A(0, 0), A(0, 0));
}

// MEND: Give the rule the kernel's parameters.
// MEND: Give the parameter the type of the kernel's.
// MEND: The same.
// MEND: Declare the parameter as the kernel does, or do not write it.
// MEND: Call kernels on slices: `A.slice(d)`.
// MEND: Pass a slice.
// MEND: Ask for `slices()` only.
// MEND: Put `#pragma tla task` before the call.
