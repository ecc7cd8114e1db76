// gemm on tiles with the small-matrix kernels of OpenBLAS.
//
// A call to OpenBLAS packs both operands into its own format again and again, which costs a tile product a fifth of the
// peak. Since 0.3.17 it has kernels for AVX-512 that read the operands where they are, for products of up to 10^6
// multiplications (kernel/x86_64/dgemm_small_kernel_permit_skylakex.c). Cutting a tile into blocks of that size, and
// copying only the block of A (so that its columns do not compete for the same cache lines whatever the leading
// dimension; a copy of B does not pay), runs within 5% of the peak.
#pragma once

#include "kernels/openblas/blas.hpp"
#include "kernels/recursive/blocks.hpp"
#include "kernels/recursive/transpose.hpp"
#include "kernels/reference/scal.hpp"
#include "kernels/reference/scratch.hpp"

#include <cstring>
#include <type_traits>

namespace tla::kernels::openblas {

using recursive::block;
using recursive::cut;
using recursive::evenBlock;
using recursive::transpose;

/// Whether this OpenBLAS on this CPU has the small-matrix kernels; set once, when the back-end is installed.
inline bool hasSmallGemm = false;

/// Whether products in T are cut into blocks. Measured: double gains 20-30%, float nothing, and the complex types have
/// no small-matrix kernels.
template <typename T> bool usesBlocks() { return std::is_same_v<T, double> && hasSmallGemm; }

/// Sizes of the blocks: op(A) is cut into m x k (98 KiB, well inside the level-2 cache), op(B) into k x n.
struct GemmBlock {
  static constexpr int m = 96, n = 48, k = 128;
};

/// A copy of one block of op(A), never transposed.
template <typename T> class PackedBlock {
public:
  /// The tile of the copy of rows [i, i + m), columns [l, l + k) of op(A).
  ConstTile<T> pack(Op op, ConstTile<T> A, int i, int l, int m, int k) {
    const ConstTile<T> source = block(op, A, i, l, m, k);
    T *const data = memory_.tile().data();
    if (op == Op::NoTrans)
      for (int j = 0; j < k; ++j)
        std::memcpy(data + static_cast<long>(j) * m, &source(0, j), m * sizeof(T));
    else
      transpose(source, Tile<T>(data, m, k, m));
    return {data, m, k, m};
  }

private:
  reference::Scratch<T> memory_{GemmBlock::m * GemmBlock::k, 1}; ///< not the stack's, which may be the host's small one
};

template <typename T> void gemmByBlocks(Op opA, Op opB, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) {
  const int k = opA == Op::NoTrans ? A.n() : A.m();
  const int mb = evenBlock(C.m(), GemmBlock::m, 8), nb = evenBlock(C.n(), GemmBlock::n, 8);
  const int kb = evenBlock(k, GemmBlock::k, 8);
  PackedBlock<T> packed;
  for (int l = 0; l < k; l += kb)
    for (int i = 0; i < C.m(); i += mb) {
      const int rows = std::min(mb, C.m() - i), depth = std::min(kb, k - l);
      const ConstTile<T> Ail = packed.pack(opA, A, i, l, rows, depth);
      for (int j = 0; j < C.n(); j += nb) {
        const int columns = std::min(nb, C.n() - j);
        const ConstTile<T> Blj = block(opB, B, l, j, depth, columns);
        blas::gemm(Op::NoTrans, opB, alpha, Ail, Blj, l == 0 ? beta : T(1), block(C, i, j, rows, columns));
      }
    }
}

/// Whether one call of OpenBLAS takes the small-matrix kernel, without a copy of A.
inline bool isSmall(Op opA, int m, int n, int k) {
  constexpr double most = static_cast<double>(GemmBlock::m) * GemmBlock::n * GemmBlock::k;
  return opA == Op::NoTrans && static_cast<double>(m) * n * k <= most;
}

template <typename T> void gemm(Op opA, Op opB, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) {
  const int k = opA == Op::NoTrans ? A.n() : A.m();
  if (C.m() == 0 || C.n() == 0)
    return;
  // The small-matrix kernels multiply by alpha = 0, where BLAS does not read A and B.
  if (alpha == T(0) || k == 0)
    reference::scal(beta, C);
  else if (!usesBlocks<T>() || isSmall(opA, C.m(), C.n(), k))
    blas::gemm(opA, opB, alpha, A, B, beta, C);
  else if constexpr (!isComplex<T>)
    gemmByBlocks(opA, opB, alpha, A, B, beta, C);
}

} // namespace tla::kernels::openblas
