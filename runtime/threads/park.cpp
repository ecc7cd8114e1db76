#include "runtime/threads/park.hpp"

namespace tla::runtime {

void Parker::park() {
  // Only the owner moves Empty -> Parked, so the exchange below tells apart "a token was there" and "now we sleep".
  std::uint32_t seen = Empty;
  if (!state_.compare_exchange_strong(seen, Parked, std::memory_order_relaxed)) { // it was Token
    take();
    return;
  }
  do
    futexWait(state_, Parked);
  while (state_.load(std::memory_order_relaxed) == Parked);
  take();
}

bool Parker::parkFor(std::int64_t nanoseconds) {
  std::uint32_t seen = Empty;
  if (state_.compare_exchange_strong(seen, Parked, std::memory_order_relaxed))
    futexWaitFor(state_, Parked, nanoseconds);
  return state_.exchange(Empty, std::memory_order_acquire) == Token;
}

/// An exchange, not a store: an unpark() may renew the token after we saw it. Either it comes before the exchange,
/// which then acquires from it, or its own token stays.
void Parker::take() { state_.exchange(Empty, std::memory_order_acquire); }

void Parker::unpark() {
  if (state_.exchange(Token, std::memory_order_acq_rel) == Parked)
    futexWakeOne(state_);
}

void SpinLock::lockSlowly() {
  constexpr int tries = 64; // about 2 us: longer than any section that this lock guards, when the holder runs
  for (int i = 0; i < tries; ++i) {
    spinHint();
    std::uint32_t free = Free;
    if (state_.load(std::memory_order_relaxed) == Free &&
        state_.compare_exchange_weak(free, Held, std::memory_order_acquire, std::memory_order_relaxed))
      return;
  }
  // Having been here we cannot know whether others still sleep, so we hold it as Contended: unlock() wakes one.
  while (state_.exchange(Contended, std::memory_order_acquire) != Free)
    futexWait(state_, Contended);
}

} // namespace tla::runtime
