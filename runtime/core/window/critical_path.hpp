// Why a run took as long as it did: the chain of tasks that ends with the last one.
#pragma once

#include "runtime/core/window/task.hpp"
#include "runtime/threads/clock.hpp"

#include <tla/runtime/executor.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tla::runtime {

/// Finds the critical path from every task of a run in virtual time, in the order of time. Each task has a cause: the
/// one whose end made it ready or, where it was ready when it was appended, the one that ended last before, by which
/// the generating thread got room in the window or in an accelerator's memory. From the last task back over causes the
/// time of the run is taken apart without rest: into the times of the tasks on the way, and those for which they were
/// ready and had to wait for their unit.
class CriticalPath {
public:
  /// `cause` null: it was ready when it was appended.
  void ready(const Task &task, const Task *cause, Ticks now) {
    if (Entry *const entry = at(task))
      *entry = {.ready = now, .cause = cause ? cause->sequence() : lastEnded_};
  }
  void begin(const Task &task, Ticks now) {
    if (Entry *const entry = at(task))
      entry->begin = now;
  }
  void end(const Task &task, Ticks now) {
    lastEnded_ = task.sequence();
    if (Entry *const entry = at(task)) {
      entry->end = now;
      entry->kernel = task.taskClass->kernel;
      entry->unit = task.unit;
    }
  }
  /// By kernel and place, for the wait before and the task itself; the longest first. Empty: the run had too many
  /// tasks.
  std::vector<PathPart> parts(double secondsPerTick) const;

private:
  /// The number of tasks that are remembered, in 40 bytes each.
  static constexpr std::uint32_t mostTasks = 4'000'000;
  static constexpr std::uint32_t none = 0; // tasks count from 1
  struct Entry {
    Ticks ready = 0, begin = 0, end = 0;
    std::uint32_t cause = none;
    std::uint8_t unit = 0;
    const char *kernel = nullptr;
  };
  Entry *at(const Task &task) {
    const std::uint32_t number = task.sequence();
    if (number >= mostTasks)
      return nullptr;
    if (number >= entries_.size())
      entries_.resize(std::max<std::size_t>(number + 1, 2 * entries_.size()));
    return &entries_[number];
  }

  std::vector<Entry> entries_; // by sequence number
  std::uint32_t lastEnded_ = none;
};

} // namespace tla::runtime
