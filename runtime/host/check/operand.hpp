// A matrix as a check sees it: what a run left in storage, or what its source says it was before.
#pragma once

#include "runtime/host/check/arithmetic.hpp"
#include "runtime/host/problem/problem.hpp"

#include <algorithm>
#include <complex>
#include <limits>
#include <vector>

namespace tla::host {

/// The elements that count: the others read as zero, the diagonal of a Unit part as one.
enum class Part { All, Lower, Upper, UnitLower, UnitUpper };

/// The meaning of the triangle that is not in `Part`: none, or the mirror image of the other.
enum class Mirror { None, Hermitian, Symmetric };

/// The part that a parameter of that shape stores.
inline Part storedPart(Shape shape) {
  return shape == Shape::General ? Part::All : shape == Shape::Lower ? Part::Lower : Part::Upper;
}
inline Part partOf(Uplo uplo, Diag diag = Diag::NonUnit) {
  if (uplo == Uplo::Lower)
    return diag == Diag::Unit ? Part::UnitLower : Part::Lower;
  return diag == Diag::Unit ? Part::UnitUpper : Part::Upper;
}

/// Reads blocks of a matrix as Accumulator<T>. Cheap to copy; the problem must outlive it.
template <typename T> class Operand {
public:
  using Value = Accumulator<T>;
  using Element = typename T::Element;

  /// The matrix after the run.
  static Operand result(const ProblemMatrix &matrix, Part part) { return Operand(matrix, false, part); }
  /// The matrix before the run, made again from its source.
  static Operand original(const ProblemMatrix &matrix, Part part) { return Operand(matrix, true, part); }
  /// The Hermitian or symmetric matrix of which this part is one triangle, or, for Part::All, which this is.
  Operand mirrored(Mirror mirror) const {
    Operand copy(*this);
    copy.mirror_ = mirror;
    return copy;
  }
  /// The first rows only; the others read as zero.
  Operand leadingRows(long rows) const {
    Operand copy(*this);
    copy.rowLimit_ = rows;
    return copy;
  }

  Mirror mirror() const { return mirror_; }
  /// The matrix is the one before the run.
  bool isOriginal() const { return original_; }
  int m() const { return storage_->m(); }
  int n() const { return storage_->n(); }
  int mt() const { return storage_->mt(); }
  int nt() const { return storage_->nt(); }
  int nb() const { return storage_->nb(); }
  int tileRows(int i) const { return storage_->tileRows(i); }
  int tileCols(int j) const { return storage_->tileCols(j); }
  /// Whether tile (i, j) may have elements other than zero.
  bool nonZero(int i, int j) const {
    const bool absent = isMirrored(i, j) ? isAbsent(j, i) : isAbsent(i, j);
    if (static_cast<long>(i) * nb() >= rowLimit_ || (absent && !(unit() && i == j)))
      return false;
    return mirror_ != Mirror::None || part_ == Part::All || (lower() ? i >= j : i <= j);
  }

  /// Whether this rank has what read() needs of the tile. Of each tile one rank has it.
  bool isHere(int i, int j) const {
    return isMirrored(i, j) ? matrix_->placement->owns(*storage_, j, i) : matrix_->placement->owns(*storage_, i, j);
  }

  /// Columns first .. first + count - 1 of tile (i, j), which is here, into block, column-major with leading dimension
  /// tileRows(i).
  void read(int i, int j, int first, int count, std::vector<Value> &block) const {
    const int rows = tileRows(i);
    if (isMirrored(i, j))
      return readMirrored(i, j, first, count, block);
    if (mirror_ != Mirror::None && part_ != Part::All && i == j)
      return readMirroredDiagonal(i, first, count, block);
    load(i, j, {0, rows, first, count}, block);
    if (part_ != Part::All && i == j)
      mask(first, count, rows, block);
    if (const long below = static_cast<long>(i) * nb() + rows - rowLimit_; below > 0)
      for (int c = 0; c < count; ++c)
        std::fill_n(block.data() + static_cast<long>(c + 1) * rows - below, below, Value(0));
  }

private:
  /// A block of a tile.
  struct Window {
    int row, rows, column, columns;
  };

  Operand(const ProblemMatrix &matrix, bool original, Part part)
      : matrix_(&matrix), storage_(&**matrix.storage), original_(original), part_(part) {}

  /// The tile is one that the matrix does not have (Storage::setPattern). Of a matrix that stores one triangle the
  /// source has the other as well, of the same pattern.
  bool isAbsent(int i, int j) const {
    if (!storage_->hasPattern())
      return false;
    const Shape shape = storage_->shape();
    const bool isOther = shape != Shape::General && (shape == Shape::Lower ? i < j : i > j);
    return isOther ? !storage_->stores(j, i) : !storage_->stores(i, j);
  }
  bool lower() const { return part_ == Part::Lower || part_ == Part::UnitLower; }
  /// The tile is the image of one on the other side of the diagonal.
  bool isMirrored(int i, int j) const {
    return mirror_ != Mirror::None && part_ != Part::All && i != j && lower() != (i > j);
  }
  bool unit() const { return part_ == Part::UnitLower || part_ == Part::UnitUpper; }
  Value mirrorImage(Value value) const { return mirror_ == Mirror::Hermitian ? conjugate(value) : value; }

  void load(int i, int j, const Window &window, std::vector<Value> &block) const {
    block.resize(static_cast<std::size_t>(window.rows) * window.columns);
    if (isAbsent(i, j))
      std::fill(block.begin(), block.end(), Value(0));
    else if (original_)
      loadSource(i, j, window, block);
    else
      loadStorage(i, j, window, block);
  }
  void loadSource(int i, int j, const Window &window, std::vector<Value> &block) const {
    const long row = static_cast<long>(i) * nb() + window.row, column = static_cast<long>(j) * nb() + window.column;
    const auto fill = [&](auto *data) {
      matrix_->source->fill({matrix_->parameter->type, data, row, column, window.rows, window.columns, window.rows});
    };
    if constexpr (std::is_same_v<Element, Value>) {
      fill(block.data());
    } else {
      std::vector<Element> narrow(block.size());
      fill(narrow.data());
      std::copy(narrow.begin(), narrow.end(), block.begin());
    }
  }
  void loadStorage(int i, int j, const Window &window, std::vector<Value> &block) const {
    const int ld = storage_->ld(i);
    const auto *const from =
        static_cast<const Element *>(storage_->tile(i, j)) + static_cast<long>(window.column) * ld + window.row;
    for (int c = 0; c < window.columns; ++c)
      std::copy_n(from + static_cast<long>(c) * ld, window.rows, block.data() + static_cast<long>(c) * window.rows);
  }

  /// A tile on the other side of the diagonal.
  void readMirrored(int i, int j, int first, int count, std::vector<Value> &block) const {
    const int rows = tileRows(i);
    std::vector<Value> image;
    load(j, i, {first, count, 0, rows}, image);
    block.resize(image.size());
    for (int c = 0; c < count; ++c)
      for (int r = 0; r < rows; ++r)
        block[r + static_cast<std::size_t>(c) * rows] = mirrorImage(image[c + static_cast<std::size_t>(r) * count]);
  }
  void readMirroredDiagonal(int i, int first, int count, std::vector<Value> &block) const {
    const int n = tileRows(i);
    std::vector<Value> tile;
    load(i, i, {0, n, 0, n}, tile);
    block.resize(static_cast<std::size_t>(n) * count);
    for (int c = 0; c < count; ++c)
      for (int r = 0; r < n; ++r) {
        const int column = first + c;
        const bool counts = lower() ? r >= column : r <= column;
        const Value value = counts ? tile[r + static_cast<std::size_t>(column) * n]
                                   : mirrorImage(tile[column + static_cast<std::size_t>(r) * n]);
        block[r + static_cast<std::size_t>(c) * n] =
            r == column && mirror_ == Mirror::Hermitian ? Value(std::real(value)) : value;
      }
  }
  /// Masks columns of a diagonal tile in `block`: zeros on the other side of the diagonal, ones on it when the part
  /// says so.
  void mask(int first, int count, int rows, std::vector<Value> &block) const {
    for (int c = 0; c < count; ++c) {
      Value *const column = block.data() + static_cast<long>(c) * rows;
      const int diagonal = std::min(first + c, rows);
      if (lower())
        std::fill_n(column, diagonal, Value(0));
      else
        std::fill(column + std::min(diagonal + 1, rows), column + rows, Value(0));
      if (unit() && diagonal < rows)
        column[diagonal] = Value(1);
    }
  }

  const ProblemMatrix *matrix_;
  const Storage *storage_;
  bool original_;
  Part part_;
  Mirror mirror_ = Mirror::None;
  long rowLimit_ = std::numeric_limits<int>::max();
};

} // namespace tla::host
