// The host as a device: one ready queue for all computing threads of the process, and their sleep.
#pragma once

#include "runtime/core/schedule/memory_pool.hpp"
#include "runtime/core/schedule/ready_queue.hpp"
#include "runtime/core/schedule/scheduling.hpp"
#include "runtime/device/device.hpp"
#include "runtime/threads/clock.hpp"
#include "runtime/threads/park.hpp"

#include <atomic>
#include <memory>
#include <vector>

namespace tla::runtime {

class HostDevice final : public Device {
public:
  /// `spinSeconds`: how long a thread without work looks for some before it sleeps; 0 where threads share cores.
  HostDevice(int workers, double spinSeconds);

  const char *name() const override { return "host"; }
  void reserve(std::size_t tasks) override;
  void submit(Task *chain, int count) override;
  void *allocate(std::size_t bytes) override { return pool_.allocate(bytes); }
  void release(void *memory, std::size_t bytes) override { pool_.release(memory, bytes); }
  void copy(void *destination, const void *source, std::size_t bytes) override;

  const Scheduling &scheduling() const { return scheduling_; }

  /// Up to `limit` ready tasks for a worker of this affinity, as the policy chooses. Never waits. Wakes others when
  /// there are more.
  int take(Task **tasks, int limit, std::uint8_t affinity);
  /// Spins briefly, then sleeps, until there may be a ready task, `reason()` holds, or wake(worker) was called.
  /// `reason` must become true before the wake() that announces it. Returns whether the thread slept.
  template <typename Reason> bool idle(int worker, Reason reason) {
    return idle(worker, reason, [this](auto &come) { return spin(come); });
  }
  /// Does the same with something else to do before sleep in place of spinning: `meanwhile(come)` returns true as soon
  /// as it finds that come(), which says that one of the above holds, and false when the thread may sleep.
  template <typename Reason, typename Meanwhile> bool idle(int worker, Reason reason, Meanwhile meanwhile);
  void wake(int worker) { parkers_[worker].unpark(); }
  /// A few of those that sleep, who are to wake others in turn: there is something to do that is no task. Whoever has
  /// announced it is seen by their reason().
  void wakeSleepers();

  /// Whether threads without work do not spin, see the constructor.
  bool sharesCores() const { return spinTicks_ == 0; }
  /// Hints, exact only at rest: workers without work, key of the best ready task (0: none).
  int idleWorkers() const { return idle_.load(std::memory_order_relaxed); }
  std::uint64_t topKey() const { return topKey_.load(std::memory_order_relaxed); }
  /// Large tiles' memory becomes page-locked (MemoryPool::pinSlabs()).
  void pinTiles(Pinning pinning) { pool_.pinSlabs(std::move(pinning)); }
  std::string pinningProblem() { return pool_.pinningProblem(); }
  /// Between runs: gives tile memory back to the system, except what a run like the last one will ask for.
  void trim() { pool_.trimUnused(); }

private:
  template <typename Come> bool spin(Come &come);
  bool enlist(int worker);
  void delist(int worker);
  int chooseSleepers(int *chosen);
  void publishTop() { topKey_.store(queue_.topKey(), std::memory_order_relaxed); }

  // lock_ guards queue_ and sleepers_. A thread enlists as a sleeper only while the queue is empty, and whoever makes
  // it non-empty removes sleepers from the list under the same lock before waking them: no wake-up is lost and none is
  // given twice. topKey_ and idle_ are hints for code without the lock; whoever acts on them checks under it.
  alignas(64) SpinLock lock_;
  ReadyQueue queue_;
  std::vector<int> sleepers_; // last in, first woken: its caches are warm
  alignas(64) std::atomic<std::uint64_t> topKey_{0};
  alignas(64) std::atomic<int> idle_{0};
  std::atomic<int> spinning_{0};

  const Scheduling scheduling_;
  const Ticks spinTicks_;
  std::unique_ptr<Parker[]> parkers_;
  MemoryPool pool_;
};

template <typename Come> bool HostDevice::spin(Come &come) {
  bool found = false;
  spinning_.fetch_add(1, std::memory_order_relaxed);
  for (const Ticks begin = Clock::now(); !found && Clock::now() - begin < spinTicks_; spinHint())
    found = come();
  spinning_.fetch_sub(1, std::memory_order_relaxed);
  return found;
}

template <typename Reason, typename Meanwhile> bool HostDevice::idle(int worker, Reason reason, Meanwhile meanwhile) {
  auto come = [this, &reason] { return topKey() != 0 || reason(); };
  idle_.fetch_add(1, std::memory_order_relaxed);
  bool slept = false;
  if (!meanwhile(come) && enlist(worker)) {
    // A wake() between this check and park() leaves its token with the parker.
    if (!reason()) {
      parkers_[worker].park();
      slept = true;
    }
    delist(worker);
  }
  idle_.fetch_sub(1, std::memory_order_relaxed);
  return slept;
}

} // namespace tla::runtime
