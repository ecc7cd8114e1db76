// trtri and lauum on tiles: recursion on the triangle.
#pragma once

#include "kernels/recursive/products.hpp"
#include "kernels/recursive/trmm.hpp"
#include "kernels/recursive/trsm.hpp"
#include "kernels/reference/copies.hpp"
#include "kernels/reference/rank_k.hpp"
#include "kernels/reference/triangular.hpp"

namespace tla::kernels::recursive {

/// The inverse of a nonsingular triangle of at most leafSize x leafSize, as the solution of X A = I.
template <typename T> void invertLeaf(Uplo uplo, Diag diag, Tile<T> A) {
  const int n = A.n();
  T data[leafSize * leafSize];
  const Tile<T> X(data, n, n, leafSize);
  reference::laset<T>(T(0), T(1), X);
  trsmDirect<T>(Side::Right, uplo, Op::NoTrans, diag, T(1), A, X);
  for (int j = 0; j < n; ++j) {
    const reference::RowRange rows(uplo, n, j);
    for (int i = rows.begin; i < rows.end; ++i)
      if (i != j || diag == Diag::NonUnit)
        A(i, j) = X(i, j);
  }
}

/// The inverse of [L11 0; L21 L22] is [L11^-1 0; -L22^-1 L21 L11^-1 L22^-1]; with uplo = Upper the same, transposed.
template <typename T> void invert(Uplo uplo, Diag diag, Tile<T> A) {
  const int n = A.n();
  if (n <= leafSize)
    return invertLeaf(uplo, diag, A);
  const int h = cut(n, leafSize);
  const Tile<T> A11 = block(A, 0, 0, h, h), A22 = block(A, h, h, n - h, n - h);
  const bool lower = uplo == Uplo::Lower;
  const Tile<T> off = lower ? block(A, h, 0, n - h, h) : block(A, 0, h, h, n - h);
  recursive::trsm<T>(Side::Left, uplo, Op::NoTrans, diag, T(-1), lower ? A22 : A11, off);
  recursive::trsm<T>(Side::Right, uplo, Op::NoTrans, diag, T(1), lower ? A11 : A22, off);
  invert(uplo, diag, A11);
  invert(uplo, diag, A22);
}

template <typename T> int trtri(Uplo uplo, Diag diag, Tile<T> A) {
  if (const int info = diag == Diag::NonUnit ? reference::requireNonsingular(A) : 0)
    return info;
  invert(uplo, diag, A);
  return 0;
}

/// L^H L = [L11^H L11 + L21^H L21, .; L22^H L21, L22^H L22]; U U^H in the same way.
template <typename T> void lauum(Uplo uplo, Tile<T> A) {
  const int n = A.n();
  if (n <= leafSize)
    return vectorized([&] { reference::lauum(uplo, A); });
  const int h = cut(n, leafSize);
  const Tile<T> A11 = block(A, 0, 0, h, h), A22 = block(A, h, h, n - h, n - h);
  recursive::lauum(uplo, A11);
  if (uplo == Uplo::Lower) {
    const Tile<T> A21 = block(A, h, 0, n - h, h);
    products::herk<T>(uplo, Op::ConjTrans, 1, A21, 1, A11);
    recursive::trmm<T>(Side::Left, uplo, Op::ConjTrans, Diag::NonUnit, T(1), A22, A21);
  } else {
    const Tile<T> A12 = block(A, 0, h, h, n - h);
    products::herk<T>(uplo, Op::NoTrans, 1, A12, 1, A11);
    recursive::trmm<T>(Side::Right, uplo, Op::ConjTrans, Diag::NonUnit, T(1), A22, A12);
  }
  recursive::lauum(uplo, A22);
}

} // namespace tla::kernels::recursive
