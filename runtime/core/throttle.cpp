#include "runtime/core/throttle.hpp"

#include <climits>

namespace tla::runtime {

Task *Throttle::helpUntilRoom() {
  ++windowFull_;
  Task *task = nullptr;
  helpUntil(WaitEvent::Reason::Window, [&] { return task = engine_.window.takeTask(); });
  return task;
}

Ticks Throttle::finish(std::size_t appended) {
  ready_.flush();
  const Ticks begin = engine_.now();
  while (appended != helper_.ownCompleted() + engine_.window.returned()) {
    const int done = helper_.work(INT_MAX, false);
    helper_.flush();
    if (!done)
      helper_.sleepUntilReturned(appended - helper_.ownCompleted());
  }
  const Ticks end = engine_.now();
  helping_ += end - begin;
  return end;
}

} // namespace tla::runtime
