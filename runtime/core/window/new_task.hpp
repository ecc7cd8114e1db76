// The task that is being appended, as the program gives it.
#pragma once

#include "runtime/core/window/main_access.hpp"
#include "runtime/core/window/run_state.hpp"
#include "runtime/core/window/tile_buffers.hpp"

#include <tla/runtime/task.hpp>

#include <cstdint>
#include <string>

namespace tla::runtime {

/// One per run, the generating thread's. Invariant: it is valid while its task is being appended; in between the
/// accesses are not to be looked at, and `sequence` is the last task's. So what fails here is told of the place in
/// program order that it has.
struct NewTask {
  NewTask(RunState &state, const TileBuffers &buffers) : state_(state), buffers_(buffers) {}

  const TaskClass *taskClass = nullptr; ///< null: no task in particular is at fault
  const TileAccess *accesses = nullptr;
  int accessCount = 0;
  std::uint64_t sequence = 0; ///< the first is 1

  /// The next task in program order.
  void begin(const TaskCall &call) {
    taskClass = &call.taskClass;
    accesses = call.accesses;
    accessCount = call.accessCount;
    ++sequence;
  }
  /// No task, but the place behind the last one.
  void beginNone() {
    taskClass = nullptr;
    accessCount = 0;
    ++sequence;
  }
  /// The access that Task::mainOutput() will return. Null: the task writes nothing.
  const TileAccess *mainOutput() const { return taskClass ? mainAccess(*taskClass, accesses, accessCount) : nullptr; }
  /// The run fails at this task; `outside`: Outcome::outside.
  void fail(std::string message, bool outside = false) const;
  /// Fails the run at one of the task's tiles: "`what` tile A(1, 0)". Returns false.
  bool failAccess(const TileAccess &access, const char *what, bool outside = false) const;
  /// Fails the run because the task needs content that nobody has written to this half of the tile, or that was
  /// released. Returns false.
  bool failContent(const TileAccess &access, int half) const;

private:
  std::string placeText(const TileTable &table) const;

  RunState &state_;
  const TileBuffers &buffers_; ///< have the accelerators' names
};

} // namespace tla::runtime
