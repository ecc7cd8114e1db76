// syrk and herk on tiles.
#pragma once

#include "kernels/openblas/gemm.hpp"
#include "kernels/reference/rank_k.hpp"

namespace tla::kernels::openblas {

/// Adds the part of W that lies in the stored triangle of C, with C scaled by beta first. Column j of both starts at
/// row `shift` of the triangle: element (i, j) is stored when shift + i >= j (Lower) or <= j (Upper).
template <typename T> void addTriangle(Uplo uplo, int shift, ConstTile<T> W, T beta, Tile<T> C) {
  for (int j = 0; j < C.n(); ++j) {
    const int diagonal = std::clamp(j - shift, 0, C.m());
    const int begin = uplo == Uplo::Lower ? diagonal : 0,
              end = uplo == Uplo::Lower ? C.m() : std::min(diagonal + 1, C.m());
    for (int i = begin; i < end; ++i) {
      reference::scale(C(i, j), beta);
      C(i, j) += W(i, j);
    }
  }
}

/// C = alpha op(A) op(A)^T + beta C for a real type, blocks as in gemmByBlocks(). A block that the diagonal crosses
/// is computed whole, to the side, and its triangle added.
template <typename T> void rankKByBlocks(Uplo uplo, Op op, T alpha, ConstTile<T> A, T beta, Tile<T> C) {
  const int n = C.n(), k = op == Op::NoTrans ? A.n() : A.m();
  const int mb = evenBlock(n, GemmBlock::m, 16), nb = std::min(mb / 2, GemmBlock::n);
  const int kb = evenBlock(k, GemmBlock::k, 8);
  const Op second = op == Op::NoTrans ? Op::Trans : Op::NoTrans;
  PackedBlock<T> packed;
  alignas(64) T crossing[GemmBlock::n * GemmBlock::n];
  for (int l = 0; l < k; l += kb)
    for (int i = 0; i < n; i += mb) {
      const int rows = std::min(mb, n - i), depth = std::min(kb, k - l);
      const ConstTile<T> Ail = packed.pack(op, A, i, l, rows, depth);
      const T scale = l == 0 ? beta : T(1);
      const int firstColumn = uplo == Uplo::Lower ? 0 : i, lastColumn = uplo == Uplo::Lower ? i + rows : n;
      for (int j = firstColumn; j < lastColumn; j += nb) {
        const int columns = std::min(nb, lastColumn - j);
        const ConstTile<T> Ajl = block(op, A, j, l, columns, depth);
        // Rows [top, bottom) are crossed by the diagonal; [begin, end) lie in the triangle altogether.
        const int top = std::clamp(j, i, i + rows), bottom = std::clamp(j + columns, i, i + rows);
        const int begin = uplo == Uplo::Lower ? bottom : i, end = uplo == Uplo::Lower ? i + rows : top;
        if (begin < end)
          blas::gemm(Op::NoTrans, second, alpha, block(Ail, begin - i, 0, end - begin, depth), Ajl, scale,
                     block(C, begin, j, end - begin, columns));
        if (top < bottom) {
          const Tile<T> W(crossing, bottom - top, columns, bottom - top);
          blas::gemm(Op::NoTrans, second, alpha, block(Ail, top - i, 0, bottom - top, depth), Ajl, T(0), W);
          addTriangle<T>(uplo, top - j, W, scale, block(C, top, j, bottom - top, columns));
        }
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
