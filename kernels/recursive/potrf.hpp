// potrf on tiles: recursion on the matrix, so that nearly all of the work is trsm and herk.
#pragma once

#include "kernels/recursive/products.hpp"
#include "kernels/recursive/trsm.hpp"
#include "kernels/reference/potrf.hpp"

namespace tla::kernels::recursive {

/// Tiles up to this size are factored directly. The reference body also decides `info`: unlike OpenBLAS's own potrf
/// it stops at a pivot that is NaN, as LAPACK does.
template <typename T> inline constexpr int potrfLeaf = 16;

/// A11 = L11 L11^H, L21 = A21 L11^-H, A22 - L21 L21^H = L22 L22^H; with uplo = Upper the same, transposed.
template <typename T> int potrf(Uplo uplo, Tile<T> A) {
  const int n = A.n();
  if (n <= potrfLeaf<T>)
    return vectorized([uplo, A] { return reference::potrf(uplo, A); });
  const int h = cut(n, 16);
  const Tile<T> A11 = block(A, 0, 0, h, h), A22 = block(A, h, h, n - h, n - h);
  if (const int info = recursive::potrf(uplo, A11))
    return info;
  if (uplo == Uplo::Lower) {
    const Tile<T> A21 = block(A, h, 0, n - h, h);
    recursive::trsm<T>(Side::Right, uplo, Op::ConjTrans, Diag::NonUnit, T(1), A11, A21);
    products::herk<T>(uplo, Op::NoTrans, -1, A21, 1, A22);
  } else {
    const Tile<T> A12 = block(A, 0, h, h, n - h);
    recursive::trsm<T>(Side::Left, uplo, Op::ConjTrans, Diag::NonUnit, T(1), A11, A12);
    products::herk<T>(uplo, Op::ConjTrans, -1, A12, 1, A22);
  }
  const int info = recursive::potrf(uplo, A22);
  return info ? h + info : 0;
}

} // namespace tla::kernels::recursive
