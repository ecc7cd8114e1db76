// Dynamic scheduling with software caches, in virtual time: what a static distribution is compared with ([Song12]
// section 2 and Figures 1 and 9). Policies of the simulator; the runtime has none of them.
#pragma once

#include "runtime/predict/plan/virtual_run.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tla::host {

/// Each device has a cache of tiles in its memory, and each node one in its host's, as large as the matrices; tiles
/// travel by the hosts, never from device to device. A tile is at home on the node to which a distribution gives it.
enum class Rival {
  /// Whoever is free, a core or a device of any node, takes of the ready tasks of all the first that it has a body for,
  /// waits for its tiles and computes. A result goes home at once; the unit waits for that, as who needs it does.
  WriteThrough,
  /// A result goes where another unit wants it, when it does; otherwise as above.
  WriteBack,
  /// A task that is ready goes to the unit that would end it first, its tiles' copies included, and they are begun at
  /// once: dmda of StarPU [C. Augonnet, S. Thibault, R. Namyst, P.-A. Wacrenier: StarPU: a unified platform for task
  /// scheduling on heterogeneous multicore architectures, Concurrency and Computation: Practice and Experience 23(2),
  /// 2011], whose estimates are exact here.
  EarliestFinish
};

/// "write-through", "write-back", "dmda".
const char *rivalName(Rival rival);
std::optional<Rival> rivalNamed(const std::string &name);

/// On the nodes of a distribution, which is where tiles are at home, over ports (PortModel): a message takes three
/// latencies, as those of hetc. Scheduling takes no time and knows all nodes, a device runs one kernel after the other,
/// and there is a copy at a time each way to each device, in the order in which
/// tiles are asked for, though what is asked for later may be there before, and no more bytes a second to all of a node
/// than the machine's bus has. What was written comes home at the end. Statistics of each node are those of a run:
/// tasks, flops, busy cores, messages, and by device its tasks, busy time and copies; all have the seconds of the
/// whole. Throws UsageError for a program on slices, or dealt to elements, for copies of the nodes and for a network of
/// SimGrid, and Error beyond 3 million tasks.
std::vector<runtime::Statistics> runAsRival(const VirtualRunRequest &request, Rival rival,
                                            const Distribution &distribution,
                                            const runtime::MachineProfile::Network &network);

} // namespace tla::host
