// C = alpha A B + beta C or alpha B A + beta C, A symmetric or Hermitian (BLAS: symm, hemm).
#pragma once

#include "kernels/reference/scal.hpp"

namespace tla::reference {

/// Element (i, j) of a tile of which one triangle is stored: symmetric for mirror = Trans, Hermitian for ConjTrans,
/// when the diagonal is taken as real.
template <typename T> T mirroredElement(Uplo uplo, Op mirror, ConstTile<T> A, int i, int j) {
  if (i == j)
    return mirror == Op::ConjTrans ? T(realPart(A(i, i))) : A(i, i);
  const bool stored = (uplo == Uplo::Lower) == (i > j);
  return stored ? A(i, j) : applied(mirror, A(j, i));
}

template <typename T>
void multiplyMirrored(Side side, Uplo uplo, Op mirror, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) {
  reference::scal(beta, C);
  if (alpha == T(0))
    return;
  for (int j = 0; j < C.n(); ++j)
    for (int l = 0; l < A.n(); ++l) {
      const T factor = alpha * (side == Side::Left ? B(l, j) : mirroredElement(uplo, mirror, A, l, j));
      for (int i = 0; i < C.m(); ++i)
        C(i, j) += (side == Side::Left ? mirroredElement(uplo, mirror, A, i, l) : B(i, l)) * factor;
    }
}

template <typename T> void symm(Side side, Uplo uplo, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) {
  multiplyMirrored(side, uplo, Op::Trans, alpha, A, B, beta, C);
}

template <typename T> void hemm(Side side, Uplo uplo, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) {
  multiplyMirrored(side, uplo, Op::ConjTrans, alpha, A, B, beta, C);
}

} // namespace tla::reference
