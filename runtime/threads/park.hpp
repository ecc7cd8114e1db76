// Where threads wait: a parking place per thread and a short lock; and a lock where nobody waits.
#pragma once

#include "runtime/threads/futex.hpp"

namespace tla::runtime {

/// The parking place of one thread: a binary semaphore. unpark() leaves a token; park() takes it, sleeping until there
/// is one. A token that nobody waited for is kept, so an unpark() between a thread's last check and its park() is never
/// lost: that is the whole argument against lost wake-ups. A stale token only makes one park() return early, so callers
/// loop.
///
/// Orders: unpark() releases, park() acquires: what happened before the unpark is seen after the park.
class alignas(64) Parker {
public:
  void park();
  /// Sleeps no longer than `nanoseconds`. True when there was a token.
  bool parkFor(std::int64_t nanoseconds);
  void unpark();

private:
  enum State : std::uint32_t { Empty, Token, Parked };
  void take();
  std::atomic<std::uint32_t> state_{Empty};
};

/// Mutual exclusion for sections of well under a microsecond: spins briefly, then sleeps, so that a holder that lost
/// its core is not waited for with another core.
class SpinLock {
public:
  void lock() {
    std::uint32_t free = Free;
    if (!state_.compare_exchange_strong(free, Held, std::memory_order_acquire, std::memory_order_relaxed))
      lockSlowly();
  }
  void unlock() {
    if (state_.exchange(Free, std::memory_order_release) == Contended)
      futexWakeOne(state_);
  }

private:
  enum State : std::uint32_t { Free, Held, Contended };
  void lockSlowly();
  std::atomic<std::uint32_t> state_{Free};
};

/// Mutual exclusion for work that whoever has the time does for all: who finds it held goes on, also its own holder.
class TryLock {
public:
  bool try_lock() { return !held_.load(std::memory_order_relaxed) && !held_.exchange(true, std::memory_order_acquire); }
  void unlock() { held_.store(false, std::memory_order_release); }
  bool held() const { return held_.load(std::memory_order_relaxed); }

private:
  std::atomic<bool> held_{false};
};

} // namespace tla::runtime
