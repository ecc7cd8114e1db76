// Dynamic scheduling with software caches, in virtual time: what a static distribution is compared with ([Song12]
// section 2 and Figures 1 and 9). Policies of the simulator; the runtime has none of them.
#pragma once

#include "runtime/host/plan/virtual_run.hpp"

#include <optional>
#include <string>

namespace tla::host {

/// Each device has a cache of tiles in its memory, as large as the matrices; tiles travel by the host, never from
/// device to device.
enum class Rival {
  /// Whoever is free, a core or a device, takes of the ready tasks of all the first that it has a body for, waits for
  /// its
  /// tiles and computes. A device's result goes to the host at once; the device waits for that, as who needs it
  /// does.
  WriteThrough,
  /// The same, but a result goes to the host when another unit wants it.
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

/// On one node. Scheduling takes no time, a device runs one kernel after the other, and there is a copy at a time each
/// way to each device, and no more bytes a second to all of them than the machine's bus has. What was written comes
/// home at the end. Statistics are those of a run: seconds, tasks, flops, busy cores, and by device its tasks, busy
/// time and copies. Throws UsageError for a program on slices, or dealt to elements, and Error beyond 3 million tasks.
runtime::Outcome runAsRival(const VirtualRunRequest &request, Rival rival);

} // namespace tla::host
