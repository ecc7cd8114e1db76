// In which order tasks are generated for devices whose memory is smaller than the problem.
#pragma once

#include "runtime/host/problem/problem.hpp"
#include "runtime/interfaces/cost.hpp"

namespace tla::host {

/// Chooses the order of the tasks: the settings' where they say one; the program's own where nothing is evicted from a
/// device's memory by it, or where no other one copies a tenth less; else the blocks with which a node copies the
/// fewest bytes to and from its devices. On several nodes half of the memory counts, as other nodes' tiles that come
/// early take the rest: measured in virtual time, a product on 16 nodes with three M2070 each, whose tiles just fit,
/// has 754 Gflop/s a node in the program's order, and 902 by steps.
///
/// Blocks are tried whose tiles fit into the devices' memory of all nodes together, in columns, rows and squares, and
/// some more of them. Their bytes are counted (predictCost()) for node 0, on tiles that are so much wider that there
/// are some ten thousands of tasks. `options`: those of a run on the problem's tiles in the program's order. Programs
/// whose loop an element ends, cut tiles and sparse matrices keep the program's order.
runtime::TaskBlocks chooseOrder(const Problem &problem, const Distribution &distribution, const Settings &settings,
                                const runtime::CostOptions &options);

/// Describes the devices of a node, and the shares by which they work, for predictCost().
runtime::CostOptions costOptions(const std::vector<runtime::AcceleratorProperties> &devices, const Settings &settings,
                                 const runtime::DeviceShares &shares);

} // namespace tla::host
