// The computing threads of a host in virtual time (VirtualMachine).
#pragma once

#include "runtime/core/run/helper.hpp"
#include "runtime/core/schedule/host_device.hpp"
#include "runtime/core/schedule/statistics.hpp"
#include "runtime/core/window/completion.hpp"
#include "runtime/core/window/critical_path.hpp"
#include "runtime/core/window/node_tasks.hpp"
#include "runtime/device/device.hpp"
#include "runtime/virtual/virtual_time.hpp"

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <vector>

namespace tla::runtime {

class AcceleratorLanes;
class Courier;

/// Memory of the host for tiles that nobody reads or writes: addresses, of which the system gives no pages. What the
/// core itself writes behind a tile (TileBuffers) is a page each.
class UnbackedMemory final : public Device {
public:
  UnbackedMemory() = default;
  UnbackedMemory(const UnbackedMemory &) = delete;
  UnbackedMemory &operator=(const UnbackedMemory &) = delete;
  ~UnbackedMemory();

  const char *name() const override { return "virtual host"; }
  void reserve(std::size_t) override {}
  void submit(Task *, int) override {} // it has no threads
  void *allocate(std::size_t bytes) override;
  void release(void *memory, std::size_t bytes) override;
  void copy(void *, const void *, std::size_t) override {}

private:
  bool extend(std::size_t bytes);

  struct Range {
    std::byte *begin;
    std::size_t bytes;
  };
  std::vector<Range> ranges_;
  std::byte *next_ = nullptr, *end_ = nullptr;
  std::map<std::size_t, std::vector<void *>> free_; // by size
};

/// Helps the generating thread by letting time pass: each of the threads takes what the ready queue gives it, for as
/// long as the machine says; the accelerators do theirs in the same time. Generating takes no time, but is never more
/// than the window ahead, as in a run.
///
/// All decisions are those of a run, by the same code: dependences, renaming, memory, the window, places and copies,
/// the order of ready tasks, what each lane of an accelerator begins. Two things are not: a thread has no hand, since
/// its tasks are long, and the order of events at one time is that in which they were entered. As a node of a cluster
/// it is its courier as well, and waits for its turn (VirtualTurns).
class VirtualHost final : public Helper, private VirtualTime::Listener, private VirtualTurns::Node {
public:
  VirtualHost(NodeTasks &tasks, HostDevice &workers, const Options &options, int threads);

  // Before the first run: what does its part in the same time.
  void setCourier(Courier &courier) { courier_ = &courier; }
  void add(AcceleratorLanes &accelerator) { accelerators_.push_back(&accelerator); }

  int work(int enough, bool yielding) override;
  void flush() override {}
  /// Nothing is under way and nothing is ready: throws, as this must not be.
  void sleepUntilReturned(std::size_t count) override;
  std::size_t ownCompleted() const override { return 0; }
  /// The generating thread waits, and time goes on, until come(); or, without a cluster, until nothing is under way.
  void waitUntil(const std::function<bool()> &come);

  const WorkerStatistics &statistics(int thread) const { return threads_[thread].statistics; }
  const CriticalPath &path() const { return path_; }
  /// Between runs.
  void reset();

private:
  struct Thread {
    Task *task = nullptr;
    Ticks begin = 0;
    WorkerStatistics statistics;
  };

  void at(std::uint64_t thread) override;
  void begin() override;
  VirtualTurns::Progress progress() const override { return progress_(); }
  void wait(std::function<VirtualTurns::Progress()> progress);
  bool beginReady();
  Task *takeReady(std::size_t thread);
  bool provideMemory(Task &task);
  void end(Thread &thread);

  NodeTasks &tasks_;
  HostDevice &workers_;
  const VirtualMachine &machine_;
  const int window_; ///< Options::window
  const int rank_;
  Courier *courier_ = nullptr; ///< null on one rank
  std::vector<AcceleratorLanes *> accelerators_;
  std::vector<Thread> threads_;
  std::size_t busy_ = 0;                             ///< number of busy threads
  std::deque<Task *> arrived_;                       ///< VirtualMachine::byArrival
  std::function<VirtualTurns::Progress()> progress_; ///< while the generating thread waits
  Completion completion_;
  CriticalPath path_;
};

} // namespace tla::runtime
