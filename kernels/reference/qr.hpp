// The QR kernels: panels in LAPACK's format, and the tile kernels.
#pragma once

#include "kernels/reference/copies.hpp"
#include "kernels/reference/panel_view.hpp"
#include "kernels/reference/qr_blocks.hpp"

namespace tla::reference {

template <typename T> void geqrf(Panel<T> A, OutTile<T> tau, OutTile<T> W) {
  reference::laset(T(0), T(0), W);
  const PanelView<T> view(A);
  const int k = std::min(A.m(), A.n());
  factorQr(Vectors::BelowDiagonal, k, std::max(1, k), view.tile(), view.tile(), W);
  for (int j = 0; j < k; ++j)
    tau(j, 0) = W(j, j);
  view.writeBack(A);
}

template <typename T> void larft(ConstPanel<T> V, ConstTile<T> tau, OutTile<T> W) {
  reference::laset(T(0), T(0), W);
  const PanelView<T> view(V);
  formFactor<T>(
      Vectors::BelowDiagonal, view.tile(), 0, tau.m(), [&](int j) { return tau(j, 0); }, W);
}

template <typename T> void larfb(Op op, ConstPanel<T> V, ConstTile<T> W, Panel<T> C) {
  const PanelView<T> viewV(V), viewC(C);
  const int k = std::min(V.m(), V.n());
  applyQ<T>(Vectors::BelowDiagonal, op, k, std::max(1, k), viewC.tile(), viewC.tile(), viewV.tile(), W);
  viewC.writeBack(C);
}

template <typename T> void copyUnitLower(ConstTile<T> A, OutTile<T> B) {
  for (int j = 0; j < B.n(); ++j)
    for (int i = 0; i < B.m(); ++i)
      B(i, j) = i > j ? A(i, j) : T(i == j);
}

template <typename T> void geqrt(int ib, Tile<T> A, OutTile<T> W) {
  reference::laset(T(0), T(0), W);
  factorQr(Vectors::BelowDiagonal, std::min(A.m(), A.n()), ib, A, A, W);
}

template <typename T> void unmqr(Op op, int ib, ConstTile<T> V, ConstTile<T> W, Tile<T> C) {
  applyQ(Vectors::BelowDiagonal, op, std::min(V.m(), V.n()), ib, C, C, V, W);
}

template <typename T> void tsqrt(int ib, Tile<T> R, Tile<T> A, OutTile<T> W) {
  reference::laset(T(0), T(0), W);
  factorQr(Vectors::Full, A.n(), ib, R, A, W);
}

template <typename T> void tsmqr(Op op, int ib, Tile<T> C1, Tile<T> C2, ConstTile<T> V, ConstTile<T> W) {
  applyQ(Vectors::Full, op, V.n(), ib, C1, C2, V, W);
}

template <typename T> void ttqrt(int ib, Tile<T> R, Tile<T> R2, OutTile<T> W) {
  reference::laset(T(0), T(0), W);
  factorQr(Vectors::Upper, R2.n(), ib, R, R2, W);
}

template <typename T> void ttmqr(Op op, int ib, Tile<T> C1, Tile<T> C2, ConstTile<T> V, ConstTile<T> W) {
  applyQ(Vectors::Upper, op, V.n(), ib, C1, C2, V, W);
}

} // namespace tla::reference
