// What the parts of one executor share.
#pragma once

#include "runtime/core/run_state.hpp"
#include "runtime/core/tile_buffers.hpp"
#include "runtime/core/window.hpp"
#include "runtime/device/host/host_device.hpp"

#include <tla/runtime/executor.hpp>

namespace tla::runtime {

class Courier;

struct Engine {
  Engine(const Options &options, int threads, double spinSeconds)
      : options(options), window(options.window), host(threads, spinSeconds), buffers(host, options.renameBytes) {
    window.onGrowth([this](std::size_t tasks) { device().reserve(tasks); });
  }
  /// Where a ready task goes. One device so far; its number will follow from the tile that the task runs at.
  Device &device() { return host; }

  const Options options;
  RunState state;
  Window window;
  HostDevice host;
  TileBuffers buffers;
  Courier *courier = nullptr;                 ///< null on one rank
  const Distribution *distribution = nullptr; ///< null on one rank
  int rank = 0;
};

} // namespace tla::runtime
