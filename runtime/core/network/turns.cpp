#include "runtime/core/network/turns.hpp"

#include <algorithm>

namespace tla::runtime {

void Turns::submit(Chain<Task> &transfers) {
  submitted_.push(transfers);
  transfers = {};
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

/// To be asked after letting lock_ go.
bool Turns::leftBehind() const {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return !submitted_.empty();
}

/// The fence puts called_ before the look at parked_, as rest() puts its own mark before its last look: one of the two
/// sees the other.
void Turns::wake() {
  called_.store(true, std::memory_order_release);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (parked_.load(std::memory_order_relaxed))
    parker_.unpark();
}

bool Turns::rest(std::int64_t nanoseconds, bool othersLook) {
  constexpr std::int64_t behindALook = 50'000;
  parked_.store(true, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_seq_cst); // see wake()
  bool called = called_.load(std::memory_order_relaxed);
  if (othersLook)
    called |= parker_.parkFor(called ? std::min(nanoseconds, behindALook) : nanoseconds);
  else if (!called && submitted_.empty())
    called = parker_.parkFor(nanoseconds);
  parked_.store(false, std::memory_order_relaxed);
  return called;
}

} // namespace tla::runtime
