// trsm on tiles: recursion on the triangle, so that nearly all of the work is gemm.
#pragma once

#include "kernels/openblas/gemm.hpp"
#include "kernels/openblas/triangle_leaf.hpp"

namespace tla::kernels::openblas {

template <typename T> void trsmDirect(Side side, Uplo uplo, Op op, Diag diag, T alpha, ConstTile<T> A, Tile<T> B) {
  if constexpr (isComplex<T>)
    blas::trsm(side, uplo, op, diag, alpha, A, B);
  else
    triangleLeaf<LeafTask::Solve>(side, uplo, op, diag, alpha, A, B);
}

/// With op(A) cut into 2 x 2 blocks, the half of X that depends on nothing is solved first (half `a`), its product with
/// the off-diagonal block is taken off the other (half `b`), and that is solved.
template <typename T> void trsm(Side side, Uplo uplo, Op op, Diag diag, T alpha, ConstTile<T> A, Tile<T> B) {
  if (B.m() == 0 || B.n() == 0)
    return;
  if (alpha == T(0))
    return reference::scal(alpha, B);
  const int n = side == Side::Left ? B.m() : B.n(); // A may be larger
  if (n <= leafSize)
    return trsmDirect(side, uplo, op, diag, alpha, block(A, 0, 0, n, n), B);
  const int h = cut(n, leafSize);
  const bool left = side == Side::Left, forward = left == reference::isLower(uplo, op);
  const auto diagonal = [&](bool first) { return first ? block(A, 0, 0, h, h) : block(A, h, h, n - h, n - h); };
  const auto half = [&](bool first) {
    const int begin = first ? 0 : h, size = first ? h : n - h;
    return left ? block(B, begin, 0, size, B.n()) : block(B, 0, begin, B.m(), size);
  };
  const ConstTile<T> off = uplo == Uplo::Lower ? block(A, h, 0, n - h, h) : block(A, 0, h, h, n - h);
  const Tile<T> Xa = half(forward), Xb = half(!forward);
  openblas::trsm(side, uplo, op, diag, alpha, diagonal(forward), Xa);
  if (left)
    openblas::gemm<T>(op, Op::NoTrans, T(-1), off, Xa, alpha, Xb);
  else
    openblas::gemm<T>(Op::NoTrans, op, T(-1), Xa, off, alpha, Xb);
  openblas::trsm(side, uplo, op, diag, T(1), diagonal(!forward), Xb);
}

} // namespace tla::kernels::openblas
