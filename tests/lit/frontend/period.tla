// RUN: %hetc %s --algorithm sums --emit=ir | FileCheck %s
// RUN: %hetc check %s --algorithm sums
// RUN: not %hetc check %s --algorithm outside 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: not %hetc check %s --algorithm still 2>&1 | FileCheck %s --check-prefix=STILL
// RUN: not %hetc check %s --algorithm unwritten 2>&1 | FileCheck %s --check-prefix=UNWRITTEN
#include <tla/tla.hpp>

// CHECK: Workspace<d> X(A.p(), A.nt(), A.nb(), A.nb())
// CHECK: for (int i = r; i < A.mt(); i = i + A.p())
// CHECK: rw A.panel(0, A.mt(), 0 step A.p())
#pragma tla algorithm shape(A(m, n), ipiv(n, 1)) input(A : random)
template <typename T> void sums(tla::Matrix<T> A, tla::Matrix<int> ipiv) {
  tla::Workspace<T> X(A.p(), A.nt(), A.nb(), A.nb());
  for (int r = 0; r < A.p(); ++r) {
    for (int j = 0; j < A.nt(); ++j) {
      #pragma tla task
      laset(T(0), T(0), X(r, j));
      for (int i = r; i < A.mt(); i += X.p()) {
        #pragma tla task
        gemm(NoTrans, ConjTrans, T(1), A(i, j), A(i, j), T(1), X(r, j).rows(0, min(A.nb(), A.m() - i * A.nb())).cols(0, min(A.nb(), A.m() - i * A.nb())));
      }
    }
  }
  if (A.mt() > 0 && A.nt() > 0) {
    #pragma tla task
    laswpAll(0, ipiv.panel(0, 0, 0), 1, A.panel(0, A.mt(), 0, A.p()));
  }
}

// Proved on one node, and on small grids.
// OUTSIDE: error: for A.p() = 2 (A has 1 x 1 tiles) this writes A(1, 0)
#pragma tla algorithm shape(A(m, n))
template <typename T> void outside(tla::Matrix<T> A) {
  if (A.mt() > 0 && A.nt() > 0) {
    #pragma tla task
    scal(T(2), A(A.p() - 1, 0));
  }
}

// STILL: error: the step of a panel must be at least 1, which hetc cannot see of 's'
#pragma tla algorithm shape(A(m, n), ipiv(n, 1))
template <typename T> void still(int s, tla::Matrix<T> A, tla::Matrix<int> ipiv) {
  if (A.mt() > 0 && A.nt() > 0) {
    #pragma tla task
    laswpAll(0, ipiv.panel(0, 0, 0), 1, A.panel(0, A.mt(), 0, s));
  }
}

// UNWRITTEN: error: for m = 0, n = 0, A.p() = 2, r = 1 (X has 2 x 1 tiles) this reads X(1, 0), which no earlier task wrote
#pragma tla algorithm shape(A(m, n))
template <typename T> void unwritten(tla::Matrix<T> A) {
  tla::Workspace<T> X(A.p(), 1, A.nb(), A.nb());
  #pragma tla task
  laset(T(0), T(0), X(0, 0));
  for (int r = 1; r < A.p(); ++r) {
    #pragma tla task
    geadd(T(1), X(r, 0), T(1), X(0, 0));
  }
}

// MEND: Bound the index by the tiles there are: `min(A.p(), A.mt())`.
// MEND: Step by `A.p()`, a constant, or a parameter of which `requires(s >= 1)` holds.
// MEND: Write the tile for all periods before it is read.
