#include "runtime/core/passes/loop_watch.hpp"

#include <chrono>
#include <system_error>

namespace tla::runtime {

LoopWatch::LoopWatch(const LoopLimit &limit) : limit_(limit) {
  if (limit.seconds <= 0)
    return;
  try {
    thread_ = Thread([this] { watch(); });
  } catch (const std::system_error &) {
  }
}

LoopWatch::~LoopWatch() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_one();
}

/// Counts looks, and not time: a process that was stopped, or had no core, has not stood still meanwhile.
void LoopWatch::watch() {
  constexpr int looks = 10;
  const std::chrono::duration<double> interval(limit_.seconds / looks);
  std::uint64_t seen = progress_.steps();
  int still = 0;
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, interval, [this] { return over_; })) {
    const std::uint64_t now = progress_.steps();
    still = now == seen ? still + 1 : 0;
    seen = now;
    if (still == looks)
      limit_.passed(progress_.text());
  }
}

} // namespace tla::runtime
