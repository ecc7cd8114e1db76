// Panels for the QR kernel tests, and products with Q.
#pragma once

#include "tests/unit/kernels/samples.hpp"

#include <tla/kernels/kernels.hpp>

#include <algorithm>

namespace tla::test {

/// A panel of tiles of `rows` rows (the last perhaps fewer), windows of one array or each with its own memory.
template <typename T> class PanelSample {
public:
  PanelSample(Sample<T> content, int rows, bool consecutive)
      : m_(content.m()), n_(content.n()), whole_(std::move(content)) {
    for (int i = 0; i < m_; i += rows)
      tiles_.push_back({&whole_(i, 0), std::min(rows, m_ - i), n_, whole_.tile().ld()});
    if (consecutive)
      return;
    for (const Tile<T> &tile : tiles_)
      parts_.push_back(copyOf(tile));
    for (std::size_t r = 0; r < parts_.size(); ++r)
      tiles_[r] = parts_[r].tile();
  }
  PanelSample(const PanelSample &) = delete;

  Panel<T> panel() { return {tiles_.data(), static_cast<int>(tiles_.size())}; }
  /// The content as it is now, without padding.
  Sample<T> content() const {
    Sample<T> result(m_, n_);
    int row = 0;
    for (const Tile<T> &tile : tiles_) {
      for (int j = 0; j < n_; ++j)
        for (int i = 0; i < tile.m(); ++i)
          result(row + i, j) = tile(i, j);
      row += tile.m();
    }
    return result;
  }

private:
  static Sample<T> copyOf(Tile<T> tile) {
    Sample<T> copy(tile.m(), tile.n(), 3);
    for (int j = 0; j < tile.n(); ++j)
      std::copy_n(&tile(0, j), tile.m(), &copy(0, j));
    return copy;
  }
  int m_, n_;
  Sample<T> whole_;
  std::vector<Sample<T>> parts_;
  std::vector<Tile<T>> tiles_;
};

template <typename T> Sample<T> identity(int m, int n) {
  Sample<T> I(m, n);
  I.fill(T(0));
  for (int j = 0; j < std::min(m, n); ++j)
    I(j, j) = T(1);
  return I;
}

/// The upper triangle (or trapezoid) of A, zeros below.
template <typename T> Sample<T> upperOf(Sample<T> &A) {
  Sample<T> R(A.m(), A.n());
  for (int j = 0; j < A.n(); ++j)
    for (int i = 0; i < A.m(); ++i)
      R(i, j) = i <= j ? A(i, j) : T(0);
  return R;
}

/// Rows [i, i + m) of A.
template <typename T> Sample<T> rowsOf(Sample<T> &A, int i, int m) {
  Sample<T> rows(m, A.n());
  for (int j = 0; j < A.n(); ++j)
    std::copy_n(&A(i, j), m, &rows(0, j));
  return rows;
}

/// A over B.
template <typename T> Sample<T> stack(Sample<T> A, Sample<T> B) {
  Sample<T> both(A.m() + B.m(), A.n());
  for (int j = 0; j < A.n(); ++j) {
    std::copy_n(&A(0, j), A.m(), &both(0, j));
    std::copy_n(&B(0, j), B.m(), &both(A.m(), j));
  }
  return both;
}

/// The Gram matrix Q^H Q.
template <typename T> Sample<T> gram(Sample<T> &Q) {
  Sample<T> G(Q.n(), Q.n());
  gemm<T>(Op::ConjTrans, Op::NoTrans, T(1), Q.tile(), Q.tile(), T(0), G.tile());
  return G;
}

} // namespace tla::test
