// How much memory tiles take that have some only while their content is in use: the bound of
// runtime/interfaces/cost.hpp.
#pragma once

#include "runtime/core/passes/tile_map.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace tla::runtime {

/// A bound on the memory that a node's copies of other nodes' tiles and its workspaces' tiles take. It is told of all
/// uses of such tiles by the node's instances, in program order.
class TemporaryTiles {
public:
  struct Use {
    bool foreign;           ///< another node owns the tile
    bool fresh = false;     ///< with new content, so that the content before was not needed after its last use
    bool rewritten = false; ///< all of the tile gets new content, maybe in memory of its own (renaming)
  };
  /// The present instance uses a part of a tile. Whether it is the first use of the content.
  bool use(const TileRef &tile, int half, const Use &use);
  /// The program releases a half: its content is not needed any more.
  void release(const TileRef &tile, int half);
  /// The present instance ends, which has used such tiles: so many bytes of other nodes', and altogether.
  void endInstance(std::uint64_t foreign, std::uint64_t all) {
    largest_.foreign = std::max(largest_.foreign, foreign);
    largest_.all = std::max(largest_.all, all);
    ++time_;
  }
  /// The memory that a tile takes.
  static std::uint64_t bytesOf(const TileRef &tile);

  struct Bytes {
    std::uint64_t foreign = 0, all = 0;
  };
  struct Peaks {
    Bytes open; ///< the most that is open at one time: what a run takes that looks ahead by nothing
    Bytes held; ///< the most that a run takes with this window, however far its tasks are behind
  };
  /// Without `released` contents stay until the program releases them, or the run ends; else until their last use.
  Peaks peaks(int window, bool released);
  /// Forgets all, to count for another node in the same memory.
  void clear();

private:
  /// One content of a tile, or of a half, from its first to its last use. Times count instances that use such tiles.
  struct Stretch {
    std::uint64_t halves : 1 = 0; ///< a half of a tile that has two
    std::uint64_t foreign : 1 = 0;
    std::uint64_t over : 1 = 0;   ///< the program has released it
    std::uint64_t bytes : 61 = 0; ///< bytes of the content; 0: none so far
    std::uint64_t begin = 0, end = 0;
    std::uint64_t released = 0; ///< the instance behind which the program has released it
  };
  using Half = std::pair<std::uint64_t, Stretch>; ///< TileMap's key
  /// Memory that comes with an instance, or goes behind it.
  struct Change {
    std::uint64_t time;
    Bytes bytes;
  };
  struct Changes {
    std::vector<Change> opened, closed;
    static void add(std::vector<Change> &to, std::uint64_t time, const Stretch &stretch) {
      to.push_back({time, {stretch.foreign ? std::uint64_t(stretch.bytes) : 0, stretch.bytes}});
    }
  };
  static void joinHalves(const std::vector<Half> &halves, Changes &changes);

  std::uint64_t time_ = 0;
  Bytes largest_; // of one instance
  TileMap<Stretch> current_;
  std::vector<Half> past_; // contents that are not needed any more
  Changes changes_;
};

} // namespace tla::runtime
