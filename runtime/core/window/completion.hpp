// The end of a task: FIRE ([Song12] 5.2). Workers complete tasks that compute, the courier those that move data.
#pragma once

#include "runtime/core/window/node_tasks.hpp"

namespace tla::runtime {

/// The tasks that completed ones have made ready, until they are passed on. Belongs to one thread at a time.
class Completion {
public:
  explicit Completion(NodeTasks &tasks) : tasks_(tasks), arrivals_(tasks.record.log.newArrivals()) {}

  /// The task is complete, whoever waited for it learns so. Also for tasks that a stopped run skips, so that every wait
  /// ends.
  void complete(Task &task);

  /// Computing tasks made ready since it was last emptied.
  Chain<Task> ready;
  /// The tasks made ready since for other units than the host: transfers, and tasks of accelerators.
  Chain<Task> transfers, accelerated;
  /// Passes `transfers` and `accelerated` to their units.
  void passElsewhere() {
    if (transfers.head || accelerated.head) [[unlikely]] {
      tasks_.units.passTransfers(transfers);
      tasks_.units.passAccelerated(accelerated);
    }
  }
  /// Passes on all that is here, for a thread that keeps nothing for itself: what is ready to its unit, what is done to
  /// the window.
  void passOn();
  Chain<Task> done;       ///< completed, not yet returned
  Chain<Version> retired; ///< retired, not yet returned

private:
  void fireReaders(Version &version);
  void leave(Version &version);
  void arrive(Task &task);
  void noteEnd(const Task &task);
  void noteReady(const Task &task);
  NodeTasks &tasks_;
  TaskLog::Arrivals &arrivals_;
  const Task *completing_ = nullptr; ///< where somebody observes, and when that has ended
  Ticks completedAt_ = 0;
};

} // namespace tla::runtime
