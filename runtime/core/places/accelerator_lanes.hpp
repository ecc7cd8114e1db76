// What keeps one accelerator busy ([Song12] 5.3, 5.4: the GPU management thread and the copy thread in one): begins
// what is ready, best first, and completes what has ended.
#pragma once

#include "runtime/core/places/busy_time.hpp"
#include "runtime/core/schedule/statistics.hpp"
#include "runtime/core/window/accelerator_memory.hpp"
#include "runtime/core/window/completion.hpp"
#include "runtime/core/window/node_tasks.hpp"

#include <queue>
#include <vector>

namespace tla::runtime {

/// One per accelerator of an executor: operations of each kind, ready ones in order of their keys, and those in flight.
/// What drives it, by step(), is one thread: the accelerator's (accelerator_worker.hpp) or, in virtual time, the
/// generating one.
class AcceleratorLanes final : public UnitSink {
public:
  /// `place`: 1, 2, ...
  AcceleratorLanes(NodeTasks &tasks, const Options &options, Accelerator &accelerator, int place);
  AcceleratorLanes(const AcceleratorLanes &) = delete;
  AcceleratorLanes &operator=(const AcceleratorLanes &) = delete;

  Accelerator &accelerator() { return accelerator_; }
  const std::string &name() const { return accelerator_.properties().name; }
  AcceleratorMemory &memory() { return memory_; }
  /// Any thread: tasks of this accelerator that are ready. Empties the chain.
  void submit(Chain<Task> &tasks) override;

  // Who drives it.

  /// Begins what is ready and completes what has ended. False: there was nothing to do.
  bool step();
  /// Sleeps until something was submitted or has ended, `quit` is set and the accelerator woken.
  void rest(const std::atomic<bool> &quit);

  // Between runs, or before the first task of one.
  void reset();
  /// Any thread: "emulated:0 has had work under way for 60 s"; empty: it has none. Since the last time anything ended.
  std::string runningText(Ticks now) const;
  /// The work of the accelerator in the run.
  DeviceStatistics counts() const;
  const WorkerStatistics &statistics() const { return statistics_; }

private:
  /// Operations of one kind: ready ones, and how many have been begun.
  struct Lane {
    using Entry = std::pair<std::uint64_t, Task *>; // key, or what stands for it (orderOf)
    std::priority_queue<Entry> ready;
    std::uint32_t lowest = 0;              ///< priority of what has become ready since nothing was
    int inFlight = 0, limit = 1, more = 0; ///< more: for what is Before others
  };
  /// A launch in flight: its first task, from which on they are linked (Task::link), the priorities of its first and
  /// its last, and what all have to do.
  struct Running {
    const Task *first;
    std::uint32_t highest, lowest;
    double operations;
  };

  bool takeSubmitted();
  std::uint64_t orderOf(const Task &task);
  bool takeFinished();
  bool beginReady(Lane &lane);
  Task *takeReady(Lane &lane);
  bool hasRoom(const Lane &lane) const;
  bool waitsForOthers() const;
  void returnAside();
  double operationsInFlight() const;

  Standing standingOf(const Task &task) const;
  void noteBusy();
  Lane &laneOf(const Task &task);
  bool canBegin(Task &task);
  bool provideMemory(Task &task);
  void beginKernel(Task &first);
  bool joins(const Task &task) const;
  bool nextJoins(const Task &first, Standing standing, double operations) const;
  void beginCopy(Task &task);
  CopyEvent::Way wayOf(const Task &copy) const;
  void finish(Finished &end);
  void recordCopy(const Task &task, Ticks begin, Ticks end);
  void recordKernel(const Task &task, Ticks begin, Ticks end);
  void complete(Task &task);
  void fail(const Task &task, const std::string &message);

  NodeTasks &tasks_;
  const Options &options_;
  Accelerator &accelerator_;
  const int place_;
  AcceleratorMemory memory_;

  // Between threads: tasks on the way to the one that drives, and its sleep, as the courier's: whoever changes
  // something it should see looks at parked_ after that.
  ReturnStack<Task> submitted_;
  std::atomic<bool> parked_{false};
  std::atomic<Ticks> busySince_{0}; ///< time of the last change; 0: nothing is in flight. One writer

  // The driving thread's own.
  Lane kernels_, in_, out_;
  std::vector<Running> running_, preceding_; // launches in flight but panels; those that are Before others apart
  std::vector<const Task *> together_;       // those of the launch that is put together
  std::vector<Lane::Entry> aside_;           // tasks that are ready and wait for others
  std::uint64_t arrived_ = 0;                // tasks, where they go by arrival
  Completion completion_;
  WorkerStatistics statistics_; // see there for who reads it when; the same holds for counts_
  DeviceStatistics counts_;
  BusyTime busy_;
};

} // namespace tla::runtime
