// A panel as one column-major tile.
#pragma once

#include "kernels/reference/scratch.hpp"

#include <optional>

namespace tla::reference {

/// Whether the tiles of the panel are consecutive windows on one column-major array. Tiles of one column that stand one
/// behind the other in memory are none: a leading dimension of theirs is not one of the whole.
template <typename T> bool isOneArray(ConstPanel<T> A) {
  if (A.mt() > 1 && A(0).ld() < A.m())
    return false;
  for (int r = 1; r < A.mt(); ++r)
    if (A(r).ld() != A(0).ld() || A(r).data() != A(r - 1).data() + A(r - 1).m())
      return false;
  return true;
}

/// B = A.
template <typename T> void copyTile(ConstTile<T> A, Tile<T> B) {
  for (int j = 0; j < A.n(); ++j)
    std::copy_n(&A(0, j), A.m(), &B(0, j));
}

/// All rows of a panel as one tile: the panel itself where its tiles are windows on one array, else a copy.
template <typename T> class PanelView {
public:
  explicit PanelView(ConstPanel<T> A) {
    if (isOneArray(A)) {
      if (A.mt())
        tile_ = {const_cast<T *>(A(0).data()), A.m(), A.n(), A(0).ld()};
      return;
    }
    copy_.emplace(A.m(), A.n());
    tile_ = copy_->tile();
    for (int r = 0, i = 0; r < A.mt(); i += A(r++).m())
      copyTile<T>(A(r), rows(i, A(r).m()));
  }

  /// To be written only when the panel may be.
  Tile<T> tile() const { return tile_; }

  /// Brings the contents of tile() to A, the panel that this is a view of.
  void writeBack(Panel<T> A) const {
    for (int r = 0, i = 0; copy_ && r < A.mt(); i += A(r++).m())
      copyTile<T>(rows(i, A(r).m()), A(r));
  }

private:
  Tile<T> rows(int i, int m) const { return {tile_.data() + i, m, tile_.n(), tile_.ld()}; }

  Tile<T> tile_{nullptr, 0, 0, 1};
  std::optional<Scratch<T>> copy_;
};

} // namespace tla::reference
