#include "runtime/core/throttle.hpp"

#include <climits>

namespace tla::runtime {

Task *Throttle::helpUntilRoom() {
  ++windowFull_;
  Task *task = nullptr;
  helpUntil([&] { return task = engine_.window.takeTask(); });
  return task;
}

/// Until that many tasks have come back, or one is ready.
void Throttle::sleepUntilReturned(std::size_t count) {
  engine_.window.want(count);
  self_.idle([this, count] { return engine_.window.returned() >= count; });
  engine_.window.wantNothing();
}

Ticks Throttle::finish(std::size_t appended) {
  ready_.flush();
  const Ticks begin = Clock::now();
  while (appended != self_.ownCompleted() + engine_.window.returned()) {
    const int done = self_.work(INT_MAX, false);
    self_.flush();
    if (!done)
      sleepUntilReturned(appended - self_.ownCompleted());
  }
  const Ticks end = Clock::now();
  helping_ += end - begin;
  return end;
}

} // namespace tla::runtime
