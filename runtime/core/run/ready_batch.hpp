// Tasks that are ready when they are appended, on the way to their units.
#pragma once

#include "runtime/core/schedule/host_device.hpp"
#include "runtime/core/window/node_tasks.hpp"

namespace tla::runtime {

/// Gathers them, so that the ready queue's lock is taken once for many. Invariant: a task that was added is here until
/// the next flush(), and nowhere else; nobody else knows it. Whoever is about to wait flushes before. The generating
/// thread's.
class ReadyBatch {
public:
  ReadyBatch(NodeTasks &tasks, const HostDevice &workers) : tasks_(tasks), workers_(workers) {}

  void add(Task &task) {
    if (tasks_.record.path) [[unlikely]]
      tasks_.record.path->ready(task, nullptr, tasks_.record.now());
    (task.unit == Unit::Host ? host_ : task.unit == Unit::Courier ? transfers_ : accelerated_).push(task);
  }
  /// One more task was appended, ready or not: flushes when there were enough (Scheduling::appendedAtOnce).
  void countAppended() {
    if (++appended_ >= Scheduling::appendedAtOnce(workers_.idleWorkers()))
      flush();
  }
  /// All go to their units.
  void flush();

private:
  void submitToHost();

  NodeTasks &tasks_;
  const HostDevice &workers_;
  Chain<Task> host_, transfers_, accelerated_;
  int appended_ = 0; // since the last flush
};

} // namespace tla::runtime
