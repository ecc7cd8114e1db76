// Whose turn it is to call MPI.
#pragma once

#include <atomic>
#include <mutex>
#include <sched.h>

namespace tla::runtime {

/// A lock for one thread at a time that calls MPI again and again, by lock(), and one that needs it once in a while, by
/// lockSoon(): a mutex alone would let the first take it again before the second has come to it.
///
/// Invariant: who holds lock_ is the one thread inside MPI (MPI_THREAD_SERIALIZED), except abort(). While wanted_ is
/// set the other thread is on its way to lock_ and running, and no lock() begins; it clears wanted_ when it holds it.
class Turn {
public:
  void lock() {
    while (wanted_.load(std::memory_order_relaxed)) // only who comes first depends on it: lock_ orders what is done
      sched_yield();
    lock_.lock();
  }
  void lockSoon() {
    wanted_.store(true, std::memory_order_relaxed);
    while (!lock_.try_lock())
      sched_yield();
    wanted_.store(false, std::memory_order_relaxed);
  }
  void unlock() { lock_.unlock(); }

private:
  std::mutex lock_;
  std::atomic<bool> wanted_{false};
};

} // namespace tla::runtime
