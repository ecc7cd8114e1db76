// The leaf of the recursion of QR for real types: a few columns with their triangular factor.
#pragma once

#include "kernels/recursive/qr_dots.hpp"
#include "kernels/reference/qr_reflector.hpp"
#include "kernels/reference/scratch.hpp"

namespace tla::kernels::recursive {

using reference::Scratch;

/// n columns to be factored, R replacing the upper triangle of `top` (n x n). Below the diagonal: in one tile, of which
/// `rest` is the rows below `top` (geqrt), or nothing in `top`, and `rest` a tile of its own (tsqrt).
template <typename T> struct QrColumns {
  Tile<T> top, rest;
  bool oneTile;

  int n() const { return top.n(); }
  /// The rows below the first i, in the columns [j, j + columns).
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
TLA_COMPILE_FOR_ISAS(factorRealLeaf, (QrColumns<T> A, Tile<T> W), (A, W))
#undef TLA_COMPILE_FOR_ISAS

// Compiled in leaves_s.cpp and leaves_d.cpp.
extern template void addProductsHere(ConstTile<float> A, ConstTile<float> B, Tile<float> W);
extern template void addProductsHere(ConstTile<double> A, ConstTile<double> B, Tile<double> W);
extern template void factorRealLeafHere(QrColumns<float> A, Tile<float> W);
extern template void factorRealLeafHere(QrColumns<double> A, Tile<double> W);

} // namespace tla::kernels::recursive
