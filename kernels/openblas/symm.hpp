// symm and hemm on tiles.
#pragma once

#include "kernels/openblas/gemm.hpp"
#include "kernels/recursive/mirror.hpp"
#include "kernels/reference/scratch.hpp"

namespace tla::kernels::openblas {

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
  recursive::fillMirrored(uplo, Op::Trans, A, full);
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
