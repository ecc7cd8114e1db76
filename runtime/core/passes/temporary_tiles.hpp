// How much memory other nodes' tiles take on a node: the bound of runtime/interfaces/cost.hpp.
#pragma once

#include "runtime/core/passes/tile_map.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace tla::runtime {

/// A bound on the memory that one node's copies of other nodes' tiles take. It is told of all uses of such tiles by the
/// node's instances, in program order.
class ForeignCopies {
public:
  /// The present instance uses a part of another node's tile. `fresh`: with new content, so that the content before was
  /// not needed after its last use. `rewritten`: all of the tile gets new content, maybe in memory of its own
  /// (renaming).
  void use(const TileRef &tile, int half, bool fresh, bool rewritten);
  /// The present instance ends; it named so many bytes of other nodes' tiles.
  void endInstance(std::uint64_t bytes) {
    largestInstance_ = std::max(largestInstance_, bytes);
    ++time_;
  }
  /// The memory that a tile takes on another node.
  static std::uint64_t bytesOf(const TileRef &tile);

  /// The bound, in bytes, for a window of so many tasks.
  std::uint64_t peak(int window);
  /// Forgets all, to count for another node in the same memory.
  void clear();

private:
  /// One content of a tile, or of a half, from its first to its last use. Times count instances.
  struct Stretch {
    std::uint64_t halves : 1 = 0; ///< halves of a tile that has two, as a mask
    std::uint64_t bytes : 63 = 0; ///< bytes of the content; 0: none so far
    std::uint64_t begin = 0, end = 0;
  };
  using Half = std::pair<std::uint64_t, Stretch>; ///< TileMap's key
  /// The memory that comes and goes with each instance.
  struct Changes {
    std::vector<std::uint64_t> opened, closed;
  };
  static void joinHalves(const std::vector<Half> &halves, Changes &changes);

  std::uint64_t time_ = 0, largestInstance_ = 0;
  TileMap<Stretch> current_;
  std::vector<Half> past_; // contents that are not needed any more
  Changes changes_;
};

} // namespace tla::runtime
