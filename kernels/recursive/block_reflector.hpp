// A block reflector applied to a tile.
#pragma once

#include "kernels/recursive/products.hpp"
#include "kernels/recursive/transpose.hpp"
#include "kernels/reference/panel_view.hpp"

namespace tla::kernels::recursive {

using reference::Scratch;

/// B = the unit lower triangle of A, zeros above; A may be B.
template <typename T> void copyUnitLower(ConstTile<T> A, OutTile<T> B) {
  for (int j = 0; j < B.n(); ++j) {
    std::fill_n(&B(0, j), std::min(j, B.m()), T(0));
    if (j >= B.m())
      continue;
    B(j, j) = T(1);
    if (A.data() != B.data())
      std::copy_n(&A(j, j) + 1, B.m() - j - 1, &B(j, j) + 1);
  }
}

/// B = the upper triangle of A, zeros below.
template <typename T> void copyUpper(ConstTile<T> A, OutTile<T> B) {
  for (int j = 0; j < B.n(); ++j) {
    const int rows = std::min(j + 1, B.m());
    std::copy_n(&A(0, j), rows, &B(0, j));
    std::fill_n(&B(0, j) + rows, B.m() - rows, T(0));
  }
}

/// B -= A.
template <typename T> void subtract(ConstTile<T> A, Tile<T> B) {
  for (int j = 0; j < B.n(); ++j)
    for (int i = 0; i < B.m(); ++i)
      B(i, j) -= A(i, j);
}

/// op(I - V F V^H) for a block of k vectors, made ready to be applied to many columns.
///
/// A gemm per product would pack V once more in each, and send C through the caches three times. Where gemm does well
/// in strips (see products::likesStrips()), V is transposed once instead, and C is taken in strips that stay in the
/// cache.
template <typename T> class BlockReflector {
public:
  /// The vectors are the columns of V, which stays in use: best a copy, with a leading dimension that suits the caches.
  BlockReflector(Op op, ConstTile<T> V, ConstTile<T> W)
      : op_(op), k_(V.n()), m_(V.m()), V_(V), adjoint_(products::likesStrips<T>() ? k_ : 0, m_), factor_(k_, k_) {
    if (products::likesStrips<T>())
      copyAdjoint(V, adjoint_.tile());
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

  /// (C1; C2) = op(I - V' F V'^H) (C1; C2) for the vectors V' = (I; V), C1 having k rows.
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
    const int most = products::likesStrips<T>() ? evenBlock(n, stripColumns, 8) : n;
    const Scratch<T> products(k_, most), factored(k_, most);
    for (int j = 0; j < n; j += most) {
      const int columns = std::min(most, n - j);
      visitor(j, columns, block(products.tile(), 0, 0, k_, columns), block(factored.tile(), 0, 0, k_, columns));
    }
  }

  static void multiply(T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) {
    products::gemm<T>(Op::NoTrans, Op::NoTrans, alpha, A, B, beta, C);
  }

  static void copyAdjoint(ConstTile<T> A, Tile<T> B) {
    if constexpr (!isComplex<T>)
      transpose(A, B);
    else
      for (int j = 0; j < A.n(); ++j)
        for (int i = 0; i < A.m(); ++i)
          B(j, i) = reference::conjugate(A(i, j));
  }

  /// P = V^H C + beta P.
  void multiplyAdjoint(ConstTile<T> C, T beta, Tile<T> P) const {
    if (!products::likesStrips<T>() || m_ == 0)
      return products::gemm<T>(Op::ConjTrans, Op::NoTrans, T(1), V_, C, beta, P);
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
    const int most = products::likesStrips<T>() ? evenBlock(m_, vectorRows, 32) : m_;
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

} // namespace tla::kernels::recursive
