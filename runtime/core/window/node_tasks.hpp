// The tasks of one node during a run, as all see them that make, run, move or complete tasks.
#pragma once

#include "dsl/base/floating_point.hpp"
#include "runtime/core/window/run_record.hpp"
#include "runtime/core/window/run_state.hpp"
#include "runtime/core/window/tile_buffers.hpp"
#include "runtime/core/window/units.hpp"
#include "runtime/core/window/window.hpp"

namespace tla::runtime {

/// One per executor: the task window, the memory of the tiles that its tasks use, where ready tasks go, how the run
/// stands, and what is written down of it. Each part says which thread may call what.
struct NodeTasks {
  /// `memory`: of the host's tiles; `host`: where its ready tasks go.
  NodeTasks(const Options &options, Device &host, Device &memory)
      : record(options), window(options.window), buffers(memory, options.renameBytes), units(host) {
    window.onGrowth([&host](std::size_t tasks) { host.reserve(tasks); });
  }

  /// The floating-point modes of the run's caller, in which all threads compute. Written between runs; a thread that
  /// has got a task of the run, or sees that it is on, may read it.
  FloatingPointModes modes = FloatingPointModes::ofThisThread();
  RunRecord record;
  RunState state;
  Window window;
  TileBuffers buffers;
  Units units;
};

} // namespace tla::runtime
