// A computing thread of the host ([Song12] 5.3): takes ready tasks, runs them, FIREs their successors.
#pragma once

#include "runtime/core/activity.hpp"
#include "runtime/core/completion.hpp"
#include "runtime/core/statistics.hpp"

#include <functional>

namespace tla::runtime {

/// The few tasks a worker has taken for itself, best last.
class Hand {
public:
  static constexpr int capacity = 16;
  bool empty() const { return size_ == 0; }
  int size() const { return size_; }
  Task *best() const { return size_ ? tasks_[size_ - 1] : nullptr; }
  Task *take() { return tasks_[--size_]; }
  /// Fills an empty hand; the tasks come best first.
  void fill(Task *const *tasks, int count) {
    while (size_ < count) {
      tasks_[size_] = tasks[count - 1 - size_];
      ++size_;
    }
  }
  void insert(Task *task) {
    int place = size_++;
    for (; place > 0 && tasks_[place - 1]->key > task->key; --place)
      tasks_[place] = tasks_[place - 1];
    tasks_[place] = task;
  }

private:
  Task *tasks_[capacity];
  int size_ = 0;
};

/// Worker 0 is the generating thread when it helps; the others are threads of the executor. Everything here belongs to
/// one thread; what is shared is in the engine.
class alignas(64) Worker {
public:
  Worker(Engine &engine, int number);

  /// Executes ready tasks until there are none, or `enough` are done; with `yielding` also as soon as another worker
  /// has nothing to do. Returns the number of tasks executed. Finished tasks may stay with the worker until flush().
  int work(int enough, bool yielding);
  /// The finished tasks go back to the window.
  void flush();
  /// The life of a thread of the executor.
  void loop(const std::atomic<bool> &quit);
  /// Sleeps until there may be something to do, or `reason()` holds: HostDevice::idle(). Looks at the network before.
  template <typename Reason> void idle(Reason reason) {
    const auto attend = [this](auto &come) { return attendNetwork([&come] { return come(); }); };
    if (engine_.courier ? engine_.host.idle(number_, reason, attend) : engine_.host.idle(number_, reason))
      statistics_.countSleep();
  }

  /// Tasks that worker 0 has completed in this run.
  std::size_t ownCompleted() const { return ownCompleted_; }
  WorkerStatistics &statistics() { return statistics_; }
  const RunningKernel &kernel() const { return kernel_; }
  void reset();

private:
  bool attendNetwork(const std::function<bool()> &come);
  bool refill();
  void execute(Task &task);
  void communicate();
  void runKernel(Task &task);
  int callKernel(const Task &task, const TaskView &view);
  bool provideMemory(Task &task);
  void placeReady();
  bool suitsMore(const Task &task, const Task &best) const;
  bool keep(Task *task, std::uint32_t topPriority);
  void submitHand();
  int batchLimit() const;
  void measure(Ticks end);

  Engine &engine_;
  const int number_;
  const std::uint8_t affinity_;
  const Ticks batchTicks_;
  Hand hand_;
  Completion completion_;    // its `ready`: made ready by the task just completed
  Ticks now_ = 0;            // the last task boundary
  Ticks last_ = 0, average_; // ticks per task: of the last one, of the recent ones
  std::size_t ownCompleted_ = 0;
  WorkerStatistics statistics_;
  RunningKernel kernel_;
};

} // namespace tla::runtime
