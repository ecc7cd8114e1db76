#include "runtime/predict/count/node_memory.hpp"

#include <algorithm>

namespace tla::host {

/// Whether a node may forward tiles of others: where a sender has more receivers at one time than it serves itself,
/// four of up to 16 ranks, and two of more (Options::fanOut).
static bool mayForward(int nodes, const runtime::Options &options) {
  constexpr int usualFanOut = 4;
  return nodes - 1 > (options.fanOut ? options.fanOut : usualFanOut);
}

NodeMemory memoryOf(const runtime::NodeCost &counted, double fixed, int nodes, const runtime::Options &options) {
  NodeMemory memory{.fixed = fixed,
                    .least = static_cast<double>(counted.leastTemporaryBytes),
                    .most = static_cast<double>(counted.temporaryBytes)};
  memory.renamed = static_cast<double>(std::min<std::uint64_t>(counted.renamedBytes, options.renameBytes));
  if (mayForward(nodes, options))
    memory.forwarded =
        static_cast<double>(std::min<std::uint64_t>(counted.transfers.receivedBytes, options.forwardBytes));
  return memory;
}

std::optional<std::size_t> lookaheadWithin(const NodeMemory &memory, double available) {
  if (memory.leastBytes() > available)
    return std::nullopt;
  if (memory.bytes() <= available)
    return runtime::Options::usualLookahead;
  return static_cast<std::size_t>(available - memory.leastBytes());
}

} // namespace tla::host
