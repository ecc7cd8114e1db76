// The recursions of trsm and trmm cut a triangle in two.
#pragma once

#include "kernels/recursive/triangle_leaf.hpp"

namespace tla::kernels::recursive {

/// op(A) as 2 x 2 blocks, and B cut to fit: in the order of substitution half `a` of B comes first and needs only its
/// own diagonal block, half `b` needs the block off the diagonal, too. The blocks are those of A itself.
template <typename T> struct TriangleCut {
  ConstTile<T> Aa, Ab, off;
  Tile<T> Ba, Bb;
};

/// The triangle is the leading n x n part of A, n > leafSize the order that B asks for.
template <typename T> TriangleCut<T> cutTriangle(Side side, Uplo uplo, Op op, int n, ConstTile<T> A, Tile<T> B) {
  const int h = cut(n, leafSize);
  const bool left = side == Side::Left, forward = left == reference::isLower(uplo, op);
  const ConstTile<T> A11 = block(A, 0, 0, h, h), A22 = block(A, h, h, n - h, n - h);
  const Tile<T> B1 = left ? block(B, 0, 0, h, B.n()) : block(B, 0, 0, B.m(), h);
  const Tile<T> B2 = left ? block(B, h, 0, n - h, B.n()) : block(B, 0, h, B.m(), n - h);
  return {forward ? A11 : A22, forward ? A22 : A11,
          uplo == Uplo::Lower ? block(A, h, 0, n - h, h) : block(A, 0, h, h, n - h), forward ? B1 : B2,
          forward ? B2 : B1};
}

} // namespace tla::kernels::recursive
