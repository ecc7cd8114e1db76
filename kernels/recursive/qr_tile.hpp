// The QR kernels on tiles. Products with Q are nearly all gemm, in the shapes that gemm likes best.
#pragma once

#include "kernels/recursive/qr_factor.hpp"
#include "kernels/reference/copies.hpp"

namespace tla::kernels::recursive {

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
    recursive::copyUnitLower<T>(block(V, l, l, m, columns), copy.tile());
    BlockReflector<T>(op, copy.tile(), block(W, 0, l, columns, columns)).apply(block(C, l, 0, m, C.n()));
  });
}

template <typename T> void tsmqr(Op op, int ib, Tile<T> C1, Tile<T> C2, ConstTile<T> V, ConstTile<T> W) {
  forBlocks(op, V.n(), ib, [&](int l, int columns) {
    const Scratch<T> copy(V.m(), columns);
    reference::copyTile<T>(block(V, 0, l, V.m(), columns), copy.tile());
    BlockReflector<T>(op, copy.tile(), block(W, 0, l, columns, columns)).apply(block(C1, l, 0, columns, C1.n()), C2);
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
  reference::laset(T(0), T(0), W);
  forBlocks(Op::ConjTrans, std::min(A.m(), A.n()), ib, [&](int l, int columns) {
    const Tile<T> factor(&W(0, l), columns, columns, W.ld());
    factorColumns(CrewScope(0), qrColumns(A, l, columns), factor);
    const int m = A.m() - l, others = A.n() - l - columns;
    const Scratch<T> copy(m, columns);
    recursive::copyUnitLower<T>(block(A, l, l, m, columns), copy.tile());
    BlockReflector<T>(Op::ConjTrans, copy.tile(), factor).apply(block(A, l, l + columns, m, others));
  });
}

template <typename T> void tsqrt(int ib, Tile<T> R, Tile<T> A, OutTile<T> W) {
  reference::laset(T(0), T(0), W);
  forBlocks(Op::ConjTrans, A.n(), ib, [&](int l, int columns) {
    const Tile<T> factor(&W(0, l), columns, columns, W.ld()), V = block(A, 0, l, A.m(), columns);
    factorColumns(CrewScope(0), QrColumns<T>{block(R, l, l, columns, columns), V, false}, factor);
    const int next = l + columns, others = A.n() - next;
    const Scratch<T> copy(A.m(), columns);
    reference::copyTile<T>(V, copy.tile());
    BlockReflector<T>(Op::ConjTrans, copy.tile(), factor)
        .apply(block(R, l, next, columns, others), block(A, 0, next, A.m(), others));
  });
}

template <typename T> void ttqrt(int ib, Tile<T> R, Tile<T> R2, OutTile<T> W) {
  reference::laset(T(0), T(0), W);
  forBlocks(Op::ConjTrans, R2.n(), ib, [&](int l, int columns) {
    const int m = std::min(R2.m(), l + columns), next = l + columns, others = R2.n() - next;
    const Tile<T> factor(&W(0, l), columns, columns, W.ld());
    const Scratch<T> copy(m, columns);
    copyVectors<T>(R2, l, copy.tile());
    factorColumns(CrewScope(0), QrColumns<T>{block(R, l, l, columns, columns), copy.tile(), false}, factor);
    copyVectorsBack<T>(copy.tile(), l, R2);
    BlockReflector<T>(Op::ConjTrans, copy.tile(), factor)
        .apply(block(R, l, next, columns, others), block(R2, 0, next, m, others));
  });
}

} // namespace tla::kernels::recursive
