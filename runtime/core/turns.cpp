#include "runtime/core/turns.hpp"

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

/// The fence puts what the caller has changed before the look at parked_, as rest() puts its own mark before its last
/// look: one of the two sees the other.
void Turns::wake() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (parked_.load(std::memory_order_relaxed))
    parker_.unpark();
}

} // namespace tla::runtime
