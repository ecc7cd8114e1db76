// The author's views by rows go with slices; by columns the tile stays whole. What is not as wide as the matrix' tiles is
// not cut.
// RUN: %hetc --emit=split --split 2 %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

// CHECK-DAG: remark: kernel 'scal' runs on whole tiles, on the host: 'A' is viewed by columns{{$}}
// CHECK-DAG: remark: kernel 'omatcopy' runs on whole tiles, on the host: 'W' is not cut, other than in its split rule{{$}}
#pragma tla algorithm
template <typename T> void f(tla::Matrix<T> A, tla::Matrix<int> p) {
  // CHECK-DAG: Matrix<i> p(m, n) @
  // CHECK-DAG: Workspace<d> W(A.mt(), A.nt(), 1, 1) @
  // CHECK-DAG: Workspace<d> V(A.n(), A.m(), A.nb()) sliced @
  tla::Workspace<T> W(A.mt(), A.nt(), 1, 1);
  tla::Workspace<T> V(A.n(), A.m(), A.nb());
  for (int j = 0; j < (A.mt() > 0 ? A.nt() : 0); ++j) {
    // CHECK: task 0 tla::scal(T(2), rw A(0, 2 * j + d).rows(0, 1))
    #pragma tla task
    scal(T(2), A(0, j).rows(0, 1));
    // CHECK: task 1 tla::scal(T(2), rw A.slices(0, 2 * j, min(2 * j + 2, A.ns())).rows(0, 1).cols(0, 1))
    #pragma tla task
    scal(T(2), A(0, j).cols(0, 1).rows(0, 1));
    // CHECK: task 2 tla::omatcopy(NoTrans, T(1), read A.slices(0, 2 * j, min(2 * j + 2, A.ns())), write W(0, j))
    #pragma tla task
    omatcopy(NoTrans, T(1), A(0, j), W(0, j));
    // CHECK: task 3 tla::omatcopy(ConjTrans, T(1), read A.slices(0, 2 * j, min(2 * j + 2, A.ns())).within(V.sliceBegin({{.*}}), V.sliceCols({{.*}})), write V(j, {{.*}}))
    #pragma tla task
    omatcopy(ConjTrans, T(1), A(0, j), V(j, 0));
  }
}
