// geqrf, larft and larfb on panels.
#pragma once

#include "kernels/recursive/gathered.hpp"
#include "kernels/recursive/products.hpp"
#include "kernels/recursive/qr_factor.hpp"
#include "kernels/reference/copies.hpp"

namespace tla::kernels::recursive {

template <typename T> void geqrf(Panel<T> A, OutTile<T> tau, OutTile<T> W) {
  reference::laset(T(0), T(0), W);
  const int k = std::min(A.m(), A.n());
  if (k == 0)
    return;
  const CrewScope crew(2.0 * A.m() * k * k);
  const Tiles<T> tiles = tilesOf(A);
  const Gathered<T> gathered(crew, tiles);
  const Tile<T> whole = gathered.whole();
  const QrColumns<T> columns = qrColumns(whole, 0, k);
  const Tile<T> factor(W.data(), k, k, W.ld());
  factorColumns(crew, columns, factor);
  if (k < A.n())
    applyReflectors<T>(crew, Op::ConjTrans, columns, factor, block(whole, 0, k, k, A.n() - k),
                       block(whole, k, k, A.m() - k, A.n() - k));
  for (int j = 0; j < k; ++j)
    tau(j, 0) = W(j, j);
  gathered.writeBack();
}

/// The rows of a panel, in pieces that are one tile each; also where the tiles are windows on one array: the order of
/// additions, and so the bits of a result, must not depend on where a tile happens to lie.
template <typename T> class PanelRows {
public:
  explicit PanelRows(ConstPanel<T> A) : A_(A) {}
  /// From row i to the end of its tile; to be written only when the panel may be. In as much time as from the row of
  /// the last call to i, which lies behind it as a rule.
  Tile<T> from(int i) const {
    if (i < begin_)
      tile_ = begin_ = 0;
    while (i - begin_ >= A_(tile_).m())
      begin_ += A_(tile_++).m();
    const ConstTile<T> tile = A_(tile_);
    const int row = i - begin_;
    return {const_cast<T *>(tile.data()) + row, tile.m() - row, tile.n(), tile.ld()};
  }

private:
  ConstPanel<T> A_;
  mutable int tile_ = 0, begin_ = 0; // where the last call was: of the one thread that has this object
};

/// The k vectors in a panel V, without what is above their ones.
template <typename T> class PanelVectors {
public:
  PanelVectors(ConstPanel<T> V, int k) : V_(V), m_(V.m()), top_(k, k) {
    for (int i = 0, rows; i < k; i += rows) {
      const Tile<T> piece = V_.from(i);
      rows = std::min(piece.m(), k - i);
      reference::copyTile<T>(block(piece, 0, 0, rows, k), block(top_.tile(), i, 0, rows, k));
    }
    recursive::copyUnitLower<T>(top_.tile(), top_.tile());
  }
  int k() const { return top_.tile().n(); }

  /// Calls visit(i, tile) for pieces of all rows; i is the row of the panel at which a piece begins, and `mostRows(i)`
  /// limits its rows.
  template <typename Limit, typename Visitor> void visit(Limit mostRows, Visitor visitor) const {
    for (int i = 0, rows; i < m_; i += rows) {
      const Tile<T> piece = i < k() ? block(top_.tile(), i, 0, k() - i, k()) : V_.from(i);
      rows = std::min(piece.m(), mostRows(i));
      visitor(i, block(piece, 0, 0, rows, k()));
    }
  }

private:
  PanelRows<T> V_;
  int m_;
  Scratch<T> top_;
};

/// The factor W of reflectors with V^H V = G and the given taus: reference::formFactor with the products at hand.
template <typename T> void formFactor(ConstTile<T> G, const T *tau, Tile<T> W) {
  const int n = W.n();
  if (n <= 2 * qrLeaf) {
    for (int j = 0; j < n; ++j)
      appendToFactor(j, tau[j], &G(0, j), W);
    return;
  }
  const int h = cut(n, qrLeaf);
  const Tile<T> W11 = block(W, 0, 0, h, h), W22 = block(W, h, h, n - h, n - h);
  formFactor(block(G, 0, 0, h, h), tau, W11);
  formFactor(block(G, h, h, n - h, n - h), tau + h, W22);
  joinByProducts<T>(W11, block(G, 0, h, h, n - h), W22, block(W, 0, h, h, n - h));
  reference::scal(T(0), block(W, h, 0, n - h, h));
}

template <typename T> void larft(ConstPanel<T> V, ConstTile<T> tau, OutTile<T> W) {
  reference::laset(T(0), T(0), W);
  const int k = tau.m();
  const PanelVectors<T> vectors(V, k);
  const Scratch<T> products(k, k);
  const Tile<T> G = products.tile();
  reference::scal(T(0), G);
  const int m = V.m(); // which visits all tiles
  vectors.visit([m](int) { return m; },
                [&](int, ConstTile<T> piece) { products::herk<T>(Uplo::Upper, Op::ConjTrans, 1, piece, 1, G); });
  formFactor<T>(G, tau.data(), {W.data(), k, k, W.ld()});
}

template <typename T> void larfb(Op op, ConstPanel<T> V, ConstTile<T> W, Panel<T> C) {
  const int k = std::min(V.m(), V.n()), n = C.n();
  const PanelVectors<T> vectors(V, k);
  const PanelRows<T> rows(C);
  const Scratch<T> products(k, n), factored(k, n);
  const Tile<T> P = products.tile(), F = factored.tile();
  const auto limit = [&](int i) { return rows.from(i).m(); };
  reference::scal(T(0), P);
  vectors.visit(limit, [&](int i, ConstTile<T> piece) {
    addInnerProductsAlone<T>(piece, block(rows.from(i), 0, 0, piece.m(), n), P);
  });
  multiplyByFactor<T>(op, block(W, 0, 0, k, k), P, F);
  vectors.visit(limit, [&](int i, ConstTile<T> piece) {
    products::gemm<T>(Op::NoTrans, Op::NoTrans, T(-1), piece, F, T(1), block(rows.from(i), 0, 0, piece.m(), n));
  });
}

} // namespace tla::kernels::recursive
