// How the generating thread waits: for room, and for the end.
#pragma once

#include "runtime/core/run/helper.hpp"
#include "runtime/core/run/ready_batch.hpp"
#include "runtime/core/schedule/activity.hpp"
#include "runtime/core/window/node_tasks.hpp"

#include <algorithm>
#include <cstdint>

namespace tla::runtime {

/// The generating thread has its helper compute while it waits, and sleeps only when nothing is ready.
///
/// Invariants: before it waits, all that is ready has been submitted; while it waits it is not in the program's loops
/// (LoopProgress). What it waits for comes with tasks that complete; since the oldest task in the window can always
/// run, every wait ends. Between runs nothing of this is in use.
class Throttle {
public:
  Throttle(NodeTasks &tasks, LoopProgress &loops, Helper &helper, ReadyBatch &ready)
      : tasks_(tasks), loops_(loops), helper_(helper), ready_(ready) {}

  /// A task to fill in, when there is one: the window's limit is what bounds the tasks on the way. Throws
  /// std::bad_alloc.
  Task *takeTask() {
    Task *const task = tasks_.window.takeTask();
    return task ? task : helpUntilRoom();
  }
  /// Until ready(), which becomes true by tasks that complete. Returns to generating after a number of tasks that makes
  /// the change worth it, or as soon as somebody runs out of work.
  template <typename Ready> void helpUntil(WaitEvent::Reason reason, Ready ready);
  /// Whether all tasks are complete that have been appended, so many.
  bool areComplete(std::size_t appended) const { return appended == helper_.ownCompleted() + tasks_.window.returned(); }
  /// Until `appended` tasks, all there are in the run, are complete. Returns when that was.
  Ticks finish(std::size_t appended);

  /// How often the window was full, and for how long this thread did something else than generate.
  std::uint64_t windowFull() const { return windowFull_; }
  Ticks helping() const { return helping_; }

private:
  Task *helpUntilRoom();

  NodeTasks &tasks_;
  LoopProgress &loops_;
  Helper &helper_;
  ReadyBatch &ready_;
  Ticks helping_ = 0;
  std::uint64_t windowFull_ = 0;
};

template <typename Ready> void Throttle::helpUntil(WaitEvent::Reason reason, Ready ready) {
  ready_.flush();
  loops_.setInside(false);
  const Ticks begin = tasks_.record.now();
  const int enough = static_cast<int>(std::clamp<std::size_t>(tasks_.window.limit() / 64, 1, 128));
  for (bool over = false; !over;) {
    const std::size_t returned = tasks_.window.returned();
    const int done = helper_.work(enough, true);
    helper_.flush();
    over = ready();
    if (!over && !done)
      helper_.sleepUntilReturned(returned + 1);
  }
  loops_.setInside(true);
  const Ticks end = tasks_.record.now();
  helping_ += end - begin;
  tasks_.record.log.wait(reason, begin, end);
}

} // namespace tla::runtime
