// QR of a block of columns with its triangular factor, recursively (Elmroth & Gustavson, Applying recursion to serial
// and parallel QR factorization leads to better performance, IBM J. Res. Dev. 44, 2000; LAPACK: geqrt3).
#pragma once

#include "kernels/openblas/gemm.hpp"
#include "kernels/openblas/qr_dots.hpp"
#include "kernels/reference/panel_view.hpp"
#include "kernels/reference/qr_reflector.hpp"

namespace tla::kernels::openblas {

using reference::Scratch;

/// n columns to be factored, R replacing the upper triangle of `top` (n x n). Below the diagonal: in one tile, of which
/// `rest` is the rows below `top` (geqrt), or nothing in `top`, and `rest` a tile of its own (tsqrt).
template <typename T> struct QrColumns {
  Tile<T> top, rest;
  bool oneTile;

  int n() const { return top.n(); }
  /// What lies below the first i rows, in the columns [j, j + columns).
  Tile<T> below(int i, int j, int columns) const {
    if (!oneTile)
      return block(rest, 0, j, rest.m(), columns);
    return {top.data() + i + static_cast<long>(j) * top.ld(), n() - i + rest.m(), columns, top.ld()};
  }
  QrColumns first(int h) const { return {block(top, 0, 0, h, h), below(h, 0, h), oneTile}; }
  QrColumns from(int h) const {
    return {block(top, h, h, n() - h, n() - h), block(rest, 0, h, rest.m(), n() - h), oneTile};
  }
};

/// The columns [j, j + n) of a tile with at least j + n rows, from row j on.
template <typename T> QrColumns<T> qrColumns(Tile<T> A, int j, int n) {
  return {block(A, j, j, n, n), block(A, j + n, j, A.m() - j - n, n), true};
}

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

/// W += A^H B for tall A and B.
template <typename T> void addInnerProducts(ConstTile<T> A, ConstTile<T> B, Tile<T> W) {
  constexpr int narrow = 16;
  if constexpr (!isComplex<T>)
    if (A.n() <= narrow && B.n() <= narrow)
      return addProductsHere<T>(A, B, W);
  openblas::gemm<T>(Op::ConjTrans, Op::NoTrans, T(1), A, B, T(1), W);
}

/// The part of V^H V that lies above the diagonal, for the vectors of the factored columns V.
template <typename T> void vectorProducts(const QrColumns<T> &V, Tile<T> G) {
  reference::scal(T(0), G);
  addInnerProducts<T>(V.rest, V.rest, G);
  for (int j = 1; V.oneTile && j < V.n(); ++j)
    for (int i = 0; i < j; ++i) {
      T sum = reference::conjugate(V.top(j, i));
      for (int r = j + 1; r < V.n(); ++r)
        sum += reference::conjugate(V.top(r, i)) * V.top(r, j);
      G(i, j) += sum;
    }
}

/// The factor of a few reflectors from V^H V and the taus: reference::formFactor with the products at hand.
template <typename T> void formSmallFactor(ConstTile<T> G, const T *tau, Tile<T> W) {
  for (int j = 0; j < W.n(); ++j) {
    std::fill_n(&W(0, j), W.n(), T(0));
    W(j, j) = tau[j];
    for (int p = 0; p < j; ++p) {
      const T factor = -tau[j] * G(p, j);
      for (int i = 0; i <= p; ++i)
        W(i, j) += W(i, p) * factor;
    }
  }
}

/// Makes the reflector of column 0 of A and returns tau and the products x^H A(:, c) of its vector with the columns
/// c >= 1, which the caller's `products` hold for the vector before it was scaled.
/// LAPACK's larfg by sums of squares; where they may overflow or lose digits, larfg itself.
template <typename T> struct LeafReflector {
  T tau, scale; // the vector in memory is still to be scaled by `scale`
};
template <typename T> LeafReflector<T> makeReflector(const QrColumns<T> &A, const T *products, T *sums) {
  constexpr T smallest = std::numeric_limits<T>::min() / std::numeric_limits<T>::epsilon();
  const Tile<T> x = A.below(1, 0, 1);
  const int n = A.n(), head = x.m() - A.rest.m();
  for (int c = 0; c < n; ++c) {
    sums[c] = products[c];
    for (int i = 0; i < head; ++i)
      sums[c] += x(i, 0) * A.top(1 + i, c);
  }
  T &alpha = A.top(0, 0);
  if (sums[0] >= smallest && sums[0] <= std::numeric_limits<T>::max()) {
    const T beta = -std::copysign(std::hypot(alpha, std::sqrt(sums[0])), alpha);
    if (std::abs(beta) <= std::numeric_limits<T>::max()) {
      const LeafReflector<T> made{(beta - alpha) / beta, T(1) / (alpha - beta)};
      for (int i = 0; i < head; ++i)
        x(i, 0) *= made.scale;
      for (int c = 1; c < n; ++c)
        sums[c] *= made.scale;
      alpha = beta;
      return made;
    }
  }
  const T tau = reference::larfg(alpha, x.m(), x.data());
  for (int c = 1; c < n; ++c) {
    const Tile<T> column = A.below(1, c, 1);
    sums[c] = 0;
    for (int i = 0; i < x.m(); ++i)
      sums[c] += x(i, 0) * column(i, 0);
  }
  return {tau, T(1)};
}

/// Column by column, one pass over the rows each (see reflectRows): real types.
template <typename T> void factorLeafByPasses(QrColumns<T> A, T *tau) {
  const int n = A.n();
  T products[qrLeaf] = {};
  addProductsHere<T>(block(A.rest, 0, 0, A.rest.m(), 1), A.rest, Tile<T>(products, 1, n, 1));
  for (int j = 0; j < n; ++j) {
    const QrColumns<T> now = A.from(j);
    T w[qrLeaf];
    const LeafReflector<T> made = makeReflector(now, products, w);
    tau[j] = made.tau;
    const Tile<T> x = now.below(1, 0, 1);
    for (int c = 1; c < now.n(); ++c) {
      w[c] = made.tau * (now.top(0, c) + w[c]);
      now.top(0, c) -= w[c];
      for (int i = 0; i < x.m() - now.rest.m(); ++i)
        now.top(1 + i, c) -= x(i, 0) * w[c];
    }
    reflectStepHere<T>(made.scale, w + 1, now.rest, products);
  }
}

/// Column by column with the BLAS: complex types (LAPACK: geqr2).
template <typename T> void factorLeafByBlas(QrColumns<T> A, T *tau) {
  for (int j = 0; j < A.n(); ++j) {
    const int others = A.n() - j - 1;
    const Tile<T> x = A.below(j + 1, j, 1), C = A.below(j + 1, j + 1, others);
    tau[j] = reference::larfg(A.top(j, j), x.m(), x.data());
    if (others == 0)
      continue;
    T data[qrLeaf];
    const Tile<T> w(data, 1, others, 1);
    for (int c = 0; c < others; ++c)
      w(0, c) = A.top(j, j + 1 + c);
    if (x.m() > 0)
      blas::gemm(Op::ConjTrans, Op::NoTrans, T(1), ConstTile<T>(x), ConstTile<T>(C), T(1), w);
    for (int c = 0; c < others; ++c) {
      w(0, c) *= reference::conjugate(tau[j]);
      A.top(j, j + 1 + c) -= w(0, c);
    }
    if (x.m() > 0)
      blas::gemm(Op::NoTrans, Op::NoTrans, T(-1), ConstTile<T>(x), ConstTile<T>(w), T(1), C);
  }
}

template <typename T> void factorLeaf(QrColumns<T> A, Tile<T> W) {
  T tau[qrLeaf], data[qrLeaf * qrLeaf];
  if constexpr (isComplex<T>)
    factorLeafByBlas(A, tau);
  else
    factorLeafByPasses(A, tau);
  const Tile<T> G(data, A.n(), A.n(), qrLeaf);
  vectorProducts(A, G);
  formSmallFactor<T>(G, tau, W);
}

/// F = op(W) P for the upper triangular factor W, by blocks of rows, without most of the products with zeros.
template <typename T> void multiplyByFactor(Op op, ConstTile<T> W, ConstTile<T> P, Tile<T> F) {
  constexpr int rows = 64;
  const int k = W.n();
  const Scratch<T> copy(k, k);
  const Tile<T> U = copy.tile();
  copyUpper<T>(W, U);
  for (int i = 0; i < k; i += rows) {
    const int m = std::min(rows, k - i), begin = op == Op::NoTrans ? i : 0, end = op == Op::NoTrans ? k : i + m;
    openblas::gemm<T>(op, Op::NoTrans, T(1), block<T>(op, U, i, begin, m, end - begin),
                      block(P, begin, 0, end - begin, P.n()), T(0), block(F, i, 0, m, P.n()));
  }
}

/// C = op(I - V W V^H) C for the vectors of V. C1 is the rows of V.top, C2 what is below.
template <typename T>
void applyReflectors(Op op, const QrColumns<T> &V, ConstTile<T> W, Tile<T> C1, Tile<T> C2) {
  const int k = V.n(), n = C1.n();
  const Scratch<T> products(k, n), factored(k, n), lower(V.oneTile ? k : 0, k);
  const Tile<T> P = products.tile(), F = factored.tile(), L = lower.tile();
  if (V.oneTile) {
    openblas::copyUnitLower<T>(V.top, L);
    openblas::gemm<T>(Op::ConjTrans, Op::NoTrans, T(1), L, C1, T(0), P);
  } else {
    reference::copyTile<T>(C1, P);
  }
  addInnerProducts<T>(V.rest, C2, P);
  multiplyByFactor<T>(op, W, P, F);
  openblas::gemm<T>(Op::NoTrans, Op::NoTrans, T(-1), V.rest, F, T(1), C2);
  if (V.oneTile)
    openblas::gemm<T>(Op::NoTrans, Op::NoTrans, T(-1), L, F, T(1), C1);
  else
    subtract<T>(F, C1);
}

/// W12 = -W11 G12 W22 for G12 = V1^H V2: joins the factors W11 and W22 (zeros below their diagonals) of the vectors V1
/// and V2.
template <typename T> void joinByProducts(ConstTile<T> W11, ConstTile<T> G12, ConstTile<T> W22, Tile<T> W12) {
  const Scratch<T> half(W12.m(), W12.n());
  openblas::gemm<T>(Op::NoTrans, Op::NoTrans, T(-1), W11, G12, T(0), half.tile());
  openblas::gemm<T>(Op::NoTrans, Op::NoTrans, T(1), half.tile(), W22, T(0), W12);
}

/// Completes the factor W of all vectors of V from those of the first h and of the others.
template <typename T> void joinFactors(const QrColumns<T> &V, int h, Tile<T> W) {
  const int n2 = V.n() - h;
  const Scratch<T> products(h, n2), lower(V.oneTile ? n2 : 0, n2);
  const Tile<T> G = products.tile(), L = lower.tile();
  if (V.oneTile) {
    openblas::copyUnitLower<T>(block(V.top, h, h, n2, n2), L);
    openblas::gemm<T>(Op::ConjTrans, Op::NoTrans, T(1), block(V.top, h, 0, n2, h), L, T(0), G);
  } else {
    reference::scal(T(0), G);
  }
  addInnerProducts<T>(block(V.rest, 0, 0, V.rest.m(), h), block(V.rest, 0, h, V.rest.m(), n2), G);
  joinByProducts<T>(block(W, 0, 0, h, h), G, block(W, h, h, n2, n2), block(W, 0, h, h, n2));
  reference::scal(T(0), block(W, h, 0, n2, h));
}

/// QR of the columns; W (n x n) becomes the factor of all their reflectors, tau on its diagonal, zeros below it.
template <typename T> void factorColumns(QrColumns<T> A, Tile<T> W) {
  const int n = A.n();
  if (n == 0)
    return;
  if (n <= qrLeaf)
    return factorLeaf(A, W);
  const int h = cut(n, qrLeaf);
  factorColumns(A.first(h), block(W, 0, 0, h, h));
  applyReflectors<T>(Op::ConjTrans, A.first(h), block(W, 0, 0, h, h), block(A.top, 0, h, h, n - h),
                     A.below(h, h, n - h));
  factorColumns(A.from(h), block(W, h, h, n - h, n - h));
  joinFactors(A, h, W);
}

} // namespace tla::kernels::openblas
