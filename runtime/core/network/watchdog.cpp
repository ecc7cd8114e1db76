#include "runtime/core/network/watchdog.hpp"

#include <algorithm>
#include <utility>

namespace tla::runtime {

Watchdog::Seconds Watchdog::interval() const { return std::min(Seconds(1), limit_ / 4); }

void Watchdog::begin(Time now) {
  *this = Watchdog(limit_.count());
  last_ = now;
}

void Watchdog::advance(Time now) {
  seen_ += std::min<Seconds>(now - last_, 2 * interval());
  last_ = now;
}

Watchdog::Advice Watchdog::look(Time now, const State &state) {
  advance(now);
  Advice advice;
  judgeProgress(state, advice);
  judgeNext(advice);
  advice.end = end(state);
  return advice;
}

void Watchdog::judgeProgress(const State &state, Advice &advice) {
  if (state.progress != progress_) {
    progress_ = state.progress;
    progressAt_ = seen_;
    advice.active = std::exchange(idle_, false);
    slow_ = false;
  } else if (!idle_ && stillness() > (state.kernels ? patience * limit_ : limit_)) {
    advice.idle = idle_ = true;
  } else if (!idle_ && !slow_ && stillness() > limit_) {
    advice.slow = slow_ = true;
  }
}

void Watchdog::judgeNext(Advice &advice) {
  if (asked_ || !watching_ || (heard_ && seen_ - askedAt_ < interval()))
    return;
  advice.ask = asked_ = true;
  askedAt_ = seen_;
}

Watchdog::End Watchdog::end(const State &state) const {
  // The one that does not end is to say so before the others end it.
  if (blocked_ && seen_ - blockedAt_ > (state.computing ? grace : grace + Seconds(1)))
    return End::Stuck;
  if (!watching_ || silence() <= (heard_ ? limit_ : patience * limit_) + grace)
    return End::None;
  return heard_ ? End::Silent : End::Absent;
}

void Watchdog::answered() {
  asked_ = false;
  heard_ = true;
}

void Watchdog::blocked() {
  if (!blocked_)
    blockedAt_ = seen_;
  blocked_ = true;
}

} // namespace tla::runtime
