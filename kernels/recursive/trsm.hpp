// trsm on tiles: recursion on the triangle, so that nearly all of the work is gemm.
#pragma once

#include "kernels/recursive/products.hpp"
#include "kernels/recursive/triangle_cut.hpp"

namespace tla::kernels::recursive {

template <typename T> void trsmDirect(Side side, Uplo uplo, Op op, Diag diag, T alpha, ConstTile<T> A, Tile<T> B) {
  if constexpr (isComplex<T>)
    products::trsmLeaf(side, uplo, op, diag, alpha, A, B);
  else
    triangleLeaf<LeafTask::Solve>(side, uplo, op, diag, alpha, A, B);
}

/// The half of X that depends on nothing is solved first (half `a` of TriangleCut), its product with the off-diagonal
/// block is taken off the other, and that is solved.
template <typename T> void trsm(Side side, Uplo uplo, Op op, Diag diag, T alpha, ConstTile<T> A, Tile<T> B) {
  if (B.m() == 0 || B.n() == 0)
    return;
  if (alpha == T(0))
    return reference::scal(alpha, B);
  const int n = side == Side::Left ? B.m() : B.n(); // A may be larger
  if (n <= leafSize)
    return trsmDirect(side, uplo, op, diag, alpha, block(A, 0, 0, n, n), B);
  const TriangleCut<T> c = cutTriangle(side, uplo, op, n, A, B);
  recursive::trsm(side, uplo, op, diag, alpha, c.Aa, c.Ba);
  if (side == Side::Left)
    products::gemm<T>(op, Op::NoTrans, T(-1), c.off, c.Ba, alpha, c.Bb);
  else
    products::gemm<T>(Op::NoTrans, op, T(-1), c.Ba, c.off, alpha, c.Bb);
  recursive::trsm(side, uplo, op, diag, T(1), c.Ab, c.Bb);
}

} // namespace tla::kernels::recursive
