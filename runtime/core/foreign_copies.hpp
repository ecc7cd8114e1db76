// How much memory other nodes' tiles take on a node: the bound of tla/runtime/cost.hpp.
#pragma once

#include "runtime/core/tile_map.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tla::runtime {

/// One node's. Told of all uses of other nodes' tiles by its instances, in program order.
class ForeignCopies {
public:
  /// The present instance uses a part of another node's tile. `fresh`: with new content, so that the content before was
  /// not needed after its last use. `rewritten`: all of the tile gets new content, maybe in memory of its own
  /// (renaming).
  void use(const TileTable &table, int row, int column, int half, bool fresh, bool rewritten);
  /// The present instance ends; it named so many bytes of other nodes' tiles.
  void endInstance(std::uint64_t bytes) {
    largestInstance_ = std::max(largestInstance_, bytes);
    ++time_;
  }
  /// The memory that a tile takes on another node.
  static std::uint64_t bytesOf(const TileTable &table, int row, int column);

  /// The bound. Nothing may be told afterwards.
  std::uint64_t peak(int window);

private:
  /// One content of a tile, or of a half, from its first to its last use. Times count instances.
  struct Stretch {
    std::uint64_t bytes = 0, begin = 0, end = 0; ///< no bytes: none so far
    std::uint64_t tile = 0;                      ///< of a half: tells tiles apart; else 0
    bool upper = false;
  };
  /// Memory that comes or goes.
  struct Event {
    std::uint64_t time, bytes;
  };
  void close(const Stretch &stretch);
  void joinHalves();

  std::uint64_t time_ = 0, largestInstance_ = 0;
  TileMap<Stretch> current_;
  std::vector<Event> opened_, closed_;
  std::vector<Stretch> halves_; // of tiles with two of them
};

} // namespace tla::runtime
