// A rule of the user's own, for a kernel of the user's own; scalars, priority and place of the task go with it.
// RUN: %hetc --emit=split --split 3 %s | FileCheck %s
#include <tla/split.hpp>
#include <tla/tla.hpp>

#pragma tla kernel
template <typename T> void mix(T alpha, tla::Tile<T> A, tla::Tile<T> B);

namespace tla::split {
#pragma tla split
template <typename T> void mix(T alpha, CutTile<T> A, CutTile<T> B) {
  for (int d = 0; d < B.slices(); ++d) {
    #pragma tla task
    ::mix(alpha, A.slice(d), B.slice(d));
    #pragma tla task priority(7) device(gpu)
    scal(d == 0 ? alpha : T(1), A.slice(d).below(A.sliceBegin(d)));
  }
}
} // namespace tla::split

#pragma tla algorithm
template <typename T> void f(T alpha, tla::Matrix<T> A, tla::Matrix<T> B) {
  for (int d = 0; d < min(A.nt(), B.nt()); ++d) {
    #pragma tla task priority(-d) at(B(0, d))
    mix(alpha + alpha, A(0, d), B(0, d));
  }
}

// CHECK: slices 3
// CHECK: Matrix<d> A(m, n) sliced
// CHECK: for (int d = 0; d < min(A.nt(), B.nt()); ++d)
// CHECK-NEXT: for (int d_1 = 0; d_1 < min(3, B.ns() - 3 * d); ++d_1)
// CHECK-NEXT: task 0 mix(alpha + alpha, rw A(0, 3 * d + d_1), rw B(0, 3 * d + d_1)) priority(-d) at(argument 2)
// CHECK-NEXT: task 1 tla::scal(d_1 == 0 ? alpha + alpha : T(1), rw A(0, 3 * d + d_1).below(A.sliceBegin(d_1))) priority(7) device(gpu)
