// What the parts of one executor share.
#pragma once

#include "dsl/base/floating_point.hpp"
#include "runtime/core/activity.hpp"
#include "runtime/core/crew.hpp"
#include "runtime/core/homes.hpp"
#include "runtime/core/host_device.hpp"
#include "runtime/core/run_state.hpp"
#include "runtime/core/task_log.hpp"
#include "runtime/core/tile_buffers.hpp"
#include "runtime/core/window.hpp"

#include "runtime/virtual/virtual_time.hpp"

#include <tla/runtime/executor.hpp>

#include <vector>

namespace tla::runtime {

class AcceleratorLanes;
class Courier;
class CriticalPath;
class VirtualHost;

struct Engine {
  /// `memory`: of the host's tiles; null: the host device's.
  Engine(const Options &options, int threads, double spinSeconds, Device *memory = nullptr)
      : options(options), window(options.window), host(threads, spinSeconds),
        buffers(memory ? *memory : host, options.renameBytes) {
    window.onGrowth([this](std::size_t tasks) { device().reserve(tasks); });
  }
  /// Where a ready task of the host goes.
  Device &device() { return host; }
  AcceleratorLanes &accelerator(int place) { return *accelerators[place - 1]; }

  /// The run's time: what the clock says or, in virtual time, nanoseconds since its beginning and one.
  Ticks now() const {
    return options.virtualMachine ? 1 + static_cast<Ticks>(options.virtualMachine->time.now() * 1e9) : Clock::now();
  }
  double secondsPerTick() const { return options.virtualMachine ? 1e-9 : Clock::secondsPerTick(); }
  Ticks ticks(double seconds) const { return static_cast<Ticks>(seconds / secondsPerTick()); }

  /// Somebody wants to know when tasks become ready, and by what.
  bool observed() const { return path || log.on(); }

  const Options options;
  /// Of the run's caller, in which all threads compute. Written between runs; a thread that has got a task of the run,
  /// or sees that it is on, may read it.
  FloatingPointModes modes = FloatingPointModes::ofThisThread();
  TaskLog log{options};
  RunState state;
  LoopProgress loops{state};
  Window window;
  HostDevice host;
  CrewSlots crews;
  TileBuffers buffers;
  std::vector<AcceleratorLanes *> accelerators; ///< by place - 1
  Homes homes;                                  ///< of resident matrices; constant during a run
  HeldWorkspaces held;                          ///< of a run in parts; the generating thread's
  Courier *courier = nullptr;                   ///< null on one rank
  CriticalPath *path = nullptr;                 ///< in virtual time on one node; else null
  VirtualHost *virtualHost = nullptr;           ///< in virtual time; else null
  const Distribution *distribution = nullptr;   ///< null on one rank
  int rank = 0;
};

} // namespace tla::runtime
