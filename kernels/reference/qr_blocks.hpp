// QR of two tiles, one above the other, blocked by ib; and the product with that Q. The three pairs of tile kernels
// differ only in where a reflector's vector lies.
#pragma once

#include "kernels/reference/qr_reflector.hpp"

#include <vector>

namespace tla::reference {

/// Where the vectors lie in a tile V: v_j has its one in row j of the top tile, and below it
enum class Vectors {
  BelowDiagonal, ///< rows [j + 1, m) of column j, of the top tile itself (geqrt)
  Full,          ///< the whole of column j, of a second tile (tsqrt)
  Upper,         ///< rows [0, j] of column j, of a second tile (ttqrt)
};

/// The rows [begin, end) of column j of V that hold v_j.
struct VectorRows {
  VectorRows(Vectors shape, int m, int j)
      : begin(shape == Vectors::BelowDiagonal ? j + 1 : 0), end(shape == Vectors::Upper ? std::min(j + 1, m) : m) {}
  int size() const { return end - begin; }
  int begin, end;
};

/// v_l^H v_j, l < j.
template <typename T> T vectorProduct(Vectors shape, ConstTile<T> V, int l, int j) {
  const VectorRows rowsL(shape, V.m(), l), rowsJ(shape, V.m(), j);
  T sum = shape == Vectors::BelowDiagonal ? conjugate(V(j, l)) : T(0);
  for (int i = std::max(rowsL.begin, rowsJ.begin); i < std::min(rowsL.end, rowsJ.end); ++i)
    sum += conjugate(V(i, l)) * V(i, j);
  return sum;
}

/// The factor F of the block reflector H_l H_{l+1} ... = I - V F V^H (LAPACK: larft): column j is
/// -tau_j F(:, 0:j) V(:, 0:j)^H v_j above tau_j, and zero below. tau(j) is that of reflector l + j.
template <typename T, typename Tau>
void formFactor(Vectors shape, ConstTile<T> V, int l, int columns, Tau tau, OutTile<T> F) {
  for (int j = 0; j < columns; ++j) {
    for (int i = 0; i < columns; ++i)
      F(i, j) = T(0);
    F(j, j) = tau(j);
    for (int p = 0; p < j; ++p) {
      const T factor = -tau(j) * vectorProduct(shape, V, l + p, l + j);
      for (int i = 0; i <= p; ++i)
        F(i, j) += F(i, p) * factor;
    }
  }
}

/// The ib x ib (the last perhaps smaller) factor in W of the reflectors from l on.
template <typename T, template <typename> class TileType> TileType<T> factorBlock(TileType<T> W, int l, int columns) {
  return {const_cast<T *>(&W(0, l)), columns, columns, W.ld()};
}

/// QR of `top` over A (for BelowDiagonal they are the same tile), k reflectors, column by column.
template <typename T> void factorQr(Vectors shape, int k, int ib, Tile<T> top, Tile<T> A, OutTile<T> W) {
  std::vector<T> tau(k);
  for (int j = 0; j < k; ++j) {
    const VectorRows rows(shape, A.m(), j);
    T *const x = A.data() + rows.begin + static_cast<long>(j) * A.ld();
    tau[j] = larfg(top(j, j), rows.size(), x);
    for (int c = j + 1; c < A.n(); ++c)
      reflect(conjugate(tau[j]), rows.size(), x, top(j, c), A.data() + rows.begin + static_cast<long>(c) * A.ld());
  }
  for (int l = 0; l < k; l += ib) {
    const int columns = std::min(ib, k - l);
    formFactor<T>(
        shape, A, l, columns, [&](int j) { return tau[l + j]; }, factorBlock(W, l, columns));
  }
}

/// w = op(F) w, F upper triangular.
template <typename T> void multiplyByFactor(Op op, ConstTile<T> F, std::vector<T> &w) {
  const int n = F.n();
  std::vector<T> product(n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (op == Op::NoTrans ? i <= j : j <= i)
        product[i] += element(op, F, i, j) * w[j];
  w = product;
}

/// C = op(I - V F V^H) C for the reflectors [l, l + F.n()), C being C1 over C2 (for BelowDiagonal the same tile).
template <typename T>
void applyBlockReflector(Vectors shape, Op op, int l, Tile<T> C1, Tile<T> C2, ConstTile<T> V, ConstTile<T> F) {
  for (int c = 0; c < C1.n(); ++c) {
    std::vector<T> w(F.n());
    for (int j = 0; j < F.n(); ++j) {
      const VectorRows rows(shape, V.m(), l + j);
      w[j] = C1(l + j, c);
      for (int i = rows.begin; i < rows.end; ++i)
        w[j] += conjugate(V(i, l + j)) * C2(i, c);
    }
    multiplyByFactor(op, F, w);
    for (int j = 0; j < F.n(); ++j) {
      const VectorRows rows(shape, V.m(), l + j);
      C1(l + j, c) -= w[j];
      for (int i = rows.begin; i < rows.end; ++i)
        C2(i, c) -= V(i, l + j) * w[j];
    }
  }
}

/// C = op(Q) C: Q^H takes the blocks of reflectors in their order, Q in the reverse.
template <typename T>
void applyQ(Vectors shape, Op op, int k, int ib, Tile<T> C1, Tile<T> C2, ConstTile<T> V, ConstTile<T> W) {
  const int blocks = (k + ib - 1) / ib;
  for (int step = 0; step < blocks; ++step) {
    const int l = ib * (op == Op::NoTrans ? blocks - 1 - step : step);
    applyBlockReflector<T>(shape, op, l, C1, C2, V, factorBlock(W, l, std::min(ib, k - l)));
  }
}

} // namespace tla::reference
