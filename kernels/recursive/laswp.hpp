// laswp on panels: in blocks of columns, on the tiles where they are.
#pragma once

#include "kernels/recursive/blocks.hpp"
#include "kernels/recursive/parts.hpp"
#include "kernels/reference/interchanges.hpp"

#include <cassert>
#include <utility>
#include <vector>

namespace tla::kernels::recursive {

/// Two rows of a panel: where each begins, and the step between its elements.
template <typename T> struct RowPair {
  T *x, *y;
  long xStep, yStep;
};

/// The number of columns that are interchanged at a time: enough to use a row's place more than once, few enough that
/// the top rows stay in the level-1 cache even where the leading dimension is a power of two.
inline constexpr int laswpColumns = 8;

/// Interchanges the rows of every pair in turn, over columns [begin, n). The rows y lie anywhere: each element is a
/// line of cache from memory, and no hardware foresees which, so those of the next columns are fetched meanwhile.
template <typename T> void swapRowPairs(const std::vector<RowPair<T>> &pairs, int begin, int n) {
  for (int j = begin; j < n; j += laswpColumns) {
    const int end = std::min(j + laswpColumns, n), next = std::min(end + laswpColumns, n);
    for (const RowPair<T> &pair : pairs) {
      for (int k = end; k < next; ++k)
        __builtin_prefetch(pair.y + k * pair.yStep, 1);
      for (int k = j; k < end; ++k)
        std::swap(pair.x[k * pair.xStep], pair.y[k * pair.yStep]);
    }
  }
}

/// Finds rows of a panel: the tile of a row is near where tiles of equal heights would have it.
template <typename T> class RowFinder {
public:
  explicit RowFinder(Panel<T> A) : A_(A), begin_(A.mt() + 1) {
    for (int r = 0; r < A.mt(); ++r)
      begin_[r + 1] = begin_[r] + A(r).m();
  }
  int rows() const { return begin_.back(); }
  /// The first element of row i, and the tile it lies in.
  std::pair<T *, Tile<T>> operator()(int i) const {
    int r = std::min(i / std::max(1, A_(0).m()), A_.mt() - 1);
    while (i < begin_[r])
      --r;
    while (i >= begin_[r + 1])
      ++r;
    return {&A_(r)(i - begin_[r], 0), A_(r)};
  }

private:
  Panel<T> A_;
  std::vector<int> begin_;
};

/// With the help of a crew, where there is one: columns have nothing to do with each other.
template <typename T> void interchange(Crew *crew, int row, ConstTile<int> ipiv, int inc, Panel<T> A) {
  assert((inc == 1 || inc == -1) && "the order of the pivots or its reverse");
  const int k = ipiv.m();
  if (k == 0 || A.n() == 0)
    return;
  const RowFinder<T> find(A);
  std::vector<RowPair<T>> pairs;
  pairs.reserve(k);
  for (int s = 0; s < k; ++s) {
    const int i = inc == 1 ? s : k - 1 - s, p = reference::pivotRow(row, ipiv, i, find.rows());
    if (p == i)
      continue;
    const auto [x, xTile] = find(i);
    const auto [y, yTile] = find(p);
    pairs.push_back({x, y, xTile.ld(), yTile.ld()});
  }
  const int parts = std::min(16, (A.n() + laswpColumns - 1) / laswpColumns);
  inParts(crew, crew ? parts : 1, [&, all = crew ? parts : 1](int part) {
    swapRowPairs(pairs, partBegin(A.n(), all, part), partBegin(A.n(), all, part + 1));
  });
}

template <typename T> void laswp(int row, ConstTile<int> ipiv, int inc, Panel<T> A) {
  interchange(nullptr, row, ipiv, inc, A);
}

template <typename T> void laswpAll(int row, ConstPanel<int> ipiv, int inc, Panel<T> A) {
  std::vector<int> all = reference::allPivots(ipiv);
  const int count = static_cast<int>(all.size());
  recursive::laswp<T>(row, ConstTile<int>(all.data(), count, 1, std::max(1, count)), inc, A);
}

} // namespace tla::kernels::recursive
