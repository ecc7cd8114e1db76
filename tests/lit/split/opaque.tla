// What some rules call opaque is read by such rules alone: where anything else takes such tiles no rule is used that does.
// RUN: %hetc --emit=split --split 2 --algorithm alone %s 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: %hetc --emit=split --split 2 --algorithm shared %s 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: %hetc --emit=split --split 2 --algorithm checked %s 2>&1 | FileCheck %s --check-prefix=CHECKED
#include <tla/split.hpp>
#include <tla/tla.hpp>

#pragma tla kernel
template <typename T> void look(tla::ConstTile<T> W, tla::Tile<T> A);

#pragma tla algorithm shape(A(m, n))
template <typename T> void alone(tla::Matrix<T> A) {
  // ALONE-NOT: remark
  // ALONE: task 0 tla::geqrt(2, rw A(0, d).below(A.sliceBegin(d)), write W(0, d))
  tla::Workspace<T> W(1, 1, 2, A.nb());
  for (int j = 1; j < A.nt(); ++j) {
    #pragma tla task
    geqrt(2, A(0, 0), W(0, 0));
    #pragma tla task
    unmqr(ConjTrans, 2, A(0, 0), W(0, 0), A(0, j));
  }
}

// Another workspace is not concerned.
#pragma tla algorithm shape(A(m, n))
template <typename T> void shared(tla::Matrix<T> A) {
  tla::Workspace<T> W(1, 1, 2, A.nb());
  tla::Workspace<T> W2(1, 1, 2, A.nb());
  for (int j = 1; j < A.nt(); ++j) {
    // SHARED: opaque.tla:[[@LINE+3]]:5: remark: kernel 'geqrt' runs on whole tiles, on the host: what its split rule has in 'W' depends on the cut, and kernel 'look' needs the tiles as they are documented
    // SHARED: opaque.tla:[[@LINE+8]]:5: remark: kernel 'look' runs on whole tiles, on the host: it has no split rule; a rule is a function template tla::split::look
    #pragma tla task
    geqrt(2, A(0, 0), W(0, 0));
    #pragma tla task
    geqrt(2, A(0, j), W2(0, 0));
    // SHARED: task 0 tla::geqrt(2, rw A.slices(
    // SHARED: task 1 tla::geqrt(2, rw A(0, 2 * j + d).below(
    #pragma tla task
    look(W(0, 0), A(0, j));
  }
}

// The program that a check calls has the same tiles.
#pragma tla algorithm shape(A(m, n), W(1, 1, ib, A.nb()), B(m, k)) default(k : 1, op : ConjTrans, ib : 2)
template <typename T>
void apply(tla::Op op, int ib, tla::Matrix<T> A, tla::Workspace<T> W, tla::Matrix<T> B) {
  #pragma tla task
  look(W(0, 0), B(0, 0));
}
#pragma tla algorithm shape(A(m, n), W(1, 1, ib, A.nb())) default(ib : 2) check(qr(A, apply(ib, A, W)))
template <typename T> void checked(int ib, tla::Matrix<T> A, tla::Workspace<T> W) {
  // CHECKED: remark: kernel 'geqrt' runs on whole tiles, on the host: what its split rule has in 'W' depends on the cut, and kernel 'look' needs
  #pragma tla task
  geqrt(ib, A(0, 0), W(0, 0));
}
