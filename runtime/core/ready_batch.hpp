// Tasks that are ready when they are appended, on the way to their units.
#pragma once

#include "runtime/core/critical_path.hpp"
#include "runtime/core/engine.hpp"

namespace tla::runtime {

/// Gathers them, so that the ready queue's lock is taken once for many. Invariant: a task that was added is here until
/// the next flush(), and nowhere else; nobody else knows it. Whoever is about to wait flushes before. The generating
/// thread's.
class ReadyBatch {
public:
  explicit ReadyBatch(Engine &engine) : engine_(engine) {}

  void add(Task &task) {
    if (engine_.path) [[unlikely]]
      engine_.path->ready(task, nullptr, engine_.now());
    (task.unit == Unit::Host ? host_ : task.unit == Unit::Courier ? transfers_ : accelerated_).push(task);
  }
  /// One more task was appended, ready or not: flushes when there were enough (Scheduling::appendedAtOnce).
  void countAppended() {
    if (++appended_ >= Scheduling::appendedAtOnce(engine_.host.idleWorkers()))
      flush();
  }
  /// All go to their units.
  void flush();

private:
  void submitToHost();

  Engine &engine_;
  Chain<Task> host_, transfers_, accelerated_;
  int appended_ = 0; // since the last flush
};

} // namespace tla::runtime
