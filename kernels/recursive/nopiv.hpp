// Factorizations without pivoting on tiles: recursion on the matrix.
#pragma once

#include "kernels/recursive/products.hpp"
#include "kernels/recursive/trsm.hpp"
#include "kernels/reference/nopiv.hpp"
#include "kernels/reference/scratch.hpp"

namespace tla::kernels::recursive {

/// A11 = L11 D1 L11^H, L21 D1 = A21 L11^-H, A22 - L21 (L21 D1)^H = L22 D2 L22^H. What gemmt leaves in the imaginary
/// part of the diagonal is dropped where the leaf takes the pivot.
template <typename T> int hetrf_nopiv(Tile<T> A) {
  const int n = A.n();
  if (n <= leafSize)
    return vectorized([A] { return reference::hetrf_nopiv(A); });
  const int h = cut(n, leafSize);
  const Tile<T> A11 = block(A, 0, 0, h, h), A21 = block(A, h, 0, n - h, h), A22 = block(A, h, h, n - h, n - h);
  if (const int info = recursive::hetrf_nopiv(A11))
    return info;
  {
    const reference::Scratch<T> scratch(n - h, h);
    const Tile<T> W = scratch.tile();
    recursive::trsm<T>(Side::Right, Uplo::Lower, Op::ConjTrans, Diag::Unit, T(1), A11, A21);
    reference::scaleByPivots<T>(A11, A21, W);
    products::gemmt<T>(Uplo::Lower, Op::NoTrans, Op::ConjTrans, T(-1), A21, W, T(1), A22);
  }
  const int info = recursive::hetrf_nopiv(A22);
  return info ? h + info : 0;
}

/// getrf_nopiv of a square tile.
template <typename T> int getrfSquare(Tile<T> A) {
  const int n = A.n();
  if (n <= leafSize)
    return vectorized([A] { return reference::getrf_nopiv(A); });
  const int h = cut(n, leafSize);
  const Tile<T> A11 = block(A, 0, 0, h, h), A12 = block(A, 0, h, h, n - h);
  const Tile<T> A21 = block(A, h, 0, n - h, h), A22 = block(A, h, h, n - h, n - h);
  if (const int info = getrfSquare(A11))
    return info;
  recursive::trsm<T>(Side::Left, Uplo::Lower, Op::NoTrans, Diag::Unit, T(1), A11, A12);
  recursive::trsm<T>(Side::Right, Uplo::Upper, Op::NoTrans, Diag::NonUnit, T(1), A11, A21);
  products::gemm<T>(Op::NoTrans, Op::NoTrans, T(-1), A21, A12, T(1), A22);
  const int info = getrfSquare(A22);
  return info ? h + info : 0;
}

template <typename T> int getrf_nopiv(Tile<T> A) {
  const int m = A.m(), n = A.n(), k = min(m, n);
  const Tile<T> square = block(A, 0, 0, k, k);
  if (const int info = getrfSquare(square))
    return info;
  if (m > k)
    recursive::trsm<T>(Side::Right, Uplo::Upper, Op::NoTrans, Diag::NonUnit, T(1), square, block(A, k, 0, m - k, k));
  if (n > k)
    recursive::trsm<T>(Side::Left, Uplo::Lower, Op::NoTrans, Diag::Unit, T(1), square, block(A, 0, k, k, n - k));
  return 0;
}

} // namespace tla::kernels::recursive
