// How much memory other nodes' tiles take on each node: the bound of tla/runtime/cost.hpp.
#pragma once

#include "runtime/core/tile_table.hpp"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace tla::runtime {

/// Told of all uses of other nodes' tiles, in program order.
class ForeignCopies {
public:
  explicit ForeignCopies(int nodes) : nodes_(nodes), largestInstance_(nodes) {}

  /// An instance of task number `time` on `node` uses a part of another node's tile; `tile` is a number for the tile
  /// among those of all matrices. `fresh`: with new content, so that the content before was not needed after its last
  /// use. `rewritten`: all of the tile gets new content, maybe in memory of its own (renaming).
  void use(const TileTable &table, int row, int column, std::uint64_t tile, int half, int node, std::uint64_t time,
           bool fresh, bool rewritten);
  /// All that one instance of the node names of other nodes' tiles.
  void instance(int node, std::uint64_t bytes) { largestInstance_[node] = std::max(largestInstance_[node], bytes); }
  /// The memory that a tile takes on another node.
  static std::uint64_t bytesOf(const TileTable &table, int row, int column);

  /// The bound, for each node.
  std::vector<std::uint64_t> peaks(int window);

private:
  /// One content of a tile, or of a half, on a node.
  struct Stretch {
    std::uint64_t key, bytes;
    std::uint64_t begin, end; ///< numbers of the first and last task that use it
    bool regions;
  };
  /// Memory that comes or goes. Sorts as things happen: all instances of a task, then releases.
  struct Event {
    std::uint32_t node;
    bool closes;
    std::uint64_t time, bytes;
    bool operator<(const Event &other) const {
      return node != other.node ? node < other.node : time != other.time ? time < other.time : closes < other.closes;
    }
  };
  void joinHalves(std::vector<Stretch> &halves);
  void addEvents(std::uint64_t node, std::uint64_t bytes, std::uint64_t begin, std::uint64_t end);

  const std::uint64_t nodes_;
  std::vector<std::uint64_t> largestInstance_;             // by node
  std::vector<Stretch> stretches_;                         // in the order of their beginning
  std::unordered_map<std::uint64_t, std::size_t> current_; // by tile, node and half: the stretch that goes on
  std::vector<Event> events_;
};

} // namespace tla::runtime
