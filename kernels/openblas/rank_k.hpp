// syrk and herk on tiles.
#pragma once

#include "kernels/openblas/gemm.hpp"
#include "kernels/reference/rank_k.hpp"

namespace tla::kernels::openblas {

/// C = W + beta C in the stored triangle of C.
template <typename T> void addTriangle(Uplo uplo, ConstTile<T> W, T beta, Tile<T> C) {
  reference::scaleTriangle(uplo, beta, C);
  for (int j = 0; j < C.n(); ++j) {
    const reference::RowRange rows(uplo, C.n(), j);
    for (int i = rows.begin; i < rows.end; ++i)
      C(i, j) += W(i, j);
  }
}

/// The triangle of C = alpha A B + beta C, where op(B) = A^T: computed whole, to the side.
template <typename T>
void multiplyTriangle(Uplo uplo, Op opB, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) {
  const reference::Scratch<T> memory(GemmBlock::n * GemmBlock::n, 1);
  const Tile<T> W(memory.tile().data(), C.m(), C.n(), C.m());
  blas::gemm(Op::NoTrans, opB, alpha, A, B, T(0), W);
  addTriangle<T>(uplo, W, beta, C);
}

/// C = alpha op(A) op(A)^T + beta C for a real type, in blocks as in gemmByBlocks(). Blocks start at multiples of nb,
/// which divides mb, so that the diagonal of C enters a block of columns only at its upper left corner.
template <typename T> void rankKByBlocks(Uplo uplo, Op op, T alpha, ConstTile<T> A, T beta, Tile<T> C) {
  const int n = C.n(), k = op == Op::NoTrans ? A.n() : A.m();
  const int mb = evenBlock(n, GemmBlock::m, 16), nb = mb / 2, kb = evenBlock(k, GemmBlock::k, 8);
  const bool lower = uplo == Uplo::Lower;
  const Op second = op == Op::NoTrans ? Op::Trans : Op::NoTrans;
  PackedBlock<T> packed;
  for (int l = 0; l < k; l += kb)
    for (int i = 0; i < n; i += mb) {
      const int iEnd = std::min(i + mb, n), depth = std::min(kb, k - l), jEnd = lower ? iEnd : n;
      const ConstTile<T> Ail = packed.pack(op, A, i, l, iEnd - i, depth);
      const T scale = l == 0 ? beta : T(1);
      for (int j = lower ? 0 : i; j < jEnd; j += nb) {
        const int columns = std::min(nb, jEnd - j);
        const ConstTile<T> Ajl = block(op, A, j, l, columns, depth);
        const bool crossed = j >= i && j < iEnd;
        if (crossed)
          multiplyTriangle(uplo, second, alpha, block(Ail, j - i, 0, columns, depth), Ajl, scale,
                           block(C, j, j, columns, columns));
        const int begin = crossed && lower ? j + columns : i, end = crossed && !lower ? j : iEnd;
        if (begin < end)
          blas::gemm(Op::NoTrans, second, alpha, block(Ail, begin - i, 0, end - begin, depth), Ajl, scale,
                     block(C, begin, j, end - begin, columns));
      }
    }
}

template <typename T> void syrk(Uplo uplo, Op op, T alpha, ConstTile<T> A, T beta, Tile<T> C) {
  assert((!isComplex<T> || op != Op::ConjTrans) && "syrk takes NoTrans or Trans; herk takes ConjTrans");
  const int k = op == Op::NoTrans ? A.n() : A.m();
  if (C.n() == 0)
    return;
  if (alpha == T(0) || k == 0)
    reference::scaleTriangle(uplo, beta, C);
  else if (!usesBlocks<T>())
    blas::syrk(uplo, op, alpha, A, beta, C);
  else if constexpr (!isComplex<T>)
    rankKByBlocks(uplo, op, alpha, A, beta, C);
}

template <typename T> void herk(Uplo uplo, Op op, RealType<T> alpha, ConstTile<T> A, RealType<T> beta, Tile<T> C) {
  assert((!isComplex<T> || op != Op::Trans) && "herk takes NoTrans or ConjTrans; syrk takes Trans");
  const int k = op == Op::NoTrans ? A.n() : A.m();
  if constexpr (!isComplex<T>)
    openblas::syrk(uplo, op, alpha, A, beta, C);
  else if (alpha == 0 || k == 0)
    reference::herk(uplo, op, alpha, A, beta, C);
  else if (C.n() > 0)
    blas::herk(uplo, op, alpha, A, beta, C);
}

} // namespace tla::kernels::openblas
