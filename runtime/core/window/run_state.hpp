// How the present run stands, and its first failure.
#pragma once

#include "runtime/core/window/task.hpp"

#include <tla/runtime/executor.hpp>

#include <atomic>
#include <mutex>
#include <optional>

namespace tla::runtime {

struct Failure {
  Outcome::Kind kind;
  long info;
  std::string message;
  const TaskClass *taskClass; ///< null: no task in particular
  std::uint32_t sequence;     ///< number of the task in program order
  const TileTable *table;     ///< table of Task::mainOutput(); null: it has none
  int row, column;
  bool outside = false; ///< Outcome::outside
};

/// One per executor. stopped() is asked before every kernel and every append, so it is one relaxed load: a stop only
/// has to be seen soon, and the failure itself is read under the lock.
class RunState {
public:
  /// `ordered`: the host alone runs all tasks, so that stillRuns() may be asked.
  void begin(bool ordered = false);
  /// Ends the run, and says in `outcome` how; of several ranks wentOn is this one's alone.
  void end(Outcome &outcome);
  bool stopped() const { return status_.load(std::memory_order_relaxed) != Running; }
  /// The run has failed, was interrupted, or is to end because it has failed elsewhere. False between runs.
  bool cutShort() const {
    const int status = status_.load(std::memory_order_relaxed);
    return status == Failed || status == Stopped || status == Interrupted;
  }
  /// After stopped(): whether the task is run all the same, because one behind it in program order has failed, and this
  /// one may fail, too. So a run on any number of threads reports the failure that the serial elision would have met
  /// first. What these tasks read is sound: it comes from tasks before them, which were run as well.
  bool stillRuns(const Task &task) const {
    if (status_.load(std::memory_order_acquire) != Failed)
      return false;
    const std::uint64_t first = firstFailed_.load(std::memory_order_relaxed);
    return first != nobody && static_cast<std::int32_t>(task.sequence() - static_cast<std::uint32_t>(first)) < 0;
  }
  /// Any thread, also a signal handler. Without a run it does nothing.
  void interrupt();
  /// Ends the run. Of several failures the one of the first task in program order is kept.
  void fail(Failure failure);
  /// A kernel's info that does not end the run (TaskClass::infoContinues). Of several the first in program order is
  /// kept; end() reports it unless the run was cut short by a fault, an interrupt, or the info of an earlier task.
  void note(Failure failure);
  /// Judges the value that a task's kernel returned.
  void returned(const Task &task, int info) {
    if (info != 0) [[unlikely]]
      judge(task, info);
  }
  /// The program that generates the tasks threw: no task is at fault.
  void stop();

private:
  void judge(const Task &task, int info);
  /// Failed: by a task; those before it are run still. Of a run that is Stopped or Interrupted no task is, whatever
  /// fails then: what a task reads may have been skipped. So a run leaves Failed for these, and never for Failed.
  enum Status { Idle, Running, Failed, Stopped, Interrupted };
  void leave(Status next);
  alignas(64) std::atomic<int> status_{Idle};
  static constexpr std::uint64_t nobody = UINT64_MAX;
  /// The sequence number of the first task that has failed, as far as is known; nobody: no more tasks are run. Only
  /// ever goes down; stored before the status becomes Failed.
  std::atomic<std::uint64_t> firstFailed_{nobody};
  alignas(64) std::mutex mutex_; // guards the following three
  bool ordered_ = false;         ///< all failures so far are of tasks that begin(true) is for
  std::optional<Failure> first_, noted_;
};

/// A failure of `task` itself, placed at its main output.
Failure failureOf(const Task &task, Outcome::Kind kind, long info, std::string message);
/// The failure that a kernel's return value other than 0 (LAPACK's info) tells of, at the task's main output.
Failure failureOf(const Task &task, int info);

} // namespace tla::runtime
