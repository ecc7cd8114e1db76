// The tiles of a panel as one array, brought there and back with the help of a crew.
#pragma once

#include "kernels/recursive/parts.hpp"
#include "kernels/recursive/tiles.hpp"
#include "kernels/reference/panel_view.hpp"

#include <optional>

namespace tla::kernels::recursive {

/// As reference::PanelView: the panel itself where its tiles are windows on one array, else a copy.
template <typename T> class Gathered {
public:
  /// Gathers the tiles, of which there is at least one.
  Gathered(const CrewScope &crew, const Tiles<T> &tiles) : crew_(crew), tiles_(tiles) {
    const Panel<T> panel(tiles.data(), static_cast<int>(tiles.size()));
    if (reference::isOneArray<T>(panel)) {
      whole_ = {tiles[0].data(), panel.m(), panel.n(), tiles[0].ld()};
      return;
    }
    copy_.emplace(panel.m(), panel.n());
    whole_ = copy_->tile();
    for (int row = 0; const Tile<T> &tile : tiles) {
      begins_.push_back(row);
      row += tile.m();
    }
    forTiles([this](int r) { reference::copyTile<T>(tiles_[r], place(r)); });
  }
  Tile<T> whole() const { return whole_; }
  void writeBack() const {
    if (copy_)
      forTiles([this](int r) { reference::copyTile<T>(place(r), tiles_[r]); });
  }

private:
  Tile<T> place(int r) const { return block(whole_, begins_[r], 0, tiles_[r].m(), whole_.n()); }
  template <typename Visit> void forTiles(Visit &&visit) const {
    inParts(crew_.crew(), static_cast<int>(tiles_.size()), visit);
  }

  const CrewScope &crew_;
  const Tiles<T> &tiles_;
  Tile<T> whole_{nullptr, 0, 0, 1};
  std::optional<reference::Scratch<T>> copy_;
  std::vector<int> begins_;
};

} // namespace tla::kernels::recursive
