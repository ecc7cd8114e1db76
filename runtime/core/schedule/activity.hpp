// What the threads of a rank are doing at this moment, for the reports of its watchdog. Each thing has one writer,
// which it costs a few plain stores; readers look now and then, on any thread.
#pragma once

#include "runtime/core/window/run_state.hpp"
#include "runtime/threads/clock.hpp"

#include <tla/runtime/generator.hpp>

#include <atomic>
#include <optional>
#include <string>

namespace tla::runtime {

/// "60 s", "0.25 s"
std::string secondsText(double seconds);

/// The kernel that a computing thread runs.
///
/// Invariant: since_ is not 0 exactly while a kernel runs, and the other values are then that kernel's. Who has seen
/// the same since_ before and after them has seen one kernel's; each is good to use in any case, until the run is over.
class RunningKernel {
public:
  /// Marks the kernel of `task` as running, as long as it lives.
  class Scope {
  public:
    Scope(RunningKernel &kernel, const Task &task, Ticks now) : kernel_(kernel) { kernel.begin(task, now); }
    ~Scope() { kernel_.since_.store(0, std::memory_order_release); }
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;

  private:
    RunningKernel &kernel_;
  };

  /// Kernels that the calling thread runs while it lives are this one's.
  class OnThread {
  public:
    explicit OnThread(const RunningKernel &kernel);
    ~OnThread();
    OnThread(const OnThread &) = delete;
    OnThread &operator=(const OnThread &) = delete;

  private:
    const RunningKernel *const before_;
  };

  /// "kernel gemm on A(3, 2) has been running for 60 s"; empty: none is.
  std::string text(Ticks now) const;

  /// Writes "kernel gemm on A(3, 2) (cholesky.tla:21), task 12" of the calling thread's kernel, cut to less than `size`
  /// characters; empty: it runs none. For signal handlers: it neither waits nor allocates.
  static void describeHere(char *text, std::size_t size);

private:
  void begin(const Task &task, Ticks now);

  std::atomic<Ticks> since_{0};
  std::atomic<const TaskClass *> class_{nullptr};
  std::atomic<const TileTable *> table_{nullptr}; // null: no tile
  std::atomic<int> row_{0}, column_{0};
  std::atomic<std::uint32_t> sequence_{0};
};

/// How far the generating thread has come in the program's loops: those of the program, and before them those that only
/// look (node_program.hpp).
class LoopProgress {
public:
  explicit LoopProgress(const RunState &state) : state_(state) {}

  // The generating thread.

  /// The loops start, from the first task on.
  void enter() {
    tasks_.store(0, std::memory_order_relaxed);
    inside_.store(true, std::memory_order_relaxed);
  }
  /// In the loops, or elsewhere for a while: helping to compute, waiting.
  void setInside(bool inside) { inside_.store(inside, std::memory_order_relaxed); }
  /// Counts one more task of a class; null: a transfer.
  void step(const TaskClass *taskClass) {
    steps_.store(steps_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    if (!taskClass)
      return;
    last_.store(taskClass, std::memory_order_relaxed);
    tasks_.store(tasks_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }
  /// The run is to end: loops that only look are to run out, too.
  bool stopped() const { return state_.stopped(); }

  // Any thread.

  /// Grows with each step, over all runs.
  std::uint64_t steps() const { return steps_.load(std::memory_order_relaxed); }
  bool inside() const { return inside_.load(std::memory_order_relaxed); }
  /// "the program's loops have not come back since task 12, gemm (cholesky.tla:21)"; empty: the thread is elsewhere.
  std::string text() const;

private:
  const RunState &state_;
  std::atomic<std::uint64_t> steps_{0}, tasks_{0};
  std::atomic<const TaskClass *> last_{nullptr}; // stored before tasks_, and loaded behind it
  std::atomic<bool> inside_{false};
};

/// Hands on what the program's loops append, and notes how far they have come.
class WatchedLoops final : public TaskSink {
public:
  WatchedLoops(TaskSink &sink, LoopProgress &progress) : sink_(sink), progress_(progress) { progress.enter(); }
  ~WatchedLoops() { progress_.setInside(false); }
  WatchedLoops(const WatchedLoops &) = delete;
  WatchedLoops &operator=(const WatchedLoops &) = delete;

  TileTable &table(Storage &storage, const char *name, bool workspace, bool regions) override {
    return sink_.table(storage, name, workspace, regions);
  }
  void keep(const StorageRef &storage) override { sink_.keep(storage); }
  void setParameters(const void *parameters) override { sink_.setParameters(parameters); }
  void append(const TaskCall &call) override {
    progress_.step(&call.taskClass);
    sink_.append(call);
  }
  void release(const TileRef &tile) override { sink_.release(tile); }
  void send(const TileRef &tile, int destination, int priority) override {
    progress_.step(nullptr);
    sink_.send(tile, destination, priority);
  }
  void receive(const TileRef &tile, int source, int priority) override {
    progress_.step(nullptr);
    sink_.receive(tile, source, priority);
  }
  bool stopped() const override { return progress_.stopped() || sink_.stopped(); }

private:
  TaskSink &sink_;
  LoopProgress &progress_;
};

/// loops(generator) for a sink; watched if there is somebody to tell.
template <typename Loops> void runLoops(TaskSink &sink, LoopProgress *progress, Loops loops) {
  std::optional<WatchedLoops> watched;
  if (progress)
    watched.emplace(sink, *progress);
  Generator generator(watched ? *watched : sink);
  loops(generator);
}

} // namespace tla::runtime
