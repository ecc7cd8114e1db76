#include "runtime/device/emulated/stream.hpp"

#include <algorithm>
#include <sys/prctl.h>

namespace tla::runtime {

Stream::~Stream() {
  {
    const std::lock_guard guard(mutex_);
    quit_ = true;
  }
  filled_.notify_one();
  thread_.join();
}

void Stream::submit(Work work, Report report) {
  {
    const std::lock_guard guard(mutex_);
    queue_.push_back({std::move(work), std::move(report), Clock::now(), FloatingPointModes::ofThisThread()});
  }
  filled_.notify_one();
}

bool Stream::take(Item &item) {
  std::unique_lock guard(mutex_);
  filled_.wait(guard, [this] { return quit_ || !queue_.empty(); });
  if (queue_.empty())
    return false;
  item = std::move(queue_.front());
  queue_.pop_front();
  return true;
}

void Stream::loop() {
  prctl(PR_SET_TIMERSLACK, 1000UL, 0, 0, 0); // delays of microseconds
  Clock::time_point end{};
  for (Item item; take(item);) {
    const Clock::time_point begin = std::max(end, item.submitted);
    item.modes.apply();
    const auto least = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(item.work()));
    end = begin + least;
    if (const auto now = Clock::now(); now < end)
      std::this_thread::sleep_until(end);
    else
      end = now;
    item.report(std::chrono::duration<double>(end - begin).count());
  }
}

} // namespace tla::runtime
