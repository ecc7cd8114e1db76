// The O(n^3) work of full checks: E = C - alpha P Q tile by tile, and the sums over its columns.
#pragma once

#include "runtime/bootstrap/products.hpp"

namespace tla::bootstrap {

/// op(A) of an operand, read by tiles of op(A).
template <typename T> class Factor {
public:
  using Value = Accumulator<T>;

  Factor(const Operand<T> &A, Op op) : A_(A), op_(op) {}

  int mt() const { return op_ == Op::NoTrans ? A_.mt() : A_.nt(); }
  int nt() const { return op_ == Op::NoTrans ? A_.nt() : A_.mt(); }
  int tileRows(int i) const { return op_ == Op::NoTrans ? A_.tileRows(i) : A_.tileCols(i); }
  int tileCols(int j) const { return op_ == Op::NoTrans ? A_.tileCols(j) : A_.tileRows(j); }
  bool nonZero(int i, int j) const { return op_ == Op::NoTrans ? A_.nonZero(i, j) : A_.nonZero(j, i); }

  void read(int i, int j, std::vector<Value> &tile) const {
    if (op_ == Op::NoTrans)
      return A_.read(i, j, tile);
    std::vector<Value> stored;
    A_.read(j, i, stored);
    const int rows = tileRows(i), columns = tileCols(j);
    tile.resize(stored.size());
    for (int c = 0; c < columns; ++c)
      for (int r = 0; r < rows; ++r) {
        const Value value = stored[c + static_cast<std::size_t>(r) * columns];
        tile[r + static_cast<std::size_t>(c) * rows] = op_ == Op::ConjTrans ? conjugate(value) : value;
      }
  }

private:
  Operand<T> A_;
  Op op_;
};

/// S += P Q, all column-major and dense; P is m x k, Q is k x n. Four columns of P at a time.
template <typename Value>
void addProduct(int m, int n, int k, const std::vector<Value> &P, const std::vector<Value> &Q, std::vector<Value> &S) {
  for (int j = 0; j < n; ++j) {
    Value *const s = S.data() + static_cast<std::size_t>(j) * m;
    const Value *const q = Q.data() + static_cast<std::size_t>(j) * k;
    const Value *p = P.data();
    int l = 0;
    for (; l + 4 <= k; l += 4, p += 4L * m)
      for (int i = 0; i < m; ++i)
        s[i] += (p[i] * q[l] + p[i + m] * q[l + 1]) + (p[i + 2L * m] * q[l + 2] + p[i + 3L * m] * q[l + 3]);
    for (; l < k; ++l, p += m)
      for (int i = 0; i < m; ++i)
        s[i] += p[i] * q[l];
  }
}

/// Tile (i, j) of P Q, for factors with read(i, j, tile), nonZero and tile sizes.
template <typename Left, typename Right, typename Value>
void productTile(const Left &P, const Right &Q, int i, int j, std::vector<Value> &S) {
  S.assign(static_cast<std::size_t>(P.tileRows(i)) * Q.tileCols(j), Value(0));
  std::vector<Value> p, q;
  for (int l = 0; l < P.nt(); ++l)
    if (P.nonZero(i, l) && Q.nonZero(l, j)) {
      P.read(i, l, p);
      Q.read(l, j, q);
      addProduct(P.tileRows(i), Q.tileCols(j), P.tileCols(l), p, q, S);
    }
}

/// Sums of absolute values over the columns of a matrix whose tiles are made in parallel: one partial sum per tile
/// row, added up at the end in a fixed order.
class ColumnSums {
public:
  ColumnSums(int mt, long columns) : columns_(columns), parts_(static_cast<std::size_t>(mt) * columns) {}

  template <typename Value>
  void addTile(int i, long firstColumn, int rows, int columns, const std::vector<Value> &tile) {
    for (int c = 0; c < columns; ++c)
      for (int r = 0; r < rows; ++r)
        part(i, firstColumn + c) += magnitude(tile[r + static_cast<std::size_t>(c) * rows]);
  }
  /// The conjugate transpose of a tile: its rows are columns there.
  template <typename Value>
  void addMirrored(int j, long firstRow, int rows, int columns, const std::vector<Value> &tile) {
    for (int c = 0; c < columns; ++c)
      for (int r = 0; r < rows; ++r)
        part(j, firstRow + r) += magnitude(tile[r + static_cast<std::size_t>(c) * rows]);
  }
  std::vector<double> totals() const {
    std::vector<double> sums(static_cast<std::size_t>(columns_));
    for (std::size_t p = 0; p < parts_.size(); ++p)
      sums[p % columns_] += parts_[p];
    return sums;
  }

private:
  double &part(int i, long column) { return parts_[static_cast<std::size_t>(i) * columns_ + column]; }
  long columns_;
  std::vector<double> parts_;
};

/// body(i, j) for every tile of an mt x nt grid (lowerOnly: i >= j), all in parallel.
inline void forEachPair(runtime::Executor &executor, int mt, int nt, bool lowerOnly,
                        const std::function<void(int, int)> &body) {
  forEachStep(
      executor, mt * nt,
      [&](const auto &emit) {
        for (int j = 0; j < nt; ++j)
          for (int i = lowerOnly ? j : 0; i < mt; ++i)
            emit({i, j, i + j * mt, i + j * mt});
      },
      body);
}

} // namespace tla::bootstrap
