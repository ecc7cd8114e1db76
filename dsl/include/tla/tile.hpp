// Tiles: what a kernel sees. A tile is a column-major view (LAPACK's A, m, n, lda); it owns nothing and is
// passed by value. The type of a kernel's parameter is its access: ConstTile reads, Tile reads and writes,
// OutTile only writes.
#pragma once

#include <tla/types.hpp>

#include <exception>

namespace tla {

/// A message of less than `capacity` characters, written piece by piece; what does not fit is left out. <string> and
/// <stdexcept> would take a quarter of a second from every compilation of a program.
template <int capacity> class ShortText {
public:
  void append(const char *part) noexcept {
    while (*part && length_ < capacity - 1)
      text_[length_++] = *part++;
    text_[length_] = 0;
  }
  void append(int number) noexcept {
    char digits[12]; // from the end
    int begin = sizeof digits;
    digits[--begin] = 0;
    unsigned rest = number < 0 ? 0u - static_cast<unsigned>(number) : static_cast<unsigned>(number);
    do
      digits[--begin] = static_cast<char>('0' + rest % 10);
    while (rest /= 10);
    if (number < 0)
      digits[--begin] = '-';
    append(digits + begin);
  }
  const char *get() const noexcept { return text_; }

private:
  char text_[capacity] = {};
  int length_ = 0;
};

/// Rows or columns that are not inside their tile.
class OutsideTile : public std::exception {
public:
  /// `count` of `what` ("rows", "columns") from `first` on, of `size`.
  OutsideTile(const char *what, int first, int count, int size) noexcept {
    text_.append(count);
    text_.append(" ");
    text_.append(what);
    text_.append(" from ");
    text_.append(first);
    text_.append(" on are outside the ");
    text_.append(size);
    text_.append(" of the tile");
  }
  const char *what() const noexcept override { return text_.get(); }

private:
  ShortText<96> text_;
};

/// An element that is not inside its tile, named by a kernel whose accesses are checked (TLA_CHECKED).
class OutsideElement : public std::exception {
public:
  /// Element (i, j) of the m x n tile at the address `tile`, named in this line.
  OutsideElement(int i, int j, int m, int n, const void *tile, const char *file, int line) noexcept : tile_(tile) {
    text_.append("element (");
    text_.append(i);
    text_.append(", ");
    text_.append(j);
    text_.append(") is outside the ");
    text_.append(m);
    text_.append(" x ");
    text_.append(n);
    text_.append(" elements of the tile, at ");
    text_.append(file);
    text_.append(":");
    text_.append(line);
  }
  const char *what() const noexcept override { return text_.get(); }
  /// The address of the tile's first element, by which a run finds the tile's name.
  const void *tile() const noexcept { return tile_; }

private:
  ShortText<512> text_;
  const void *tile_;
};

/// Throws OutsideTile unless `count` rows or columns ("rows", "columns") from `first` on are inside a tile that has
/// `size`. Ends a run as a fault of the task; no proof knows these numbers.
constexpr void requireInside(const char *what, int first, int count, int size) {
  if (first < 0 || count < 0 || first > size - count)
    throw OutsideTile(what, first, count, size);
}

#ifdef TLA_CHECKED
/// The number of a row or a column, and the line that names it: code that is compiled with TLA_CHECKED ('hetc --debug')
/// throws OutsideElement for an element that its tile has not. It is a type of its own so that the functions of such
/// code are others than those of libraries that are compiled without.
class ElementIndex {
public:
  constexpr ElementIndex(int value, const char *file = __builtin_FILE(), int line = __builtin_LINE())
      : value_(value), file_(file), line_(line) {}
  constexpr operator int() const { return value_; }
  constexpr const char *file() const { return file_; }
  constexpr int line() const { return line_; }

private:
  int value_;
  const char *file_;
  int line_;
};
constexpr void requireElement(ElementIndex i, int j, int m, int n, const void *tile) {
  if (i < 0 || i >= m || j < 0 || j >= n)
    throw OutsideElement(i, j, m, n, tile, i.file(), i.line());
}
#else
using ElementIndex = int;
constexpr void requireElement(int, int, int, int, const void *) {}
#endif

/// A tile that may only be read. m x n elements, column-major, leading dimension ld >= max(1, m).
template <typename T> class ConstTile {
public:
  constexpr ConstTile(T *data, int m, int n, int ld, Region region = Region::Full)
      : data_(data), m_(m), n_(n), ld_(ld), region_(region) {}

  constexpr int m() const { return m_; }
  constexpr int n() const { return n_; }
  constexpr int ld() const { return ld_; }
  constexpr Region region() const { return region_; }
  constexpr const T *data() const { return data_; }
  constexpr const T &operator()(ElementIndex i, ElementIndex j) const {
    requireElement(i, j, m_, n_, data_);
    return data_[i + static_cast<long>(j) * ld_];
  }

  constexpr ConstTile lower() const { return {data_, m_, n_, ld_, Region::Lower}; }
  constexpr ConstTile upper() const { return {data_, m_, n_, ld_, Region::Upper}; }

  /// Rows first .. first + count - 1, or such columns, as a tile of their own; inside the tile, or none.
  constexpr ConstTile rows(int first, int count) const {
    requireInside("rows", first, count, m_);
    return {data_ + first, count, n_, ld_};
  }
  constexpr ConstTile cols(int first, int count) const {
    requireInside("columns", first, count, n_);
    return {data_ + offset(first), m_, count, ld_};
  }

protected:
  constexpr long offset(int column) const { return static_cast<long>(column) * ld_; }

  T *data_;
  int m_, n_, ld_;
  Region region_;
};

/// A tile whose old content is not read: the kernel writes every element of it (of its region).
///
/// The tile types derive from each other only so that template argument deduction finds T when a Tile<T> is
/// passed where a kernel declares ConstTile<T> or OutTile<T>.
template <typename T> class OutTile : public ConstTile<T> {
public:
  using ConstTile<T>::ConstTile;
  constexpr T *data() const { return this->data_; }
  constexpr T &operator()(ElementIndex i, ElementIndex j) const {
    requireElement(i, j, this->m_, this->n_, this->data_);
    return this->data_[i + static_cast<long>(j) * this->ld_];
  }

  constexpr OutTile lower() const { return {this->data_, this->m_, this->n_, this->ld_, Region::Lower}; }
  constexpr OutTile upper() const { return {this->data_, this->m_, this->n_, this->ld_, Region::Upper}; }
  constexpr OutTile rows(int first, int count) const {
    requireInside("rows", first, count, this->m_);
    return {this->data_ + first, count, this->n_, this->ld_};
  }
  constexpr OutTile cols(int first, int count) const {
    requireInside("columns", first, count, this->n_);
    return {this->data_ + this->offset(first), this->m_, count, this->ld_};
  }
};

/// A tile that is read and written.
template <typename T> class Tile : public OutTile<T> {
public:
  using OutTile<T>::OutTile;

  constexpr Tile lower() const { return {this->data_, this->m_, this->n_, this->ld_, Region::Lower}; }
  constexpr Tile upper() const { return {this->data_, this->m_, this->n_, this->ld_, Region::Upper}; }
  constexpr Tile rows(int first, int count) const {
    requireInside("rows", first, count, this->m_);
    return {this->data_ + first, count, this->n_, this->ld_};
  }
  constexpr Tile cols(int first, int count) const {
    requireInside("columns", first, count, this->n_);
    return {this->data_ + this->offset(first), this->m_, count, this->ld_};
  }
};

/// A run of tiles of one tile column, as one argument that may only be read. Tile r of the run is panel(r),
/// 0 <= r < mt(). The run may be empty.
template <typename T> class ConstPanel {
public:
  constexpr ConstPanel(const Tile<T> *tiles, int mt) : tiles_(tiles), mt_(mt) {}
  constexpr int mt() const { return mt_; }
  /// Rows of all tiles of the run together.
  constexpr int m() const {
    int rows = 0;
    for (int r = 0; r < mt_; ++r)
      rows += tiles_[r].m();
    return rows;
  }
  constexpr int n() const { return mt_ ? tiles_[0].n() : 0; }
  constexpr ConstTile<T> operator()(int r) const { return tiles_[r]; }

protected:
  const Tile<T> *tiles_;
  int mt_;
};

/// A run of tiles of one tile column that is read and written.
template <typename T> class Panel : public ConstPanel<T> {
public:
  using ConstPanel<T>::ConstPanel;
  constexpr Tile<T> operator()(int r) const { return this->tiles_[r]; }
};

} // namespace tla
