// Whose turn it is to look at the network.
#pragma once

#include "runtime/core/window/window.hpp"
#include "runtime/threads/clock.hpp"
#include "runtime/threads/park.hpp"

#include <atomic>
#include <mutex>
#include <utility>

namespace tla::runtime {

/// One thread looks at the network at a time, and does what is to be done for all: the courier's, which sleeps in
/// between, or another one in its place. Nobody waits for lock_, and nothing is left lying. Each of two threads changes
/// something, passes a seq_cst fence, and then looks at what the other changes; of the two fences one is the later in
/// their common order, and the thread that passes it sees the other's change (both may):
///
///   what must not be left      thread X                                thread Y
///   transfers submitted while  submit(): pushes onto submitted_        lets lock_ go
///   another thread looks       fence                                   fence: in leftBehind(), or in rest()
///                              tryLook(): lock_ is free, X takes them  submitted_ is not empty: Y looks again
///   a call: the transport has  wake(): sets called_                    rest(): sets parked_
///   got something, a worker    fence                                   fence
///   stops attending            parked_ is set: X unparks Y             called_ is set: Y does not park
///   the network, where others  is counted as idle, comes to attend()   attend(): lets attendant_ go
///   have no work either        fence                                   fence
///                              attendant_ is free, so X attends        others are idle: Y wakes the courier's thread
///
/// For instance, a worker that has finished potrf submits the send of A(0, 0) while the courier's thread is at a look.
/// It finds lock_ held, and takes its next task. The courier's thread lets lock_ go, sets parked_ in rest(), passes the
/// fence, sees the transfer and does not park: the message goes out in its next turn.
class Turns {
public:
  explicit Turns(double glanceSeconds) : glanceInterval_(Clock::ticks(glanceSeconds)) {}

  // Any thread.

  /// Transfers that are ready; empties the chain. Whoever submits comes to tryLook() after that.
  void submit(Chain<Task> &transfers);
  /// look(), which returns whether there may be more to look at, unless another thread is at it; and again as long as
  /// there may be, and transfers were submitted meanwhile.
  template <typename Look> void tryLook(Look look);
  /// Whether nobody has looked for the time of a glance. A hint.
  bool glanceIsDue(Ticks now) const {
    return static_cast<std::int64_t>(now - nextGlance_.load(std::memory_order_relaxed)) >= 0;
  }
  /// attend(), unless another thread attends: the courier's thread need not look meanwhile. Who counts as a worker
  /// without work does so before this, and wakes the courier's thread after it, if one is left.
  template <typename Attend> void attend(Attend attend);
  /// The courier's thread is to look soon, and sees then what the caller has done before.
  void wake();
  /// The same between runs, too, when it sleeps until this.
  void call() {
    called_.store(true, std::memory_order_release);
    parker_.unpark();
  }

  // Who holds the lock.

  Task *takeSubmitted() { return submitted_.takeAll(); }
  void noteLook(Ticks now) { nextGlance_.store(now + glanceInterval_, std::memory_order_relaxed); }

  // The courier's thread.

  /// Holds the lock unless another thread is at a look.
  std::unique_lock<TryLock> takeTurn() {
    std::unique_lock guard(lock_, std::try_to_lock);
    if (guard)
      called_.exchange(false, std::memory_order_acquire);
    attended_ = attendant_.held(); // behind that: who stops attending from now on calls again
    return guard;
  }
  /// When it came to take its turn somebody attended.
  bool attended() const { return attended_; }
  /// Sleeps for so long, unless there is something to do already, or until wake() or call(). Returns whether there was
  /// one of these since its last turn. `othersLook`: somebody else has the lock, and takes what is submitted; but what
  /// the thread was called for may be behind that look, so then it sleeps shortly.
  bool rest(std::int64_t nanoseconds, bool othersLook);
  /// Sleeps until call().
  void sleep() { parker_.park(); }

private:
  bool leftBehind() const;

  /// Held by whoever looks; it orders all calls of the transport during a run, and guards what the courier's parts say
  /// it does. Only tried, never waited for.
  TryLock lock_;
  /// Held by the thread that attends. Only tried.
  TryLock attendant_;
  /// Transfers on the way to whoever holds lock_. Push releases, takeAll acquires.
  ReturnStack<Task> submitted_;
  /// The courier's thread is in rest(), or about to sleep there. Between seq_cst fences: it or who wakes it sees the
  /// other.
  std::atomic<bool> parked_{false};
  /// The courier's thread has been called since its last turn: set by anyone; cleared by it alone, holding lock_,
  /// before it looks. So it does not go to sleep over what came in behind its look. Between the same fences as parked_;
  /// release and acquire where it is cleared.
  std::atomic<bool> called_{false};
  Parker parker_;                    ///< the courier's thread's
  std::atomic<Ticks> nextGlance_{0}; ///< relaxed: a hint
  const Ticks glanceInterval_;
  bool attended_ = false; ///< owned by the courier's thread
};

template <typename Look> void Turns::tryLook(Look look) {
  do {
    const std::unique_lock guard(lock_, std::try_to_lock);
    if (!guard || !look())
      return;
  } while (leftBehind());
}

template <typename Attend> void Turns::attend(Attend attend) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (const std::unique_lock attendant(attendant_, std::try_to_lock); attendant)
    attend();
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

} // namespace tla::runtime
