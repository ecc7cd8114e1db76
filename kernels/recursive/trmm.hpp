// trmm on tiles: recursion on the triangle, so that nearly all of the work is gemm.
#pragma once

#include "kernels/recursive/products.hpp"
#include "kernels/recursive/triangle_cut.hpp"

namespace tla::kernels::recursive {

template <typename T> void trmmDirect(Side side, Uplo uplo, Op op, Diag diag, T alpha, ConstTile<T> A, Tile<T> B) {
  if constexpr (isComplex<T>)
    products::trmmLeaf(side, uplo, op, diag, alpha, A, B);
  else
    triangleLeaf<LeafTask::Multiply>(side, uplo, op, diag, alpha, A, B);
}

/// The half of the product that needs both halves of B is computed first (half `b` of TriangleCut), then the half that
/// needs only its own.
template <typename T> void trmm(Side side, Uplo uplo, Op op, Diag diag, T alpha, ConstTile<T> A, Tile<T> B) {
  if (B.m() == 0 || B.n() == 0)
    return;
  if (alpha == T(0))
    return reference::scal(alpha, B);
  const int n = side == Side::Left ? B.m() : B.n(); // A may be larger
  if (n <= leafSize)
    return trmmDirect(side, uplo, op, diag, alpha, block(A, 0, 0, n, n), B);
  const TriangleCut<T> c = cutTriangle(side, uplo, op, n, A, B);
  recursive::trmm(side, uplo, op, diag, alpha, c.Ab, c.Bb);
  if (side == Side::Left)
    products::gemm<T>(op, Op::NoTrans, alpha, c.off, c.Ba, T(1), c.Bb);
  else
    products::gemm<T>(Op::NoTrans, op, alpha, c.Ba, c.off, T(1), c.Bb);
  recursive::trmm(side, uplo, op, diag, alpha, c.Aa, c.Ba);
}

} // namespace tla::kernels::recursive
