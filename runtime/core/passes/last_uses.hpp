// When a node needs the content of tiles no more that have memory only for that: workspaces' and other nodes'.
#pragma once

#include "runtime/core/passes/tile_map.hpp"

#include <tla/runtime/generator.hpp>

#include <cstdint>
#include <vector>

namespace tla::runtime {

/// Calls use(half) for each half that the tile's region means; tiles without regions have the half 0.
template <typename Use> void forEachHalf(const TileRef &tile, Use &&use) {
  if (!tile.matrix->regions() || tile.region != Region::Upper)
    use(0);
  if (tile.matrix->regions() && tile.region != Region::Lower)
    use(1);
}

/// Whether a tile has memory on this host only while its content is in use.
inline bool isTemporary(const TileRef &tile, int self) {
  return tile.matrix->workspace() || tile.matrix->node(tile.row, tile.column) != self;
}

/// The uses of such tiles on one node, numbered in program order. A first pass finds those after which the content is
/// not needed any more; in the second they are known beforehand.
class LastUses {
public:
  /// One more use of a half of a tile. `fresh`: with new content from another node, so that the one before was not
  /// needed after its last use.
  void record(const TileRef &tile, int half, bool fresh) {
    std::uint64_t &latest = latest_.at(tile, half);
    if (fresh && latest)
      last_[latest - 1] = true;
    last_.push_back(false);
    latest = last_.size();
  }
  /// The program itself releases a half of a tile: its content is not needed after its last use.
  void release(const TileRef &tile, int half) {
    if (const std::uint64_t latest = latest_.at(tile, half))
      last_[latest - 1] = true;
  }
  void endRecording() {
    latest_.forEach([&](std::uint64_t, std::uint64_t use) {
      if (use)
        last_[use - 1] = true;
    });
    latest_ = {};
  }
  /// The next use in the second pass: whether it is the last of its content.
  bool next() { return last_[next_++]; }

private:
  std::vector<bool> last_;
  TileMap<std::uint64_t> latest_; // number of the use + 1
  std::size_t next_ = 0;
};

} // namespace tla::runtime
