// A whole column's interchanges of rows, and those of a column whose tiles lie on several nodes.
#pragma once

#include "kernels/reference/getrf.hpp"

#include <algorithm>
#include <map>
#include <tla/tile.hpp>
#include <utility>
#include <vector>

namespace tla::reference {

/// The net effect of LAPACK's interchanges of rows row, row + 1, ..., each of which takes a row that no later one takes
/// again: the rows that end at the top, and the rows from the top that end further down.
class NetInterchanges {
public:
  NetInterchanges(int row, ConstTile<int> ipiv) : row_(row) {
    for (int i = 0; i < ipiv.m(); ++i)
      top_.push_back(row + i);
    for (int i = 0; i < ipiv.m(); ++i) {
      if (ipiv(i, 0) <= row)
        failPivot(ipiv(i, 0), row + i + 1);
      const int other = ipiv(i, 0) - 1;
      if (other - row < ipiv.m())
        std::swap(top_[i], top_[other - row]);
      else
        std::swap(top_[i], below_.try_emplace(other, other).first->second);
    }
  }

  /// Calls visit(i, source) for each row i of the top, counted from 0, with the matrix' row that it was.
  template <typename Visit> void forTop(Visit visit) const {
    for (std::size_t i = 0; i < top_.size(); ++i)
      visit(static_cast<int>(i), top_[i]);
  }
  /// Calls visit(place, i) for each of the matrix' rows below the top that is now what row i of the top was.
  template <typename Visit> void forBelow(Visit visit) const {
    for (const auto &[place, source] : below_)
      visit(place, source - row_);
  }
  bool isTop(int row) const { return row - row_ < static_cast<int>(top_.size()); }

private:
  int row_;
  std::vector<int> top_;
  std::map<int, int> below_;
};

/// Every p-th tile of a column of tiles of nb rows, from the tile on that begins at row `first` of the matrix.
template <typename Panel> class EveryPthTile {
public:
  EveryPthTile(int first, int nb, int p, Panel A) : first_(first), nb_(nb), p_(p), A_(A) {}
  /// The tile that has this row of the matrix, and which row of the tile it is; nothing when another panel has it.
  auto find(int row) const {
    const int tile = row / nb_ - first_ / nb_;
    if (tile < 0 || tile % p_ != 0)
      return std::pair(-1, row % nb_);
    if (tile / p_ >= A_.mt() || row % nb_ >= A_(tile / p_).m())
      throw std::out_of_range("pivot " + std::to_string(row + 1) + " is no row of the matrix");
    return std::pair(tile / p_, row % nb_);
  }
  auto tile(int r) const { return A_(r); }

private:
  int first_, nb_, p_;
  Panel A_;
};

/// Row i of B = row k of A.
template <typename T, typename Target> void copyRow(ConstTile<T> A, int k, const Target &B, int i, int n) {
  for (int j = 0; j < n; ++j)
    B(i, j) = A(k, j);
}

template <typename T>
void laswpGather(int row, int nb, int p, int first, ConstTile<int> ipiv, ConstPanel<T> A, OutTile<T> S) {
  for (int j = 0; j < S.n(); ++j)
    std::fill_n(&S(0, j), S.m(), T(0));
  const EveryPthTile tiles(first, nb, p, A);
  NetInterchanges(row, ipiv).forTop([&](int i, int source) {
    if (const auto [r, k] = tiles.find(source); r >= 0)
      copyRow<T>(tiles.tile(r), k, S, i, A.n());
  });
}

template <typename T>
void laswpExchange(int row, int nb, int p, ConstTile<int> ipiv, ConstPanel<T> S, Panel<T> A, OutTile<T> D) {
  const Tile<T> top = A(0);
  for (int j = 0; j < D.n(); ++j) {
    const int rows = j < top.n() ? std::min(top.m(), D.m()) : 0;
    std::copy_n(&top(0, j), rows, &D(0, j));
    std::fill_n(&D(0, j) + rows, D.m() - rows, T(0));
  }
  const NetInterchanges net(row, ipiv);
  const EveryPthTile tiles(row, nb, p, A);
  net.forTop([&](int i, int source) {
    if (const auto [r, k] = tiles.find(source); net.isTop(source))
      copyRow<T>(D, source - row, top, i, A.n());
    else if (r >= 0)
      copyRow<T>(tiles.tile(r), k, top, i, A.n());
    else
      copyRow<T>(S((source / nb - row / nb) % p - 1), i, top, i, A.n());
  });
  net.forBelow([&](int place, int i) {
    if (const auto [r, k] = tiles.find(place); r >= 0)
      copyRow<T>(D, i, tiles.tile(r), k, A.n());
  });
}

template <typename T>
void laswpScatter(int row, int nb, int p, int first, ConstTile<int> ipiv, ConstTile<T> D, Panel<T> A) {
  const EveryPthTile tiles(first, nb, p, A);
  NetInterchanges(row, ipiv).forBelow([&](int place, int i) {
    if (const auto [r, k] = tiles.find(place); r >= 0)
      copyRow<T>(D, i, tiles.tile(r), k, A.n());
  });
}

/// The pivots of a panel of tiles as those of one.
inline std::vector<int> allPivots(ConstPanel<int> ipiv) {
  std::vector<int> all;
  for (int r = 0; r < ipiv.mt(); ++r)
    for (int i = 0; i < ipiv(r).m(); ++i)
      all.push_back(ipiv(r)(i, 0));
  return all;
}

template <typename T> void laswpAll(int row, ConstPanel<int> ipiv, int inc, Panel<T> A) {
  std::vector<int> all = allPivots(ipiv);
  const int count = static_cast<int>(all.size());
  reference::laswp<T>(row, ConstTile<int>(all.data(), count, 1, std::max(1, count)), inc, A);
}

} // namespace tla::reference
