// What a split rule sees ([Song12] 3.1): the tiles of a kernel call, cut by columns into slices. A rule says how the
// kernel on these tiles becomes kernels on slices: a function template with the kernel's name and parameters in
// namespace tla::split, under '#pragma tla split', where CutTile stands for a tile and CutPanel for a panel. (A kernel
// that is not in tla is called there as ::kernel.) Run serially, as here, a rule does what the kernel does.
#pragma once

#include <tla/storage.hpp>
#include <tla/tile.hpp>

namespace tla::split {

/// Rows `first` .. first + count - 1 of a tile, those that it has: none beyond its last.
template <typename T> constexpr Tile<T> rowsWithin(Tile<T> tile, int first, int count) {
  const int begin = min(max(first, 0), tile.m());
  return tile.rows(begin, min(max(count, 0), tile.m() - begin));
}
/// Rows from `first` on, if any.
template <typename T> constexpr Tile<T> rowsBelow(Tile<T> tile, int first) { return rowsWithin(tile, first, tile.m()); }

/// A slice of a tile: all rows, some columns. A tile to kernels.
template <typename T> class Slice : public Tile<T> {
public:
  constexpr Slice(Tile<T> tile) : Tile<T>(tile) {}
  constexpr Tile<T> rows(int first, int count) const { return rowsWithin<T>(*this, first, count); }
  /// The columns first .. first + count - 1 of the slice, all of which it must have.
  constexpr Slice cols(int first, int count) const { return Slice(Tile<T>::cols(first, count)); }
  constexpr Tile<T> below(int first) const { return rowsBelow<T>(*this, first); }
};

/// A tile and how it is cut. Its number of rows, m(), is for views: loops and conditions of a rule know slices. It has
/// at least one slice, and only those that have columns. Passed whole to a kernel its slices are gathered first, on the
/// host.
template <typename T> class CutTile : public Slice<T> {
public:
  constexpr CutTile(Tile<T> tile, Cut cut) : Slice<T>(tile), cut_(cut) {}

  constexpr int slices() const { return cut_.slicesOf(this->n()); }
  /// The first column of slice d, 0 <= d < slices(), and its number of columns.
  constexpr int sliceBegin(int d) const { return d * cut_.width; }
  constexpr int sliceCols(int d) const { return d + 1 < slices() ? cut_.width : this->n() - sliceBegin(d); }
  constexpr Slice<T> slice(int d) const { return this->cols(sliceBegin(d), sliceCols(d)); }
  /// False where the algorithm passes lower() or upper() of the tile. Slices are whole all the same: they belong to a
  /// rule only where the kernel does not look at Tile::region().
  constexpr bool isWhole() const { return this->region() == Region::Full; }
  /// Whether hetc knows that the call does not read the tile's old content (`writes(C if beta == 0)`): slices of which
  /// a rule first writes parts must then be written as a whole before. In a serial run there is no need for it.
  constexpr bool isOverwritten() const { return false; }

private:
  Cut cut_;
};

/// The panel of slices: slice d of each tile of a panel.
template <typename T> class PanelSlice : public Panel<T> {
public:
  PanelSlice(const PanelSlice &) = delete;
  PanelSlice &operator=(const PanelSlice &) = delete;
  PanelSlice(const Panel<T> &panel, Cut cut, int d) : Panel<T>(nullptr, panel.mt()) {
    list_ = static_cast<Tile<T> *>(::operator new(sizeof(Tile<T>) * (panel.mt() + 1)));
    for (int r = 0; r < panel.mt(); ++r)
      new (list_ + r) Tile<T>(CutTile<T>(panel(r), cut).slice(d));
    this->tiles_ = list_;
  }
  ~PanelSlice() { ::operator delete(list_); }

private:
  Tile<T> *list_;
};

/// A panel whose tiles are cut alike.
template <typename T> class CutPanel : public Panel<T> {
public:
  CutPanel(const Panel<T> &panel, Cut cut) : Panel<T>(panel), cut_(cut) {}

  int slices() const { return cut_.slicesOf(this->n()); }
  PanelSlice<T> slice(int d) const { return {*this, cut_, d}; }

private:
  Cut cut_;
};

} // namespace tla::split
