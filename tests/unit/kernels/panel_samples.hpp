// Panels for the kernel tests.
#pragma once

#include "tests/unit/kernels/samples.hpp"

#include <tla/kernels/kernels.hpp>

#include <algorithm>
#include <numeric>

namespace tla::test {

/// Where the tiles of a panel lie: windows on one array, each in memory of its own, or the first two together.
enum class Layout { OneArray, Separate, Mixed };
inline constexpr Layout layouts[] = {Layout::OneArray, Layout::Separate, Layout::Mixed};

/// A panel with the contents of a sample, cut into tiles of the given heights.
template <typename T> class PanelSample {
public:
  PanelSample(const Sample<T> &whole, std::vector<int> heights, Layout layout) : whole_(whole), heights_(heights) {
    int row = 0, window = 0;
    parts_.reserve(heights.size());
    for (std::size_t r = 0; r < heights.size(); row += heights[r++]) {
      const bool joined = layout == Layout::OneArray || (layout == Layout::Mixed && r < 2);
      if (joined) {
        tiles_.push_back({&whole_(0, 0) + window, heights[r], whole_.n(), whole_.tile().ld()});
        window += heights[r];
        continue;
      }
      parts_.emplace_back(heights[r], whole_.n(), 3);
      tiles_.push_back(parts_.back().tile());
      copyRows(row, tiles_.back(), true);
    }
  }
  PanelSample(const PanelSample &) = delete;

  Panel<T> panel() { return {tiles_.data(), static_cast<int>(tiles_.size())}; }

  /// The contents as one sample.
  Sample<T> whole() {
    int row = 0;
    for (std::size_t r = 0; r < tiles_.size(); row += heights_[r++])
      copyRows(row, tiles_[r], false);
    return whole_;
  }

private:
  void copyRows(int row, Tile<T> tile, bool toTile) {
    for (int j = 0; j < tile.n(); ++j)
      for (int i = 0; i < tile.m(); ++i)
        if (toTile)
          tile(i, j) = whole_(row + i, j);
        else
          whole_(row + i, j) = tile(i, j);
  }
  Sample<T> whole_;
  std::vector<int> heights_;
  std::vector<Sample<T>> parts_;
  std::vector<Tile<T>> tiles_;
};

/// Heights that sum up to m: tiles of `height`, the last with what is left.
inline std::vector<int> tileHeights(int m, int height) {
  std::vector<int> heights;
  for (int i = 0; i < m; i += height)
    heights.push_back(std::min(height, m - i));
  return heights;
}

/// Unit lower triangular (trapezoidal) with small elements times upper triangular with a large diagonal: L U is then
/// well conditioned, and needs no interchanges to factor.
template <typename T> Sample<T> luProduct(int m, int n, unsigned seed) {
  const int k = std::min(m, n);
  Sample<T> L = randomSample<T>(m, k, 0, seed), U = randomSample<T>(k, n, 0, seed + 1), A(m, n, 2);
  const RealType<T> small = RealType<T>(0.5) / std::sqrt(RealType<T>(k + 1));
  for (int j = 0; j < k; ++j)
    for (int i = 0; i < m; ++i)
      L(i, j) = i < j ? T(0) : i == j ? T(1) : L(i, j) * small;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < k; ++i)
      U(i, j) = i > j ? T(0) : i == j ? T(2) + U(i, j) * RealType<T>(0.25) : U(i, j) * small;
  tla::gemm<T>(Op::NoTrans, Op::NoTrans, T(1), L.tile(), U.tile(), T(0), A.tile());
  return A;
}

/// Makes such a product with its rows in random order. Every pivot is larger than what it competes with by far, so that
/// rounding does not decide.
template <typename T> Sample<T> shuffledLuProduct(int m, int n, unsigned seed) {
  Sample<T> A = luProduct<T>(m, n, seed), shuffled = A;
  std::vector<int> order(m);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(seed));
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i)
      shuffled(i, j) = A(order[i], j);
  return shuffled;
}

} // namespace tla::test
