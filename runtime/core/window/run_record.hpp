// The time of a run, and what is written down of its tasks.
#pragma once

#include "runtime/core/window/critical_path.hpp"
#include "runtime/core/window/task_log.hpp"
#include "runtime/virtual/virtual_time.hpp"

#include <tla/runtime/executor.hpp>

namespace tla::runtime {

/// The clock of an executor's runs: the processor's or, in virtual time, nanoseconds since the beginning and one. Any
/// thread may ask it.
class RunClock {
public:
  explicit RunClock(const VirtualMachine *machine) : machine_(machine) {}

  bool isVirtual() const { return machine_; }
  Ticks now() const { return machine_ ? 1 + static_cast<Ticks>(machine_->time.now() * 1e9) : Clock::now(); }
  double secondsPerTick() const { return machine_ ? 1e-9 : Clock::secondsPerTick(); }
  Ticks ticks(double seconds) const { return static_cast<Ticks>(seconds / secondsPerTick()); }

private:
  const VirtualMachine *const machine_; ///< null: the run takes place
};

/// One per executor. Who may write what, and when, is said in TaskLog and CriticalPath; `path` is set before the first
/// run.
struct RunRecord {
  explicit RunRecord(const Options &options) : clock(options.virtualMachine), log(options) {}

  Ticks now() const { return clock.now(); }
  /// Somebody wants to know when tasks become ready, and by what.
  bool observed() const { return path || log.on(); }

  const RunClock clock;
  TaskLog log;
  CriticalPath *path = nullptr; ///< the critical path, in virtual time on one node; else null
};

} // namespace tla::runtime
