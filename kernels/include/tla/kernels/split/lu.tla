// Split rules of lu.hpp.
#pragma once

#include <tla/kernels/kernels.hpp>
#include <tla/names.hpp>
#include <tla/split.hpp>

namespace tla::split {

/// Right-looking: what is on and below the diagonal of a slice is factored as a panel.
#pragma tla split
template <typename T> void getrf_nopiv(CutTile<T> A) {
  for (int d = 0; d < A.slices(); ++d) {
    #pragma tla task
    getrf_nopiv(A.slice(d).below(A.sliceBegin(d)));
    for (int e = d + 1; e < A.slices(); ++e) {
      #pragma tla task
      trsm(Left, Lower, NoTrans, Unit, T(1), A.slice(d).rows(A.sliceBegin(d), A.sliceCols(d)),
           A.slice(e).rows(A.sliceBegin(d), A.sliceCols(d)));
      #pragma tla task
      gemm(NoTrans, NoTrans, T(-1), A.slice(d).below(A.sliceBegin(d) + A.sliceCols(d)),
           A.slice(e).rows(A.sliceBegin(d), A.sliceCols(d)), T(1), A.slice(e).below(A.sliceBegin(d) + A.sliceCols(d)));
    }
  }
}

#pragma tla split
template <typename T> void laswp(int row, ConstTile<int> ipiv, int inc, CutPanel<T> A) {
  for (int d = 0; d < A.slices(); ++d) {
    #pragma tla task
    laswp(row, ipiv, inc, A.slice(d));
  }
}

#pragma tla split
template <typename T> void laswpAll(int row, ConstPanel<int> ipiv, int inc, CutPanel<T> A) {
  for (int d = 0; d < A.slices(); ++d) {
    #pragma tla task
    laswpAll(row, ipiv, inc, A.slice(d));
  }
}

#pragma tla split
template <typename T>
void laswpGather(int row, int nb, int p, int first, ConstTile<int> ipiv, CutPanel<T> A, CutTile<T> S) {
  for (int d = 0; d < A.slices(); ++d) {
    #pragma tla task
    laswpGather(row, nb, p, first, ipiv, A.slice(d), S.slice(d));
  }
}

#pragma tla split
template <typename T>
void laswpExchange(int row, int nb, int p, ConstTile<int> ipiv, CutPanel<T> S, CutPanel<T> A, CutTile<T> D) {
  for (int d = 0; d < A.slices(); ++d) {
    #pragma tla task
    laswpExchange(row, nb, p, ipiv, S.slice(d), A.slice(d), D.slice(d));
  }
}

#pragma tla split
template <typename T>
void laswpScatter(int row, int nb, int p, int first, ConstTile<int> ipiv, CutTile<T> D, CutPanel<T> A) {
  for (int d = 0; d < A.slices(); ++d) {
    #pragma tla task
    laswpScatter(row, nb, p, first, ipiv, D.slice(d), A.slice(d));
  }
}

} // namespace tla::split
