// What each worker counts while it works, and how it adds up.
#pragma once

#include "runtime/core/window/task_log.hpp"
#include "runtime/threads/clock.hpp"

#include <tla/runtime/executor.hpp>

#include <algorithm>
#include <atomic>
#include <vector>

namespace tla::runtime {

/// Counters of one worker. Written by the worker alone; the plain ones are read by the caller of run() after it has
/// seen the worker's last task returned (acquire), and are reset there before the next task is submitted. The
/// atomic ones are read at any time: relaxed loads of values with one writer.
class alignas(64) WorkerStatistics {
public:
  /// One task has run from `begin` to `end`.
  void record(const Task &task, Ticks begin, Ticks end, double flops, const TaskLog &log);
  /// A copy of a tile, for the trace.
  void recordCopy(const Task &copy, const Version &tile, CopyEvent::Way way, std::uint64_t bytes, Ticks begin,
                  Ticks end) {
    copies_.push_back({copy.sequence(), tile.table, tile.row, tile.column, way, bytes, begin, end});
  }
  /// A task that the log does not record has begun.
  void leaveOut(Ticks begin) { leftOut_ = std::min(leftOut_, begin); }
  void countTask() { add(tasks_, std::uint64_t(1)); }
  void countSleep() { add(sleeps_, std::uint64_t(1)); }

  std::uint64_t tasks() const { return tasks_.load(std::memory_order_relaxed); }
  double flops() const { return flops_.load(std::memory_order_relaxed); }

private:
  friend class StatisticsSum;
  struct PerClass {
    std::uint64_t tasks = 0;
    Ticks ticks = 0;
    double flops = 0;
  };
  struct Event {
    std::uint32_t task;
    std::uint16_t taskClass;
    int row, column, accesses;
    Ticks begin, end;
    int slice;
  };
  struct Copy {
    std::uint32_t task;
    const TileTable *table;
    int row, column;
    CopyEvent::Way way;
    std::uint64_t bytes;
    Ticks begin, end;
  };
  template <typename T> static void add(std::atomic<T> &counter, T value) {
    counter.store(counter.load(std::memory_order_relaxed) + value, std::memory_order_relaxed);
  }

  std::atomic<std::uint64_t> tasks_{0}, sleeps_{0};
  std::atomic<double> flops_{0};
  std::uint64_t sleepsBefore_ = 0; // of earlier runs: a worker may still count when the next run begins
  std::vector<PerClass> classes_;
  std::vector<Event> events_;
  std::vector<Copy> copies_;
  Ticks leftOut_ = TaskLog::never; // of a traced run: when the first task began that the log does not record
};

/// Adds up the workers' counters of one run.
class StatisticsSum {
public:
  StatisticsSum(Statistics &result, const std::vector<const TaskClass *> &classes, const TaskLog &log, Ticks begin,
                double secondsPerTick);
  void add(int worker, const WorkerStatistics &statistics);
  /// `worker`: for the trace.
  void addDevice(int worker, const WorkerStatistics &statistics, DeviceStatistics counts);
  /// Messages and waits of the log, which is joined.
  void addLog();
  /// Before a run.
  static void reset(WorkerStatistics &statistics);

private:
  double addClasses(const WorkerStatistics &statistics);
  void addEvents(int worker, const WorkerStatistics &statistics);
  void addCopies(const WorkerStatistics &statistics);
  void endTraceAt(Ticks leftOut);
  double secondsAt(Ticks ticks) const;
  TraceCause causeOf(std::uint32_t task, Ticks begin) const;
  Statistics &result_;
  const TaskLog &log_;
  const Ticks begin_;
  const double secondsPerTick_;
};

} // namespace tla::runtime
