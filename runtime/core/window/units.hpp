// Where ready tasks go: to the computing threads, to the network, to an accelerator.
#pragma once

#include "runtime/core/window/task.hpp"
#include "runtime/device/device.hpp"

#include <utility>
#include <vector>

namespace tla::runtime {

/// A unit other than the host: takes the tasks that are ready for it, of any thread that has a task of the run, and
/// completes each once, as a Device does (obligations 2 to 4 there).
class UnitSink {
public:
  /// Empties the chain.
  virtual void submit(Chain<Task> &tasks) = 0;

protected:
  ~UnitSink() = default;
};

/// The units of one executor, by Task::unit.
///
/// Invariant: units are added before the first run, and stay until the executor goes; so any thread reads this without
/// a lock. A task goes to a unit only where that was added: transfers exist with a courier, copies with accelerators.
class Units {
public:
  explicit Units(Device &host) : host_(host) {}
  void setNetwork(UnitSink &network) { network_ = &network; }
  /// Sets the sink of the next accelerator: place 1, 2, ...
  void addAccelerator(UnitSink &accelerator) { accelerators_.push_back(&accelerator); }

  bool hasNetwork() const { return network_; }
  Device &host() { return host_; }
  /// Empties the chain, also where it is empty already.
  void passTransfers(Chain<Task> &tasks) {
    if (tasks.head)
      network_->submit(tasks);
  }
  /// Tasks of all accelerators; empties the chain.
  void passAccelerated(Chain<Task> &tasks) {
    for (Task *task = std::exchange(tasks, {}).head; task;) {
      const std::uint8_t unit = task->unit;
      Chain<Task> same;
      while (task && task->unit == unit) {
        Task *const next = task->link;
        same.push(*task);
        task = next;
      }
      accelerators_[Unit::placeOf(unit) - 1]->submit(same);
    }
  }

private:
  Device &host_;
  UnitSink *network_ = nullptr;          ///< null on one rank
  std::vector<UnitSink *> accelerators_; // by place - 1
};

} // namespace tla::runtime
