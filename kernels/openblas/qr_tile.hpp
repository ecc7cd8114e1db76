// The QR kernels on tiles. Products with Q are nearly all gemm, in the shapes that gemm likes best.
#pragma once

#include "kernels/openblas/qr_factor.hpp"

namespace tla::kernels::openblas {

/// op(I - V F V^H) for a block of k vectors, made ready to be applied to many columns.
///
/// A gemm per product would pack V once more in each, and send C through the caches three times. Where gemm works in
/// blocks (see usesBlocks()), V is transposed once instead, and C is taken in strips that stay in the cache, by the
/// small-matrix kernels directly.
template <typename T> class BlockReflector {
public:
  /// The vectors are the columns of V, which stays in use: best a copy, with a leading dimension that suits the caches.
  BlockReflector(Op op, ConstTile<T> V, ConstTile<T> W)
      : op_(op), k_(V.n()), m_(V.m()), V_(V), adjoint_(usesBlocks<T>() ? k_ : 0, m_), factor_(k_, k_) {
    if constexpr (!isComplex<T>)
      if (usesBlocks<T>())
        transpose(V, adjoint_.tile());
    if (op == Op::NoTrans)
      copyUpper<T>(W, factor_.tile());
    else
      copyAdjointOfUpper(W, factor_.tile());
  }

  /// C = op(I - V F V^H) C.
  void apply(Tile<T> C) const {
    forStrips(C.n(), [&](int j, int n, Tile<T> P, Tile<T> F) {
      const Tile<T> strip = block(C, 0, j, m_, n);
      multiplyAdjoint(strip, T(0), P);
      multiplyFactor(P, F);
      subtractProduct(F, strip);
    });
  }

  /// The same for vectors (e_j; V(:, j)), C being C1 (k rows) over C2.
  void apply(Tile<T> C1, Tile<T> C2) const {
    forStrips(C1.n(), [&](int j, int n, Tile<T> P, Tile<T> F) {
      const Tile<T> strip1 = block(C1, 0, j, k_, n), strip2 = block(C2, 0, j, m_, n);
      reference::copyTile<T>(strip1, P);
      multiplyAdjoint(strip2, T(1), P);
      multiplyFactor(P, F);
      subtract<T>(F, strip1);
      subtractProduct(F, strip2);
    });
  }

private:
  /// Columns of C in a strip; elements of V^H, and rows of V, in one product.
  static constexpr int stripColumns = 48, adjointElements = 6144, vectorRows = 192;

  template <typename Visitor> void forStrips(int n, Visitor visitor) const {
    const int most = usesBlocks<T>() ? evenBlock(n, stripColumns, 8) : n;
    const Scratch<T> products(k_, most), factored(k_, most);
    for (int j = 0; j < n; j += most) {
      const int columns = std::min(most, n - j);
      visitor(j, columns, block(products.tile(), 0, 0, k_, columns), block(factored.tile(), 0, 0, k_, columns));
    }
  }

  /// C = alpha A B + beta C by one call of OpenBLAS.
  static void multiply(T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) {
    if (A.n() == 0)
      reference::scal(beta, C);
    else if (C.m() > 0)
      blas::gemm(Op::NoTrans, Op::NoTrans, alpha, A, B, beta, C);
  }

  /// P = V^H C + beta P.
  void multiplyAdjoint(ConstTile<T> C, T beta, Tile<T> P) const {
    if (!usesBlocks<T>() || m_ == 0)
      return openblas::gemm<T>(Op::ConjTrans, Op::NoTrans, T(1), V_, C, beta, P);
    const int most = evenBlock(m_, std::max(8, adjointElements / std::max(1, k_)), 8);
    for (int i = 0; i < m_; i += most) {
      const int rows = std::min(most, m_ - i);
      multiply(T(1), block(adjoint_.tile(), 0, i, k_, rows), block(C, i, 0, rows, C.n()), i ? T(1) : beta, P);
    }
  }

  /// F = op(factor) P, without the products with a half that is zero.
  void multiplyFactor(ConstTile<T> P, Tile<T> F) const {
    const ConstTile<T> U = factor_.tile();
    const int h = k_ > 32 ? cut(k_, 16) : k_;
    const int skipped = op_ == Op::NoTrans ? h : 0, last = op_ == Op::NoTrans ? k_ : h;
    multiply(T(1), block(U, 0, 0, h, last), block(P, 0, 0, last, P.n()), T(0), block(F, 0, 0, h, P.n()));
    multiply(T(1), block(U, h, skipped, k_ - h, k_ - skipped), block(P, skipped, 0, k_ - skipped, P.n()), T(0),
             block(F, h, 0, k_ - h, P.n()));
  }

  /// C -= V F.
  void subtractProduct(ConstTile<T> F, Tile<T> C) const {
    const int most = usesBlocks<T>() ? evenBlock(m_, vectorRows, 32) : m_;
    for (int i = 0; i < m_; i += most) {
      const int rows = std::min(most, m_ - i);
      multiply(T(-1), block(V_, i, 0, rows, k_), F, T(1), block(C, i, 0, rows, C.n()));
    }
  }

  static void copyAdjointOfUpper(ConstTile<T> U, Tile<T> L) {
    for (int j = 0; j < L.n(); ++j)
      for (int i = 0; i < L.m(); ++i)
        L(i, j) = i < j ? T(0) : reference::conjugate(U(j, i));
  }

  Op op_;
  int k_, m_;
  ConstTile<T> V_;
  Scratch<T> adjoint_, factor_;
};

/// Calls visit(l, columns) for the blocks of k reflectors: Q^H takes them in their order, Q in the reverse.
template <typename Visitor> void forBlocks(Op op, int k, int ib, Visitor visitor) {
  const int blocks = (k + ib - 1) / ib;
  for (int step = 0; step < blocks; ++step) {
    const int l = ib * (op == Op::NoTrans ? blocks - 1 - step : step);
    visitor(l, std::min(ib, k - l));
  }
}

template <typename T> void unmqr(Op op, int ib, ConstTile<T> V, ConstTile<T> W, Tile<T> C) {
  forBlocks(op, std::min(V.m(), V.n()), ib, [&](int l, int columns) {
    const int m = V.m() - l;
    const Scratch<T> copy(m, columns);
    openblas::copyUnitLower<T>(block(V, l, l, m, columns), copy.tile());
    BlockReflector<T>(op, copy.tile(), block(W, 0, l, columns, columns)).apply(block(C, l, 0, m, C.n()));
  });
}

template <typename T> void tsmqr(Op op, int ib, Tile<T> C1, Tile<T> C2, ConstTile<T> V, ConstTile<T> W) {
  forBlocks(op, V.n(), ib, [&](int l, int columns) {
    const Scratch<T> copy(V.m(), columns);
    reference::copyTile<T>(block(V, 0, l, V.m(), columns), copy.tile());
    BlockReflector<T>(op, copy.tile(), block(W, 0, l, columns, columns))
        .apply(block(C1, l, 0, columns, C1.n()), C2);
  });
}

/// B = the columns of the upper triangular V from l on, zeros below the diagonal of V.
template <typename T> void copyVectors(ConstTile<T> V, int l, Tile<T> B) {
  for (int j = 0; j < B.n(); ++j) {
    const int rows = std::min(l + j + 1, B.m());
    std::copy_n(&V(0, l + j), rows, &B(0, j));
    std::fill_n(&B(0, j) + rows, B.m() - rows, T(0));
  }
}

/// Upper triangular V = B in the columns from l on.
template <typename T> void copyVectorsBack(ConstTile<T> B, int l, Tile<T> V) {
  for (int j = 0; j < B.n(); ++j)
    std::copy_n(&B(0, j), std::min(l + j + 1, B.m()), &V(0, l + j));
}

/// The upper triangular vectors, with zeros below the diagonal, as those of tsmqr; of C2 the rows that they reach.
template <typename T> void ttmqr(Op op, int ib, Tile<T> C1, Tile<T> C2, ConstTile<T> V, ConstTile<T> W) {
  forBlocks(op, V.n(), ib, [&](int l, int columns) {
    const int m = std::min(V.m(), l + columns);
    const Scratch<T> copy(m, columns);
    copyVectors<T>(V, l, copy.tile());
    BlockReflector<T>(op, copy.tile(), block(W, 0, l, columns, columns))
        .apply(block(C1, l, 0, columns, C1.n()), block(C2, 0, 0, m, C2.n()));
  });
}

template <typename T> void geqrt(int ib, Tile<T> A, OutTile<T> W) {
  forBlocks(Op::ConjTrans, std::min(A.m(), A.n()), ib, [&](int l, int columns) {
    const Tile<T> factor(&W(0, l), columns, columns, W.ld());
    factorColumns(qrColumns(A, l, columns), factor);
    const int m = A.m() - l, others = A.n() - l - columns;
    const Scratch<T> copy(m, columns);
    openblas::copyUnitLower<T>(block(A, l, l, m, columns), copy.tile());
    BlockReflector<T>(Op::ConjTrans, copy.tile(), factor).apply(block(A, l, l + columns, m, others));
  });
}

template <typename T> void tsqrt(int ib, Tile<T> R, Tile<T> A, OutTile<T> W) {
  forBlocks(Op::ConjTrans, A.n(), ib, [&](int l, int columns) {
    const Tile<T> factor(&W(0, l), columns, columns, W.ld()), V = block(A, 0, l, A.m(), columns);
    factorColumns(QrColumns<T>{block(R, l, l, columns, columns), V, false}, factor);
    const int next = l + columns, others = A.n() - next;
    const Scratch<T> copy(A.m(), columns);
    reference::copyTile<T>(V, copy.tile());
    BlockReflector<T>(Op::ConjTrans, copy.tile(), factor)
        .apply(block(R, l, next, columns, others), block(A, 0, next, A.m(), others));
  });
}

template <typename T> void ttqrt(int ib, Tile<T> R, Tile<T> R2, OutTile<T> W) {
  forBlocks(Op::ConjTrans, R2.n(), ib, [&](int l, int columns) {
    const int m = std::min(R2.m(), l + columns), next = l + columns, others = R2.n() - next;
    const Tile<T> factor(&W(0, l), columns, columns, W.ld());
    const Scratch<T> copy(m, columns);
    copyVectors<T>(R2, l, copy.tile());
    factorColumns(QrColumns<T>{block(R, l, l, columns, columns), copy.tile(), false}, factor);
    copyVectorsBack<T>(copy.tile(), l, R2);
    BlockReflector<T>(Op::ConjTrans, copy.tile(), factor)
        .apply(block(R, l, next, columns, others), block(R2, 0, next, m, others));
  });
}

} // namespace tla::kernels::openblas
