// What a distribution costs: counted, for whoever asks.
#pragma once

#include "runtime/predict/commands/cost_report.hpp"
#include "runtime/predict/count/node_memory.hpp"
#include "runtime/predict/machine/virtual_node.hpp"

namespace tla::host {

/// The options for counting runs with these settings, on nodes with these shares.
runtime::CostOptions costOptions(const Settings &settings, const runtime::DeviceShares &shares);

/// By the loops of its nodes, where these are at hand or the problem is large enough to be worth making them; else by
/// replay. The problem's tiles are those that are counted; its own distribution is not looked at. `machine`:
/// chooseOrder()'s. Throws UsageError.
CostRecord countCost(const Problem &problem, const Settings &settings, const Distribution &distribution,
                     const runtime::CostOptions &options, const runtime::VirtualHardware *machine);

/// The memory of one of the nodes.
NodeMemory memoryOf(const runtime::Cost &cost, const runtime::NodeCost &node);
/// The upper bound of the memory on the node that takes most: its part of the matrices, the most that it keeps of
/// workspaces' and other nodes' tiles, and what is renamed and forwarded.
double bytesOfNode(const runtime::Cost &cost);
/// The memory with which a run can end, on the node that needs most: as bytesOfNode() with no look ahead.
double leastBytesOfNode(const runtime::Cost &cost);

/// The call that is counted by these loops, without a look at all nodes at once where each has loops of its own.
DryCall dryCall(const Problem &problem, const runtime::Algorithm &algorithm, const Distribution &distribution);

} // namespace tla::host
