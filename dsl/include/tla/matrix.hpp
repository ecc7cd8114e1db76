// Matrices of tiles: what an algorithm sees. All are handles: a copy names the same tiles.
#pragma once

#include <tla/argument_tile.hpp>
#include <tla/storage.hpp>

namespace tla {

/// Somebody asks for the memory of a conjugate transpose, or of some of a matrix' tiles.
class NoStorage : public std::exception {
public:
  const char *what() const noexcept override {
    return "conjTrans(A) and A.tiles(...) have no storage of their own: they are for algorithms that a .tla calls; "
           "give "
           "a program A itself";
  }
};

namespace detail {
/// Rows, or columns, of tiles: those that the storage numbers first to first + count - 1.
struct TileRange {
  int first, count;

  TileRange part(const TileRange &range) const { return {first + range.first, range.count}; }
  bool isAllOf(int tiles) const { return first == 0 && count == tiles; }
  /// Returns how many of `all` elements in tiles of `size` are in the range.
  [[gnu::noinline]] int elements(int tiles, int all, int size) const {
    if (isAllOf(tiles))
      return all;
    const long begin = static_cast<long>(first) * size, end = begin + static_cast<long>(count) * size;
    const long elements = (end < all ? end : all) - begin;
    return elements > 0 ? static_cast<int>(elements) : 0;
  }
};

/// The members that the four kinds of matrices share. A(i, j) is tile (i, j), 0 <= i < mt(), 0 <= j < nt().
template <typename T, Shape shape> class TileMatrix {
public:
  using Element = T;

  /// Elements, and tiles, per column and per row.
  int m() const { return isTransposed_ ? elementsPerRow() : elementsPerColumn(); }
  int n() const { return isTransposed_ ? elementsPerColumn() : elementsPerRow(); }
  int mt() const { return isTransposed_ ? columns_.count : rows_.count; }
  int nt() const { return isTransposed_ ? rows_.count : columns_.count; }
  /// Rows and columns of a tile that is not at the lower or right edge.
  int mb() const { return isTransposed_ ? storage_->nb() : storage_->mb(); }
  int nb() const { return isTransposed_ ? storage_->mb() : storage_->nb(); }
  /// The number of rows, and of columns, of tiles after which the nodes that own them repeat (Period): tiles (i, j) and
  /// (i + p(), j) are on one node. The same for all matrices of a call; 1 on one node, and in a plain C++ program
  /// outside of a PeriodScope.
  int p() const { return max(1, isTransposed_ ? storage_->period().columns : storage_->period().rows); }
  int q() const { return max(1, isTransposed_ ? storage_->period().rows : storage_->period().columns); }
  /// Whether there is a tile (i, j), for any i and j: one of the matrix, of its stored triangle, and of those that a
  /// run keeps where not all are (--pattern). The same throughout a run; tiles that are not there are zero.
  bool has(int i, int j) const {
    if (shape != Shape::General && (shape == Shape::Lower ? i < j : i > j))
      return false;
    return i >= 0 && i < mt() && j >= 0 && j < nt() && (isTransposed_ ? hasStored(j, i) : hasStored(i, j));
  }

  /// Tile (i, j) as an argument of a call, where a kernel sees a Tile<T>; a transposed one lives no longer than the
  /// call.
  ArgumentTile<T> operator()(int i, int j) const {
    if (isTransposed_)
      return {stored(j, i), true, true};
    return {stored(i, j)};
  }

  // The bottom level, for programs on slices (Storage). Slice columns in all, and slices of tile column j.
  int ns() const { return storage_->ns(); }
  int slices(int j) const { return storage_->slices(j); }
  /// First column of slice d within a tile, and columns of slice column J.
  int sliceBegin(int d) const { return d * storage_->cut().width; }
  int sliceCols(int J) const { return storage_->sliceCols(J); }
  Tile<T> slice(int i, int J) const {
    return {static_cast<T *>(storage_->slice(i, J)), storage_->tileRows(i), storage_->sliceCols(J), storage_->ld(i)};
  }

  /// Throws NoStorage where this is a conjugate transpose, or some of a matrix' tiles (tiles()).
  [[gnu::noinline]] Storage &storage() const {
    if (isTransposed_ || !rows_.isAllOf(storage_->mt()) || !columns_.isAllOf(storage_->nt()))
      throw NoStorage();
    return *storage_;
  }

protected:
  template <typename, Shape> friend class TileMatrix;

  explicit TileMatrix(Storage *storage) : storage_(storage), rows_{0, storage->mt()}, columns_{0, storage->nt()} {}
  /// Another kind of matrix on the same tiles, or their conjugate transpose.
  template <Shape other>
  explicit TileMatrix(const TileMatrix<T, other> &A, bool transposes = false)
      : storage_(A.storage_), isTransposed_(A.isTransposed_ != transposes), rows_(A.rows_), columns_(A.columns_) {}
  /// Makes a matrix of tile rows i0 to i1 - 1 and tile columns j0 to j1 - 1 of A.
  template <Shape other> TileMatrix(const TileMatrix<T, other> &A, int i0, int i1, int j0, int j1) : TileMatrix(A) {
    const TileRange rows{i0, max(0, i1 - i0)}, columns{j0, max(0, j1 - j0)};
    rows_ = A.rows_.part(isTransposed_ ? columns : rows);
    columns_ = A.columns_.part(isTransposed_ ? rows : columns);
  }
  static Storage *allocated(Storage *storage) {
    try {
      storage->allocate();
    } catch (...) {
      delete storage;
      throw;
    }
    return storage;
  }
  static Storage *allocated(int m, int n, int nb, Cut cut) {
    return allocated(new Storage(m, n, nb, nb, sizeof(T), shape, cut));
  }
  static Storage *wrapped(T *array, int m, int n, int lda, int nb, Cut cut) {
    Storage *storage = new Storage(m, n, nb, nb, sizeof(T), shape, cut);
    storage->wrap(array, lda);
    return storage;
  }

private:
  int elementsPerColumn() const { return rows_.elements(storage_->mt(), storage_->m(), storage_->mb()); }
  int elementsPerRow() const { return columns_.elements(storage_->nt(), storage_->n(), storage_->nb()); }
  bool hasStored(int i, int j) const { return storage_->has(rows_.first + i, columns_.first + j); }
  Tile<T> stored(int row, int column) const {
    const int i = rows_.first + row, j = columns_.first + column;
    return {static_cast<T *>(storage_->tile(i, j)), storage_->tileRows(i), storage_->tileCols(j), storage_->ld(i)};
  }

  StorageRef storage_;
  bool isTransposed_ = false;
  TileRange rows_, columns_; ///< rows and columns of the storage, not of its transpose
};

/// The panel of a serial run: it owns the list of its tiles, and becomes a Panel for the length of a kernel call.
template <typename T> class OwnedPanel : public Panel<T> {
public:
  OwnedPanel(const OwnedPanel &) = delete;
  OwnedPanel &operator=(const OwnedPanel &) = delete;
  template <typename Matrix>
  OwnedPanel(const Matrix &A, int i0, int i1, int j, int step)
      : Panel<T>(nullptr, i1 > i0 ? (i1 - i0 - 1) / step + 1 : 0) {
    arguments_ = static_cast<ArgumentTile<T> *>(::operator new(sizeof(ArgumentTile<T>) * (this->mt_ + 1)));
    try {
      list_ = static_cast<Tile<T> *>(::operator new(sizeof(Tile<T>) * (this->mt_ + 1)));
      for (; count_ < this->mt_; ++count_)
        new (list_ + count_) Tile<T>(*new (arguments_ + count_) ArgumentTile<T>(A(i0 + count_ * step, j)));
    } catch (...) {
      clear();
      throw;
    }
    this->tiles_ = list_;
  }
  ~OwnedPanel() { clear(); }

private:
  void clear() {
    while (count_ > 0)
      arguments_[--count_].~ArgumentTile();
    ::operator delete(arguments_);
    ::operator delete(list_);
  }

  int count_ = 0; ///< number of elements of `arguments_` in use
  ArgumentTile<T> *arguments_ = nullptr;
  Tile<T> *list_ = nullptr;
};
} // namespace detail

/// A general m x n matrix in tiles of nb x nb; the tiles at the lower and right edge may be smaller. All matrices of a
/// program may be cut (Cut) in one way; an algorithm's source knows nothing of that.
template <typename T> class Matrix : public detail::TileMatrix<T, Shape::General> {
  using Base = detail::TileMatrix<T, Shape::General>;

public:
  /// Allocates; the content is undefined. Throws std::bad_alloc.
  Matrix(int m, int n, int nb, Cut cut = {}) : Base(Base::allocated(m, n, nb, cut)) {}
  /// A window on the caller's column-major array: no copy, the array must outlive the matrix.
  Matrix(T *array, int m, int n, int lda, int nb, Cut cut = {}) : Base(Base::wrapped(array, m, n, lda, nb, cut)) {}
  /// A handle on existing storage.
  explicit Matrix(Storage &storage) : Base(&storage) {}
  /// The conjugate transpose of A on the same tiles if `transposes`, otherwise A itself; for conjTrans().
  Matrix(const Matrix &A, bool transposes) : Base(A, transposes) {}

  /// Tiles i0, i0 + step, ..., all below i1, of tile column j as one argument; empty when i1 <= i0. step >= 1.
  detail::OwnedPanel<T> panel(int i0, int i1, int j, int step = 1) const { return {*this, i0, i1, j, step}; }

  /// Tile rows i0 to i1 - 1 of tile columns j0 to j1 - 1 as a matrix, on the same tiles: its tile (i, j) is tile
  /// (i0 + i, j0 + j) of this one. Without rows where i1 <= i0, without columns where j1 <= j0.
  Matrix tiles(int i0, int i1, int j0, int j1) const { return {*this, i0, i1, j0, j1}; }
  /// A block on the diagonal: tiles(i0, i1, i0, i1).
  Matrix tiles(int i0, int i1) const { return {*this, i0, i1, i0, i1}; }

protected:
  template <typename> friend class LowerMatrix;
  template <typename> friend class UpperMatrix;

  explicit Matrix(Storage *storage) : Base(storage) {}
  template <Shape shape>
  Matrix(const detail::TileMatrix<T, shape> &A, int i0, int i1, int j0, int j1) : Base(A, i0, i1, j0, j1) {}
};

template <typename T> class UpperMatrix;

/// A square matrix of which only the lower triangle is stored: tiles with i >= j; the strictly upper part of a
/// diagonal tile is not referenced.
template <typename T> class LowerMatrix : public detail::TileMatrix<T, Shape::Lower> {
  using Base = detail::TileMatrix<T, Shape::Lower>;

public:
  LowerMatrix(int n, int nb, Cut cut = {}) : Base(Base::allocated(n, n, nb, cut)) {}
  LowerMatrix(T *array, int n, int lda, int nb, Cut cut = {}) : Base(Base::wrapped(array, n, n, lda, nb, cut)) {}
  explicit LowerMatrix(Storage &storage) : Base(&storage) {}
  /// The lower triangle of a square matrix or workspace in square tiles: no copy, the rest is not referenced.
  explicit LowerMatrix(const Matrix<T> &A) : Base(A) {}
  /// The conjugate transpose of an upper matrix; `transposes` must be true; for conjTrans().
  LowerMatrix(const UpperMatrix<T> &A, bool transposes) : Base(A, transposes) {}

  /// Tiles i0, i0 + step, ..., all below i1, of tile column j as one argument; i0 >= j unless empty. step >= 1.
  detail::OwnedPanel<T> panel(int i0, int i1, int j, int step = 1) const { return {*this, i0, i1, j, step}; }

  /// A block on the diagonal, a triangle as well: its tile (i, j) is tile (i0 + i, i0 + j) of this one.
  LowerMatrix tiles(int i0, int i1) const { return {*this, i0, i1}; }
  /// A block elsewhere, as Matrix::tiles(): of its tiles those are there that the triangle has.
  Matrix<T> tiles(int i0, int i1, int j0, int j1) const { return {*this, i0, i1, j0, j1}; }

private:
  LowerMatrix(const LowerMatrix &A, int i0, int i1) : Base(A, i0, i1, i0, i1) {}
};

/// A square matrix of which only the upper triangle is stored: tiles with i <= j.
template <typename T> class UpperMatrix : public detail::TileMatrix<T, Shape::Upper> {
  using Base = detail::TileMatrix<T, Shape::Upper>;

public:
  UpperMatrix(int n, int nb, Cut cut = {}) : Base(Base::allocated(n, n, nb, cut)) {}
  UpperMatrix(T *array, int n, int lda, int nb, Cut cut = {}) : Base(Base::wrapped(array, n, n, lda, nb, cut)) {}
  explicit UpperMatrix(Storage &storage) : Base(&storage) {}
  /// The upper triangle of a square matrix or workspace in square tiles, as LowerMatrix(A) is the lower one.
  explicit UpperMatrix(const Matrix<T> &A) : Base(A) {}
  /// The conjugate transpose of a lower matrix; `transposes` must be true; for conjTrans().
  UpperMatrix(const LowerMatrix<T> &A, bool transposes) : Base(A, transposes) {}

  /// Tiles i0, i0 + step, ..., all below i1, of tile column j as one argument; i1 <= j + 1 unless empty. step >= 1.
  detail::OwnedPanel<T> panel(int i0, int i1, int j, int step = 1) const { return {*this, i0, i1, j, step}; }

  /// A block on the diagonal, a triangle as well: its tile (i, j) is tile (i0 + i, i0 + j) of this one.
  UpperMatrix tiles(int i0, int i1) const { return {*this, i0, i1}; }
  /// A block elsewhere, as Matrix::tiles(): of its tiles those are there that the triangle has.
  Matrix<T> tiles(int i0, int i1, int j0, int j1) const { return {*this, i0, i1, j0, j1}; }

private:
  UpperMatrix(const UpperMatrix &A, int i0, int i1) : Base(A, i0, i1, i0, i1) {}
};

/// Scratch tiles. Declared in an algorithm they live while it runs: a tile must be written before it is read, hetc
/// proves that it is, and the runtime allocates a tile when it is first written. As a parameter they are the caller's,
/// with the content that earlier algorithms left. A workspace is a matrix, too: algorithms that take a Matrix take it.
template <typename T> class Workspace : public Matrix<T> {
public:
  /// mt x nt tiles, each of m x n elements.
  Workspace(int mt, int nt, int m, int n)
      : Matrix<T>(Matrix<T>::allocated(Storage::makeWorkspace(mt, nt, m, n, sizeof(T)))) {}
  /// m x n elements in tiles of nb x nb, smaller at the lower and right edge: as Matrix(m, n, nb) has them.
  Workspace(int m, int n, int nb) : Matrix<T>(m, n, nb) {}
  explicit Workspace(Storage &storage) : Matrix<T>(storage) {}
  Workspace(const Workspace &A, bool transposes) : Matrix<T>(A, transposes) {}

  /// Returns a part of the workspace, as Matrix::tiles().
  Workspace tiles(int i0, int i1, int j0, int j1) const { return {*this, i0, i1, j0, j1, true}; }
  Workspace tiles(int i0, int i1) const { return {*this, i0, i1, i0, i1, true}; }

private:
  Workspace(const Workspace &A, int i0, int i1, int j0, int j1, bool) : Matrix<T>(A, i0, i1, j0, j1) {}
};

/// The conjugate transpose of a matrix, for algorithms that are called with it: its tile (i, j) is conjTrans(A(j, i)).
/// On the same tiles; kernels see copies, of which what they write goes back.
template <typename T> Matrix<T> conjTrans(const Matrix<T> &A) { return {A, true}; }
template <typename T> Workspace<T> conjTrans(const Workspace<T> &A) { return {A, true}; }
template <typename T> UpperMatrix<T> conjTrans(const LowerMatrix<T> &A) { return {A, true}; }
template <typename T> LowerMatrix<T> conjTrans(const UpperMatrix<T> &A) { return {A, true}; }

/// Exchanges what two names stand for: no element moves, and the names that others use for these matrices stay.
/// std::swap, and an exchange by a third name, do the same.
template <typename T> void swap(Matrix<T> &A, Matrix<T> &B) {
  const Matrix<T> C = A;
  A = B;
  B = C;
}
template <typename T> void swap(LowerMatrix<T> &A, LowerMatrix<T> &B) {
  const LowerMatrix<T> C = A;
  A = B;
  B = C;
}
template <typename T> void swap(UpperMatrix<T> &A, UpperMatrix<T> &B) {
  const UpperMatrix<T> C = A;
  A = B;
  B = C;
}

} // namespace tla
