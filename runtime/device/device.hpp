// What the core asks of the host as a place that has memory and executes ready tasks; accelerators are another matter
// (accelerator.hpp). The core decides when a task is ready and where it belongs, the host in which order its tasks run.
#pragma once

#include <cstddef>

namespace tla::runtime {

struct Task;

/// Obligations of a back-end:
///  1. reserve(tasks) is called by the generating thread before that many tasks can exist at once, and may throw
///     std::bad_alloc; afterwards submit() never fails and never blocks for longer than a short lock.
///  2. submit() takes a chain of `count` >= 1 ready tasks linked by Task::link and owns them until each has completed.
///     It is called by any computing thread. The order inside the chain says nothing; Task::key does: larger runs
///     sooner.
///  3. Every submitted task completes exactly once, also after the run was stopped (then without running its kernel),
///     so that every wait in the core ends.
///  4. The memory effects of completed tasks that made a task ready happen before its kernel; submit() carries that
///     over (a lock or release/acquire pair between the submitting and the executing thread).
///  5. allocate() returns null when there is no memory, never throws; alignment is 64 bytes at least.
///  6. A device without work takes no core: its threads sleep.
///  7. copy() moves bytes from one piece of its memory to another, and returns when they have
///     arrived.
class Device {
public:
  virtual ~Device() = default;
  virtual const char *name() const = 0;
  virtual void reserve(std::size_t tasks) = 0;
  virtual void submit(Task *chain, int count) = 0;
  virtual void *allocate(std::size_t bytes) = 0;
  virtual void release(void *memory, std::size_t bytes) = 0;
  virtual void copy(void *destination, const void *source, std::size_t bytes) = 0;
};

} // namespace tla::runtime
