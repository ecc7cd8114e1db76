// Split rules of qr.hpp. Q of a tile is the product of the Q of its slices, from the first to the last: Q^H applies them in
// this order, Q in the reverse. Columns of W are blocked by ib from the first one of each slice on, and so W is as documented
// only where slices are multiples of ib wide: it is opaque.
#pragma once

#include <tla/kernels/kernels.hpp>
#include <tla/names.hpp>
#include <tla/split.hpp>

namespace tla::split {

#pragma tla split
template <typename T> void larfb(Op op, CutPanel<T> V, CutTile<T> W, CutPanel<T> C) {
  for (int e = 0; e < C.slices(); ++e) {
    #pragma tla task
    larfb(op, V, W, C.slice(e));
  }
}

/// The rows from a slice's diagonal on, above which are zeros.
#pragma tla split
template <typename T> void copyUnitLower(CutTile<T> A, CutTile<T> B) {
  for (int d = 0; d < B.slices(); ++d) {
    #pragma tla task
    laset(T(0), T(0), B.slice(d));
    #pragma tla task
    copyUnitLower(A.slice(d).below(A.sliceBegin(d)), B.slice(d).below(B.sliceBegin(d)));
  }
}

/// Slice d from its diagonal on, then its reflectors to the slices behind it.
#pragma tla split opaque(W)
template <typename T> void geqrt(int ib, CutTile<T> A, CutTile<T> W) {
  for (int d = 0; d < A.slices(); ++d) {
    #pragma tla task
    geqrt(ib, A.slice(d).below(A.sliceBegin(d)), W.slice(d));
    for (int e = d + 1; e < A.slices(); ++e) {
      #pragma tla task
      unmqr(ConjTrans, ib, A.slice(d).below(A.sliceBegin(d)), W.slice(d), A.slice(e).below(A.sliceBegin(d)));
    }
  }
}

#pragma tla split opaque(W)
template <typename T> void unmqr(Op op, int ib, CutTile<T> V, CutTile<T> W, CutTile<T> C) {
  for (int e = 0; e < C.slices(); ++e) {
    for (int s = 0; s < V.slices(); ++s) {
      const int d = op == NoTrans ? V.slices() - 1 - s : s;
      #pragma tla task
      unmqr(op, ib, V.slice(d).below(V.sliceBegin(d)), W.slice(d), C.slice(e).below(V.sliceBegin(d)));
    }
  }
}

/// The reflectors of slice d change rows of R from its diagonal square on.
#pragma tla split opaque(W)
template <typename T> void tsqrt(int ib, CutTile<T> R, CutTile<T> A, CutTile<T> W) {
  for (int d = 0; d < A.slices(); ++d) {
    #pragma tla task
    tsqrt(ib, R.slice(d).rows(A.sliceBegin(d), A.sliceCols(d)), A.slice(d), W.slice(d));
    for (int e = d + 1; e < A.slices(); ++e) {
      #pragma tla task
      tsmqr(ConjTrans, ib, R.slice(e).rows(A.sliceBegin(d), A.sliceCols(d)), A.slice(e), A.slice(d), W.slice(d));
    }
  }
}

#pragma tla split opaque(W)
template <typename T> void tsmqr(Op op, int ib, CutTile<T> C1, CutTile<T> C2, CutTile<T> V, CutTile<T> W) {
  for (int e = 0; e < C2.slices(); ++e) {
    for (int s = 0; s < V.slices(); ++s) {
      const int d = op == NoTrans ? V.slices() - 1 - s : s;
      #pragma tla task
      tsmqr(op, ib, C1.slice(e).rows(V.sliceBegin(d), V.sliceCols(d)), C2.slice(e), V.slice(d), W.slice(d));
    }
  }
}

#pragma tla split
template <typename T> void ttmqr(Op op, int ib, CutTile<T> C1, CutTile<T> C2, CutTile<T> V, CutTile<T> W) {
  for (int e = 0; e < C2.slices(); ++e) {
    #pragma tla task
    ttmqr(op, ib, C1.slice(e), C2.slice(e), V, W);
  }
}

} // namespace tla::split
