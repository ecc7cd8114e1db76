// What the parts of one executor share.
#pragma once

#include "runtime/core/activity.hpp"
#include "runtime/core/host_device.hpp"
#include "runtime/core/run_state.hpp"
#include "runtime/core/tile_buffers.hpp"
#include "runtime/core/window.hpp"

#include <tla/runtime/executor.hpp>

#include <vector>

namespace tla::runtime {

class AcceleratorWorker;
class Courier;

struct Engine {
  Engine(const Options &options, int threads, double spinSeconds)
      : options(options), window(options.window), host(threads, spinSeconds), buffers(host, options.renameBytes) {
    window.onGrowth([this](std::size_t tasks) { device().reserve(tasks); });
  }
  /// Where a ready task of the host goes.
  Device &device() { return host; }
  AcceleratorWorker &accelerator(int place) { return *accelerators[place - 1]; }

  const Options options;
  RunState state;
  LoopProgress loops{state};
  Window window;
  HostDevice host;
  TileBuffers buffers;
  std::vector<AcceleratorWorker *> accelerators; ///< by place - 1
  Courier *courier = nullptr;                    ///< null on one rank
  const Distribution *distribution = nullptr;    ///< null on one rank
  int rank = 0;
};

} // namespace tla::runtime
