#pragma once
#include <tla/tla.hpp>

template <typename T, typename Tile> void copyRow(const Tile &U, int i, tla::OutTile<T> row) {
  for (int j = 0; j < U.n(); ++j)
    row(0, j) = U(i, j);
}

template <typename T, typename Tile> void copyColumn(const Tile &U, int j, tla::OutTile<T> column) {
  for (int i = 0; i < U.m(); ++i)
    column(i, 0) = U(i, j);
}

/// The first row and the first column of U.
#pragma tla kernel flops(U.m() + U.n()) bound(memory) requires(top.n() >= U.n() && first.m() >= U.m())
template <typename T> void rims(tla::ConstTile<T> U, tla::OutTile<T> top, tla::OutTile<T> first) {
  copyRow<T>(U, 0, top);
  copyColumn<T>(U, 0, first);
}

/// One sweep of over-relaxation through the points of U: each moves by omega times the way to where the equation of its five
/// points, 4 u - (north + west + south + east) = F, holds. `above` and `left` are the rims that this sweep has made already, `below`
/// and `right` those of the last one. U's own rims are written out, for its neighbours.
#pragma tla kernel flops(8 * U.m() * U.n()) requires(F.m() == U.m() && F.n() == U.n()) \
    requires(above.n() >= U.n() && below.n() >= U.n() && left.m() >= U.m() && right.m() >= U.m()) \
    requires(top.n() >= U.n() && bottom.n() >= U.n() && first.m() >= U.m() && last.m() >= U.m())
template <typename T>
void sweep(T omega, tla::ConstTile<T> F, tla::ConstTile<T> above, tla::ConstTile<T> left, tla::ConstTile<T> below,
           tla::ConstTile<T> right, tla::Tile<T> U, tla::OutTile<T> top, tla::OutTile<T> bottom, tla::OutTile<T> first,
           tla::OutTile<T> last) {
  for (int j = 0; j < U.n(); ++j)
    for (int i = 0; i < U.m(); ++i) {
      const T north = i > 0 ? U(i - 1, j) : above(0, j), south = i + 1 < U.m() ? U(i + 1, j) : below(0, j);
      const T west = j > 0 ? U(i, j - 1) : left(i, 0), east = j + 1 < U.n() ? U(i, j + 1) : right(i, 0);
      U(i, j) += omega * ((north + west + south + east + F(i, j)) / 4 - U(i, j));
    }
  copyRow<T>(U, 0, top);
  copyRow<T>(U, U.m() - 1, bottom);
  copyColumn<T>(U, 0, first);
  copyColumn<T>(U, U.n() - 1, last);
}
