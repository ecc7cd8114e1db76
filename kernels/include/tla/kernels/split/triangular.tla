// Split rules of triangular.hpp: the algorithms on tiles of the same names, on the slices of one tile.
#pragma once

#include <tla/kernels/kernels.hpp>
#include <tla/names.hpp>
#include <tla/split.hpp>

namespace tla::split {

/// Right-looking. Lower: the diagonal square of a slice is factored, the rows below it are solved for, and its part of what is
/// left is subtracted from the slices behind it. Upper: U^H U, where a slice is solved for first.
#pragma tla split
template <typename T> void potrf(Uplo uplo, CutTile<T> A) {
  for (int d = 0; d < A.slices(); ++d) {
    if (uplo == Lower) {
      #pragma tla task
      potrf(uplo, A.slice(d).rows(A.sliceBegin(d), A.sliceCols(d)));
      if (d + 1 < A.slices()) {
        #pragma tla task
        trsm(Right, Lower, ConjTrans, NonUnit, T(1), A.slice(d).rows(A.sliceBegin(d), A.sliceCols(d)),
             A.slice(d).below(A.sliceBegin(d) + A.sliceCols(d)));
      }
      for (int e = d + 1; e < A.slices(); ++e) {
        #pragma tla task
        herk(Lower, NoTrans, -1, A.slice(d).rows(A.sliceBegin(e), A.sliceCols(e)), 1,
             A.slice(e).rows(A.sliceBegin(e), A.sliceCols(e)));
        if (e + 1 < A.slices()) {
          #pragma tla task
          gemm(NoTrans, ConjTrans, T(-1), A.slice(d).below(A.sliceBegin(e) + A.sliceCols(e)),
               A.slice(d).rows(A.sliceBegin(e), A.sliceCols(e)), T(1), A.slice(e).below(A.sliceBegin(e) + A.sliceCols(e)));
        }
      }
    } else {
      for (int l = 0; l < d; ++l) {
        #pragma tla task
        trsm(Left, Upper, ConjTrans, NonUnit, T(1), A.slice(l).rows(A.sliceBegin(l), A.sliceCols(l)),
             A.slice(d).rows(A.sliceBegin(l), A.sliceCols(l)));
        for (int i = l + 1; i < d; ++i) {
          #pragma tla task
          gemm(ConjTrans, NoTrans, T(-1), A.slice(i).rows(A.sliceBegin(l), A.sliceCols(l)),
               A.slice(d).rows(A.sliceBegin(l), A.sliceCols(l)), T(1), A.slice(d).rows(A.sliceBegin(i), A.sliceCols(i)));
        }
      }
      if (d > 0) {
        #pragma tla task
        herk(Upper, ConjTrans, -1, A.slice(d).rows(0, A.sliceBegin(d)), 1,
             A.slice(d).rows(A.sliceBegin(d), A.sliceCols(d)));
      }
      #pragma tla task
      potrf(uplo, A.slice(d).rows(A.sliceBegin(d), A.sliceCols(d)));
    }
  }
}

/// The known part of the inverse grows by a slice: the slice's part beside the diagonal is multiplied by it and by the
/// inverse of the diagonal square.
#pragma tla split
template <typename T> void trtri(Uplo uplo, Diag diag, CutTile<T> A) {
  for (int k = 0; k < A.slices(); ++k) {
    if (uplo == Lower) {
      if (k + 1 < A.slices()) {
        #pragma tla task
        trsm(Right, Lower, NoTrans, diag, T(-1), A.slice(k).rows(A.sliceBegin(k), A.sliceCols(k)),
             A.slice(k).below(A.sliceBegin(k) + A.sliceCols(k)));
      }
      for (int j = 0; j < k; ++j) {
        if (k + 1 < A.slices()) {
          #pragma tla task
          gemm(NoTrans, NoTrans, T(1), A.slice(k).below(A.sliceBegin(k) + A.sliceCols(k)),
               A.slice(j).rows(A.sliceBegin(k), A.sliceCols(k)), T(1), A.slice(j).below(A.sliceBegin(k) + A.sliceCols(k)));
        }
        #pragma tla task
        trsm(Left, Lower, NoTrans, diag, T(1), A.slice(k).rows(A.sliceBegin(k), A.sliceCols(k)),
             A.slice(j).rows(A.sliceBegin(k), A.sliceCols(k)));
      }
    } else {
      for (int j = k + 1; j < A.slices(); ++j) {
        #pragma tla task
        trsm(Left, Upper, NoTrans, diag, T(-1), A.slice(k).rows(A.sliceBegin(k), A.sliceCols(k)),
             A.slice(j).rows(A.sliceBegin(k), A.sliceCols(k)));
        if (k > 0) {
          #pragma tla task
          gemm(NoTrans, NoTrans, T(1), A.slice(k).rows(0, A.sliceBegin(k)),
               A.slice(j).rows(A.sliceBegin(k), A.sliceCols(k)), T(1), A.slice(j).rows(0, A.sliceBegin(k)));
        }
      }
      if (k > 0) {
        #pragma tla task
        trsm(Right, Upper, NoTrans, diag, T(1), A.slice(k).rows(A.sliceBegin(k), A.sliceCols(k)),
             A.slice(k).rows(0, A.sliceBegin(k)));
      }
    }
    #pragma tla task
    trtri(uplo, diag, A.slice(k).rows(A.sliceBegin(k), A.sliceCols(k)));
  }
}

/// The product of what is known of the triangle grows by a slice.
#pragma tla split
template <typename T> void lauum(Uplo uplo, CutTile<T> A) {
  for (int k = 0; k < A.slices(); ++k) {
    for (int j = 0; j < k; ++j) {
      if (uplo == Lower) {
        #pragma tla task
        herk(Lower, ConjTrans, 1, A.slice(j).rows(A.sliceBegin(k), A.sliceCols(k)), 1,
             A.slice(j).rows(A.sliceBegin(j), A.sliceCols(j)));
        for (int i = j + 1; i < k; ++i) {
          #pragma tla task
          gemm(ConjTrans, NoTrans, T(1), A.slice(i).rows(A.sliceBegin(k), A.sliceCols(k)),
               A.slice(j).rows(A.sliceBegin(k), A.sliceCols(k)), T(1), A.slice(j).rows(A.sliceBegin(i), A.sliceCols(i)));
        }
        #pragma tla task
        trmm(Left, Lower, ConjTrans, NonUnit, T(1), A.slice(k).rows(A.sliceBegin(k), A.sliceCols(k)),
             A.slice(j).rows(A.sliceBegin(k), A.sliceCols(k)));
      } else {
        #pragma tla task
        herk(Upper, NoTrans, 1, A.slice(k).rows(A.sliceBegin(j), A.sliceCols(j)), 1,
             A.slice(j).rows(A.sliceBegin(j), A.sliceCols(j)));
        if (j > 0) {
          #pragma tla task
          gemm(NoTrans, ConjTrans, T(1), A.slice(k).rows(0, A.sliceBegin(j)),
               A.slice(k).rows(A.sliceBegin(j), A.sliceCols(j)), T(1), A.slice(j).rows(0, A.sliceBegin(j)));
        }
      }
    }
    if (uplo == Upper && k > 0) {
      #pragma tla task
      trmm(Right, Upper, ConjTrans, NonUnit, T(1), A.slice(k).rows(A.sliceBegin(k), A.sliceCols(k)),
           A.slice(k).rows(0, A.sliceBegin(k)));
    }
    #pragma tla task
    lauum(uplo, A.slice(k).rows(A.sliceBegin(k), A.sliceCols(k)));
  }
}

#pragma tla split
template <typename T> void scaleByPivots(CutTile<T> A, CutTile<T> B, CutTile<T> W) {
  for (int d = 0; d < B.slices(); ++d) {
    #pragma tla task
    scaleByPivots(A.slice(d).rows(A.sliceBegin(d), A.sliceCols(d)), B.slice(d), W.slice(d));
  }
}

#pragma tla split
template <typename T> void requireNonsingular(CutTile<T> R) {
  for (int d = 0; d < R.slices(); ++d) {
    #pragma tla task
    requireNonsingular(R.slice(d).rows(R.sliceBegin(d), R.sliceCols(d)));
  }
}

} // namespace tla::split
