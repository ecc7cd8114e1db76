// A computing thread of the host ([Song12] 5.3): takes ready tasks, runs them, FIREs their successors.
#pragma once

#include "runtime/core/run/helper.hpp"
#include "runtime/core/schedule/activity.hpp"
#include "runtime/core/schedule/crew.hpp"
#include "runtime/core/schedule/hand.hpp"
#include "runtime/core/schedule/host_device.hpp"
#include "runtime/core/schedule/scheduling.hpp"
#include "runtime/core/schedule/statistics.hpp"
#include "runtime/core/window/completion.hpp"
#include "runtime/core/window/node_tasks.hpp"

#include <functional>

namespace tla::runtime {

class Courier;

/// Worker 0 is the generating thread when it helps; the others are threads of the executor. Everything here belongs to
/// one thread but what is borrowed.
class alignas(64) Worker final : public Helper {
public:
  /// `mayOpenCrews`: others may help with its kernels. `courier`: null on one rank.
  Worker(NodeTasks &tasks, HostDevice &host, CrewSlots &crews, bool mayOpenCrews, Courier *courier, int number);

  int work(int enough, bool yielding) override;
  void flush() override;
  /// Worker 0.
  void sleepUntilReturned(std::size_t count) override;
  std::size_t ownCompleted() const override { return ownCompleted_; }
  /// The life of a thread of the executor.
  void loop(const std::atomic<bool> &quit);
  /// Sleeps until there may be something to do, or `reason()` holds: HostDevice::idle(). Looks at the network before.
  /// Helps with the kernels of others as long as there is nothing else.
  template <typename Reason> void idle(Reason reason) {
    const auto attend = [this](auto &come) { return attendNetwork([&come] { return come(); }); };
    const auto isCalled = [this, &reason] { return reason() || crews_.anyOpen(); };
    if (courier_ ? host_.idle(number_, isCalled, attend) : host_.idle(number_, isCalled))
      statistics_.countSleep();
    if (!crews_.anyOpen())
      return;
    host_.wakeSleepers();
    crews_.help([this, &reason] { return hasTask() || reason(); });
  }

  WorkerStatistics &statistics() { return statistics_; }
  /// The crew of the thread, while it computes: CrewOfThread.
  WorkerCrew &crew() { return crew_; }
  const RunningKernel &kernel() const { return kernel_; }
  void reset();

private:
  bool hasTask();
  bool attendNetwork(const std::function<bool()> &come);
  bool refill();
  void execute(Task &task);
  void communicate();
  void runKernel(Task &task);
  int callKernel(Task &task, const TaskView &view);
  static int callGuarded(Task &task, const TaskView &view);
  bool provideMemory(Task &task);
  void placeReady();
  void submitHand();
  void measure(Ticks end);

  NodeTasks &tasks_;
  HostDevice &host_;
  CrewSlots &crews_;
  Courier *const courier_;
  const int number_;
  const std::uint8_t affinity_;
  const bool guards_; // kernels see guarded tiles
  Hand hand_;
  Scheduling::Pace pace_;
  Completion completion_; // its `ready`: made ready by the task just completed
  Ticks now_ = 0;         // the last task boundary
  bool begun_ = false;    // has had tasks of this run: the thread is in its caller's floating-point modes
  std::size_t ownCompleted_ = 0;
  WorkerStatistics statistics_;
  RunningKernel kernel_;
  WorkerCrew crew_;
};

} // namespace tla::runtime
