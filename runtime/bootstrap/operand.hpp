// A matrix as a check sees it: what a run left in storage, or what its source says it was before.
#pragma once

#include "runtime/bootstrap/problem.hpp"

#include <algorithm>
#include <vector>

namespace tla::bootstrap {

/// Which elements count; the others read as zero.
enum class Part { All, Lower, Upper };

/// Reads blocks of a matrix in double precision (Accumulator<T>). Cheap to copy; the problem must outlive it.
template <typename T> class Operand {
public:
  using Value = Accumulator<T>;

  /// The matrix after the run.
  static Operand result(const ProblemMatrix &matrix, Part part) { return Operand(matrix, false, part); }
  /// The matrix before the run, made again from its source.
  static Operand original(const ProblemMatrix &matrix, Part part) { return Operand(matrix, true, part); }

  int m() const { return storage_->m(); }
  int n() const { return storage_->n(); }
  int mt() const { return storage_->mt(); }
  int nt() const { return storage_->nt(); }
  int nb() const { return storage_->nb(); }
  int tileRows(int i) const { return storage_->tileRows(i); }
  int tileCols(int j) const { return storage_->tileCols(j); }
  /// False when the tile is zero as a whole.
  bool nonZero(int i, int j) const { return part_ == Part::All || (part_ == Part::Lower ? i >= j : i <= j); }

  /// Columns first .. first + count - 1 of tile (i, j) into block, column-major with leading dimension tileRows(i).
  void read(int i, int j, int first, int count, std::vector<Value> &block) const {
    block.resize(static_cast<std::size_t>(tileRows(i)) * count);
    if (original_)
      readSource(i, j, first, count, block);
    else
      readStorage(i, j, first, count, block);
    if (part_ != Part::All && i == j)
      mask(first, count, tileRows(i), block);
  }
  void read(int i, int j, std::vector<Value> &tile) const { read(i, j, 0, tileCols(j), tile); }

private:
  Operand(const ProblemMatrix &matrix, bool original, Part part)
      : matrix_(&matrix), storage_(&**matrix.storage), original_(original), part_(part) {}

  void readSource(int i, int j, int first, int count, std::vector<Value> &block) const {
    const int rows = tileRows(i);
    const long row = static_cast<long>(i) * nb(), column = static_cast<long>(j) * nb() + first;
    if constexpr (std::is_same_v<T, Value>) {
      matrix_->source->fill({matrix_->parameter->type, block.data(), row, column, rows, count, rows});
    } else {
      std::vector<T> narrow(block.size());
      matrix_->source->fill({matrix_->parameter->type, narrow.data(), row, column, rows, count, rows});
      std::copy(narrow.begin(), narrow.end(), block.begin());
    }
  }
  void readStorage(int i, int j, int first, int count, std::vector<Value> &block) const {
    const int rows = tileRows(i), ld = storage_->ld(i);
    const T *const tile = static_cast<const T *>(storage_->tile(i, j)) + static_cast<long>(first) * ld;
    for (int c = 0; c < count; ++c)
      std::copy_n(tile + static_cast<long>(c) * ld, rows, block.data() + static_cast<long>(c) * rows);
  }
  /// Zeros on the other side of the diagonal of a diagonal tile.
  void mask(int first, int count, int rows, std::vector<Value> &block) const {
    for (int c = 0; c < count; ++c) {
      Value *const column = block.data() + static_cast<long>(c) * rows;
      const int diagonal = std::min(first + c, rows);
      if (part_ == Part::Lower)
        std::fill_n(column, diagonal, Value(0));
      else
        std::fill(column + std::min(diagonal + 1, rows), column + rows, Value(0));
    }
  }

  const ProblemMatrix *matrix_;
  const Storage *storage_;
  bool original_;
  Part part_;
};

} // namespace tla::bootstrap
