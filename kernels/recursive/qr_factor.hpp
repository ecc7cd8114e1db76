// QR of a block of columns with its triangular factor, recursively (Elmroth & Gustavson, Applying recursion to serial
// and parallel QR factorization leads to better performance, IBM J. Res. Dev. 44, 2000; LAPACK: geqrt3).
#pragma once

#include "kernels/recursive/block_reflector.hpp"
#include "kernels/recursive/qr_dots.hpp"
#include "kernels/reference/qr_reflector.hpp"

namespace tla::kernels::recursive {

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

/// W += A^H B for tall A and B.
template <typename T> void addInnerProducts(ConstTile<T> A, ConstTile<T> B, Tile<T> W) {
  constexpr int narrow = 16;
  if constexpr (!isComplex<T>)
    if (A.n() <= narrow && B.n() <= narrow)
      return addProductsHere<T>(A, B, W);
  products::gemm<T>(Op::ConjTrans, Op::NoTrans, T(1), A, B, T(1), W);
}

/// Column j of the factor W of the first reflectors, from the products g = V(:, 0:j)^H v_j.
template <typename T> void appendToFactor(int j, T tau, const T *g, Tile<T> W) {
  std::fill_n(&W(0, j), W.n(), T(0));
  W(j, j) = tau;
  for (int p = 0; p < j; ++p) {
    const T factor = -tau * g[p];
    for (int i = 0; i <= p; ++i)
      W(i, j) += W(i, p) * factor;
  }
}

/// Whether a vector whose squares add up to `squares`, and with its first element to `all`, can do without larfg's
/// scaling: nothing overflowed, and what vanished does not count.
template <typename Real> bool isSafe(Real squares, Real all) {
  constexpr Real epsilon = std::numeric_limits<Real>::epsilon();
  return squares >= std::numeric_limits<Real>::min() / (epsilon * epsilon) && all <= std::numeric_limits<Real>::max();
}

/// The factorization of a leaf of a real type: left-looking, one pass over the rows per column (see stepOnRows). The
/// rows of `top` are in a small square, where what does not belong to the columns is zero.
template <typename T> class RealLeaf {
public:
  [[gnu::always_inline]] RealLeaf(QrColumns<T> A, Tile<T> W) : A_(A), W_(W), n_(A.n()) {
    for (int j = 0; j < n_; ++j)
      for (int i = 0; i < n_; ++i)
        top_[i][j] = i <= j || A.oneTile ? A.top(i, j) : T(0);
  }

  [[gnu::always_inline]] void factor() {
    for (int j = 0; j < n_; ++j)
      step(j);
    for (int i = 0; i < A_.rest.m(); ++i)
      A_.rest(i, n_ - 1) *= scale_;
    for (int j = 0; j < n_; ++j)
      for (int i = 0; i < (A_.oneTile ? n_ : j + 1); ++i)
        A_.top(i, j) = top_[i][j];
  }

private:
  [[gnu::always_inline]] void step(int j) {
    T w[qrLeaf], *const products = products_[j];
    updateTop(j, w);
    reflectorStep<T>(j, scale_, w, A_.rest, products);
    const T tau = makeReflector(j, products);
    for (int c = 0; c < qrLeaf; ++c)
      products[c] = products[c] * scale_ + top_[j][c];
    for (int i = j + 1; i < n_; ++i)
      for (int c = 0; c < qrLeaf; ++c)
        products[c] += top_[i][j] * top_[i][c];
    appendToFactor(j, tau, products, W_);
  }

  /// w = W^T V^T a for the vectors so far and column j, a; subtracts V w from a in the top.
  [[gnu::always_inline]] void updateTop(int j, T *w) {
    for (int i = 0; i < j; ++i) {
      w[i] = 0;
      for (int p = 0; p <= i; ++p)
        w[i] += W_(p, i) * products_[p][j];
    }
    for (int i = 0; i < n_; ++i) {
      T &a = top_[i][j];
      for (int p = 0; p < std::min(i, j); ++p)
        a -= top_[i][p] * w[p];
      if (i < j)
        a -= w[i];
    }
  }

  /// Makes the reflector of column j, in the rows below still to be multiplied by scale_; returns tau. LAPACK's larfg
  /// by the sum of squares; where a product overflows, or the sum may have lost digits, larfg itself.
  [[gnu::always_inline]] T makeReflector(int j, T *products) {
    T squares = products[j], overflow = 0;
    for (int i = j + 1; i < n_; ++i)
      squares += top_[i][j] * top_[i][j];
    for (int c = 0; c < n_; ++c)
      overflow += products[c] * 0; // NaN unless finite
    T &alpha = top_[j][j];
    const T all = alpha * alpha + squares, beta = -std::copysign(std::sqrt(all), alpha);
    if (!isSafe(squares, all) || overflow != 0)
      return makeReflectorSafely(j, products);
    const T tau = (beta - alpha) / beta;
    scale_ = 1 / (alpha - beta);
    alpha = beta;
    for (int i = j + 1; i < n_; ++i)
      top_[i][j] *= scale_;
    return tau;
  }

  T makeReflectorSafely(int j, T *products) {
    const int inTop = n_ - j - 1, m = A_.rest.m();
    const Scratch<T> scratch(inTop + m, 1);
    T *const x = scratch.tile().data(), *const below = A_.rest.data() + static_cast<long>(j) * A_.rest.ld();
    for (int i = 0; i < inTop; ++i)
      x[i] = top_[j + 1 + i][j];
    std::copy_n(below, m, x + inTop);
    const T tau = reference::larfg(top_[j][j], inTop + m, x);
    for (int i = 0; i < inTop; ++i)
      top_[j + 1 + i][j] = x[i];
    std::copy_n(x + inTop, m, below);
    scale_ = 1;
    std::fill_n(products, n_, T(0));
    addProductsHere<T>(block(A_.rest, 0, j, m, 1), A_.rest, Tile<T>(products, 1, n_, 1));
    return tau;
  }

  QrColumns<T> A_;
  Tile<T> W_;
  int n_;
  T top_[qrLeaf][qrLeaf] = {};      // rows of A.top
  T products_[qrLeaf][qrLeaf] = {}; // products_[j][c]: v_j^T times vector c < j, or column c > j as it was
  T scale_ = 1;                     // of the newest vector in the rows below
};

template <typename T> [[gnu::always_inline]] inline void factorRealLeaf(QrColumns<T> A, Tile<T> W) {
  RealLeaf<T>(A, W).factor();
}
TLA_QR_TARGETS(factorRealLeaf, (QrColumns<T> A, Tile<T> W), (A, W))
#undef TLA_QR_TARGETS

/// reference::larfg for complex types, by the sum of squares where that is safe.
template <typename T> T makeReflector(T &alpha, int n, T *x) {
  using Real = RealType<T>;
  const Tile<Real> parts(reinterpret_cast<Real *>(x), 2 * n, 1, 2 * n + 1);
  Real squares = 0;
  addProductsHere<Real>(parts, parts, {&squares, 1, 1, 1});
  const Real all = squares + std::norm(alpha), beta = -std::copysign(std::sqrt(all), alpha.real());
  if (!isSafe(squares, all))
    return reference::larfg(alpha, n, x);
  const T tau = (beta - alpha) / beta, scale = T(1) / (alpha - beta);
  for (int i = 0; i < n; ++i)
    x[i] *= scale;
  alpha = beta;
  return tau;
}

/// Column by column with the BLAS: complex types (LAPACK: geqr2).
template <typename T> void factorLeafByBlas(QrColumns<T> A, T *tau) {
  for (int j = 0; j < A.n(); ++j) {
    const int others = A.n() - j - 1;
    const Tile<T> x = A.below(j + 1, j, 1), C = A.below(j + 1, j + 1, others);
    tau[j] = makeReflector(A.top(j, j), x.m(), x.data());
    if (others == 0)
      continue;
    T w[qrLeaf] = {}; // tau times the adjoint of v^H (row j; C)
    if (x.m() > 0)
      products::multiplyAdjoint(C, x.data(), w);
    for (int c = 0; c < others; ++c) {
      T &top = A.top(j, j + 1 + c);
      w[c] = tau[j] * (w[c] + reference::conjugate(top));
      top -= reference::conjugate(w[c]);
    }
    if (x.m() > 0)
      products::addOuterProduct(T(-1), x.data(), w, C);
  }
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

template <typename T> void factorLeaf(QrColumns<T> A, Tile<T> W) {
  if constexpr (!isComplex<T>) {
    factorRealLeafHere(A, W);
  } else {
    T tau[qrLeaf], data[qrLeaf * qrLeaf];
    factorLeafByBlas(A, tau);
    const Tile<T> G(data, A.n(), A.n(), qrLeaf);
    vectorProducts(A, G);
    for (int j = 0; j < A.n(); ++j)
      appendToFactor(j, tau[j], &G(0, j), W);
  }
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
    products::gemm<T>(op, Op::NoTrans, T(1), block<T>(op, U, i, begin, m, end - begin),
                      block(P, begin, 0, end - begin, P.n()), T(0), block(F, i, 0, m, P.n()));
  }
}

/// C = op(I - V W V^H) C for the vectors of V. C1 is the rows of V.top, C2 what is below.
template <typename T> void applyReflectors(Op op, const QrColumns<T> &V, ConstTile<T> W, Tile<T> C1, Tile<T> C2) {
  const int k = V.n(), n = C1.n();
  const Scratch<T> products(k, n), factored(k, n), lower(V.oneTile ? k : 0, k);
  const Tile<T> P = products.tile(), F = factored.tile(), L = lower.tile();
  if (V.oneTile) {
    recursive::copyUnitLower<T>(V.top, L);
    products::gemm<T>(Op::ConjTrans, Op::NoTrans, T(1), L, C1, T(0), P);
  } else {
    reference::copyTile<T>(C1, P);
  }
  addInnerProducts<T>(V.rest, C2, P);
  multiplyByFactor<T>(op, W, P, F);
  products::gemm<T>(Op::NoTrans, Op::NoTrans, T(-1), V.rest, F, T(1), C2);
  if (V.oneTile)
    products::gemm<T>(Op::NoTrans, Op::NoTrans, T(-1), L, F, T(1), C1);
  else
    subtract<T>(F, C1);
}

/// W12 = -W11 G12 W22 for G12 = V1^H V2: joins the factors W11 and W22 (zeros below their diagonals) of the vectors V1
/// and V2.
template <typename T> void joinByProducts(ConstTile<T> W11, ConstTile<T> G12, ConstTile<T> W22, Tile<T> W12) {
  const Scratch<T> half(W12.m(), W12.n());
  products::gemm<T>(Op::NoTrans, Op::NoTrans, T(-1), W11, G12, T(0), half.tile());
  products::gemm<T>(Op::NoTrans, Op::NoTrans, T(1), half.tile(), W22, T(0), W12);
}

/// Completes the factor W of all vectors of V from those of the first h and of the others.
template <typename T> void joinFactors(const QrColumns<T> &V, int h, Tile<T> W) {
  const int n2 = V.n() - h;
  const Scratch<T> products(h, n2), lower(V.oneTile ? n2 : 0, n2);
  const Tile<T> G = products.tile(), L = lower.tile();
  if (V.oneTile) {
    recursive::copyUnitLower<T>(block(V.top, h, h, n2, n2), L);
    products::gemm<T>(Op::ConjTrans, Op::NoTrans, T(1), block(V.top, h, 0, n2, h), L, T(0), G);
  } else {
    reference::scal(T(0), G);
  }
  addInnerProducts<T>(block(V.rest, 0, 0, V.rest.m(), h), block(V.rest, 0, h, V.rest.m(), n2), G);
  joinByProducts<T>(block(W, 0, 0, h, h), G, block(W, h, h, n2, n2), block(W, 0, h, h, n2));
  reference::scal(T(0), block(W, h, 0, n2, h));
}

/// Where n columns are cut in two; n where they are a leaf.
constexpr int qrCut(int n) {
  if (n > qrLeaf)
    return cut(n, qrLeaf);
  int power = 1;
  while (2 * power <= n)
    power *= 2;
  return power;
}

/// QR of the columns; W (n x n) becomes the factor of all their reflectors, tau on its diagonal, zeros below it.
template <typename T> void factorColumns(QrColumns<T> A, Tile<T> W) {
  const int n = A.n();
  if (n == 0)
    return;
  const int h = qrCut(n);
  if (h == n)
    return factorLeaf(A, W);
  factorColumns(A.first(h), block(W, 0, 0, h, h));
  applyReflectors<T>(Op::ConjTrans, A.first(h), block(W, 0, 0, h, h), block(A.top, 0, h, h, n - h),
                     A.below(h, h, n - h));
  factorColumns(A.from(h), block(W, h, h, n - h, n - h));
  joinFactors(A, h, W);
}

} // namespace tla::kernels::recursive
