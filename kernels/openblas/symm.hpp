// symm and hemm on tiles.
#pragma once

#include "kernels/openblas/gemm.hpp"
#include "kernels/reference/scratch.hpp"

namespace tla::kernels::openblas {

/// B = A with both triangles filled in. Eight columns at a time: short contiguous writes to the rows they become.
template <typename T> void fillMirrored(Uplo uplo, ConstTile<T> A, Tile<T> B) {
  const int n = A.n();
  for (int begin = 0; begin < n; begin += 8)
    for (int i = begin; i < n; ++i)
      for (int j = begin; j < std::min(begin + 8, i + 1); ++j)
        B(i, j) = B(j, i) = uplo == Uplo::Lower ? A(i, j) : A(j, i);
}

/// For the types whose products are cut into blocks by gemm: a copy of A, then gemm.
template <typename T> void symm(Side side, Uplo uplo, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) {
  if (C.m() == 0 || C.n() == 0)
    return;
  if (alpha == T(0))
    return reference::scal(beta, C);
  if (!usesBlocks<T>())
    return blas::symm(side, uplo, alpha, A, B, beta, C);
  const reference::Scratch<T> scratch(A.n(), A.n());
  const Tile<T> full = scratch.tile();
  fillMirrored(uplo, A, full);
  if (side == Side::Left)
    openblas::gemm<T>(Op::NoTrans, Op::NoTrans, alpha, full, B, beta, C);
  else
    openblas::gemm<T>(Op::NoTrans, Op::NoTrans, alpha, B, full, beta, C);
}

template <typename T> void hemm(Side side, Uplo uplo, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) {
  if constexpr (!isComplex<T>)
    openblas::symm(side, uplo, alpha, A, B, beta, C);
  else if (alpha == T(0))
    reference::scal(beta, C);
  else if (C.m() > 0 && C.n() > 0)
    blas::hemm(side, uplo, alpha, A, B, beta, C);
}

} // namespace tla::kernels::openblas
