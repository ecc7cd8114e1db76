// trmm on tiles: recursion on the triangle, so that nearly all of the work is gemm.
#pragma once

#include "kernels/openblas/gemm.hpp"
#include "kernels/openblas/triangle_leaf.hpp"

namespace tla::kernels::openblas {

template <typename T> void trmmDirect(Side side, Uplo uplo, Op op, Diag diag, T alpha, ConstTile<T> A, Tile<T> B) {
  if constexpr (isComplex<T>)
    blas::trmm(side, uplo, op, diag, alpha, A, B);
  else
    triangleLeaf<LeafTask::Multiply>(side, uplo, op, diag, alpha, A, B);
}

/// With op(A) cut into 2 x 2 blocks, the half of the product that needs both halves of B is computed first (half `b`),
/// then the half that needs only its own (half `a`).
template <typename T> void trmm(Side side, Uplo uplo, Op op, Diag diag, T alpha, ConstTile<T> A, Tile<T> B) {
  if (B.m() == 0 || B.n() == 0)
    return;
  if (alpha == T(0))
    return reference::scal(alpha, B);
  const int n = side == Side::Left ? B.m() : B.n(); // A may be larger
  if (n <= leafSize)
    return trmmDirect(side, uplo, op, diag, alpha, block(A, 0, 0, n, n), B);
  const int h = cut(n, leafSize);
  const bool left = side == Side::Left, forward = left == reference::isLower(uplo, op);
  const auto diagonal = [&](bool first) { return first ? block(A, 0, 0, h, h) : block(A, h, h, n - h, n - h); };
  const auto half = [&](bool first) {
    const int begin = first ? 0 : h, size = first ? h : n - h;
    return left ? block(B, begin, 0, size, B.n()) : block(B, 0, begin, B.m(), size);
  };
  const ConstTile<T> off = uplo == Uplo::Lower ? block(A, h, 0, n - h, h) : block(A, 0, h, h, n - h);
  const Tile<T> Ba = half(forward), Bb = half(!forward);
  openblas::trmm(side, uplo, op, diag, alpha, diagonal(!forward), Bb);
  if (left)
    openblas::gemm<T>(op, Op::NoTrans, alpha, off, Ba, T(1), Bb);
  else
    openblas::gemm<T>(Op::NoTrans, op, alpha, Ba, off, T(1), Bb);
  openblas::trmm(side, uplo, op, diag, alpha, diagonal(forward), Ba);
}

} // namespace tla::kernels::openblas
