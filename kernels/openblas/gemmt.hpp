// gemmt on tiles: recursion on the triangle, so that nearly all of the work is gemm.
#pragma once

#include "kernels/openblas/rank_k.hpp"

namespace tla::kernels::openblas {

/// Triangles up to this size are computed whole, to the side.
inline constexpr int gemmtLeaf = 32;

template <typename T>
void gemmt(Uplo uplo, Op opA, Op opB, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) {
  const int n = C.n(), k = opA == Op::NoTrans ? A.n() : A.m();
  if (n == 0)
    return;
  if (alpha == T(0) || k == 0)
    return reference::scaleTriangle(uplo, beta, C);
  if (n <= gemmtLeaf) {
    alignas(64) T data[gemmtLeaf * gemmtLeaf];
    const Tile<T> W(data, n, n, n);
    openblas::gemm<T>(opA, opB, alpha, A, B, T(0), W);
    return addTriangle<T>(uplo, W, beta, C);
  }
  const int h = cut(n, 16);
  const ConstTile<T> A1 = block(opA, A, 0, 0, h, k), A2 = block(opA, A, h, 0, n - h, k);
  const ConstTile<T> B1 = block(opB, B, 0, 0, k, h), B2 = block(opB, B, 0, h, k, n - h);
  openblas::gemmt<T>(uplo, opA, opB, alpha, A1, B1, beta, block(C, 0, 0, h, h));
  if (uplo == Uplo::Lower)
    openblas::gemm<T>(opA, opB, alpha, A2, B1, beta, block(C, h, 0, n - h, h));
  else
    openblas::gemm<T>(opA, opB, alpha, A1, B2, beta, block(C, 0, h, h, n - h));
  openblas::gemmt<T>(uplo, opA, opB, alpha, A2, B2, beta, block(C, h, h, n - h, n - h));
}

} // namespace tla::kernels::openblas
