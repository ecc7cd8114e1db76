// What a node takes for a run, as one sum: its certificate.
#pragma once

#include "runtime/interfaces/cost.hpp"

#include <cstddef>
#include <optional>

namespace tla::host {

/// The bytes of a node, all of them upper bounds of what a run takes.
struct NodeMemory {
  double fixed = 0;     ///< part of the matrices, and other memory that does not depend on when tasks run
  double least = 0;     ///< tiles of workspaces and of other nodes that it needs at one time
  double most = 0;      ///< as many of them as it takes with Options::lookaheadBytes
  double renamed = 0;   ///< renamed tiles
  double forwarded = 0; ///< other nodes' tiles on the way through this one

  double bytes() const { return fixed + most + renamed + forwarded; }
  /// The bytes without which no run ends.
  double leastBytes() const { return fixed + least + renamed + forwarded; }
};

/// `counted`: of a run on so many nodes. `fixed`: as there.
NodeMemory memoryOf(const runtime::NodeCost &counted, double fixed, int nodes, const runtime::Options &options = {});

/// Options::lookaheadBytes with which the node takes no more than `available`: as many as it has without a bound, or
/// fewer. Nothing: it needs more in any case.
std::optional<std::size_t> lookaheadWithin(const NodeMemory &memory, double available);

} // namespace tla::host
