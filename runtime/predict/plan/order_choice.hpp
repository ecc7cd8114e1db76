// In which order tasks are generated for devices whose memory is smaller than the problem.
#pragma once

#include "runtime/host/problem/problem.hpp"
#include "runtime/interfaces/cost.hpp"
#include "runtime/predict/machine/virtual_node.hpp"

namespace tla::host {

/// Chooses the order of the tasks: the settings' where they say one; else the program's own where all matrices fit into
/// the memory of a device, where nothing is evicted by it, where one node of `machine` needs less than 0.4 of the
/// devices' time for its copies, or where no other one copies a tenth less; else the blocks with which a node copies
/// the fewest bytes to and from its devices. On several nodes half of the memory counts, as other nodes' tiles that
/// come early take the rest: measured in virtual time, a product on 16 nodes with three M2070 each, whose tiles just
/// fit, has 754 Gflop/s a node in the program's order, and 902 by steps.
///
/// Copies that take so little of the time are hidden behind the kernels, and blocks only take parallel work from these:
/// in virtual time geqrf of n = 51,840 on three M2070, with copies of 0.02 of the time, has 720 Gflop/s in the
/// program's order, and 700 by the blocks with fewest bytes. On an H100 of 80 GB Cholesky of n = 196,608, with copies
/// of 0.7, has 45.5 and 55.4 Tflop/s.
///
/// Blocks are tried whose tiles fit into the devices' memory of all nodes together, in columns, rows and squares, and
/// some more of them, until one copies hardly more than memory for all tiles would need. Their bytes are counted
/// (predictCost()) for node 0, on tiles that are so much wider that there are some ten thousands of tasks. `options`:
/// those of a run on the problem's tiles in the program's order. `machine`: how long kernels and copies take; null: not
/// known, bytes alone decide. Programs whose loop an element ends, cut tiles and sparse matrices keep the program's
/// order.
runtime::TaskBlocks chooseOrder(const Problem &problem, const Distribution &distribution, const Settings &settings,
                                const runtime::CostOptions &options, const runtime::VirtualHardware *machine);

/// Describes the devices of a node, and the shares by which they work, for predictCost().
runtime::CostOptions costOptions(const std::vector<runtime::AcceleratorProperties> &devices, const Settings &settings,
                                 const runtime::DeviceShares &shares);

} // namespace tla::host
