#include "runtime/core/run/throttle.hpp"

#include <climits>

namespace tla::runtime {

Task *Throttle::helpUntilRoom() {
  ++windowFull_;
  Task *task = nullptr;
  helpUntil(WaitEvent::Reason::Window, [&] { return task = tasks_.window.takeTask(); });
  return task;
}

Ticks Throttle::finish(std::size_t appended) {
  ready_.flush();
  const Ticks begin = tasks_.record.now();
  while (!areComplete(appended)) {
    const int done = helper_.work(INT_MAX, false);
    helper_.flush();
    if (!done)
      helper_.sleepUntilReturned(appended - helper_.ownCompleted());
  }
  const Ticks end = tasks_.record.now();
  helping_ += end - begin;
  return end;
}

} // namespace tla::runtime
