#include "runtime/core/network/polling_policy.hpp"

#include <algorithm>

namespace tla::runtime {
namespace {

using Nanoseconds = PollingPolicy::Nanoseconds;
constexpr Nanoseconds shortestPause = 2'000;
constexpr Nanoseconds longestIdlePause = 50'000;             // while a worker has no work
constexpr Nanoseconds longestBusyPause = 500'000;            // for tasks longer than that; else workers look
constexpr Nanoseconds longestFreePause = 20 * 1'000'000;     // the same where others need no calls of this rank
constexpr Nanoseconds longestNotifiedPause = 10 * 1'000'000; // for the watchdog
constexpr int quietPauses = 200;                             // what a wait may be prolonged by: a part of so many

constexpr std::chrono::microseconds patience{1000}; // of polling without pause
constexpr int leastLooks = 50;

} // namespace

PollingPolicy::Nanoseconds PollingPolicy::longest() const {
  if (means_.notifies)
    return longestNotifiedPause;
  return means_.receiversMove && !means_.accelerators ? longestFreePause : longestBusyPause;
}

PollingPolicy::Nanoseconds PollingPolicy::afterQuietLook(const Sight &sight) {
  if (sight.attended || means_.notifies)
    return longest();
  if (sight.idle >= means_.threads && sight.quiet < patience)
    return yield;
  if (sight.idle > 0 && sight.quiet.count() < 2 * pause_)
    pause_ = shortestPause;
  else
    pause_ = std::min(2 * pause_,
                      std::clamp<Nanoseconds>(sight.quiet.count() / quietPauses, longestIdlePause, longestFreePause));
  return sight.idle == 0 && pause_ >= longestIdlePause ? longest() : pause_;
}

PollingPolicy::Nanoseconds PollingPolicy::whileOthersLook(const Sight &sight) const {
  return sight.attended || sight.idle == 0 ? longest() : longestIdlePause;
}

void PollingPolicy::woken() { pause_ = shortestPause / 2; }

bool PollingPolicy::endsAttendance(int looks, std::chrono::nanoseconds quiet) {
  return looks >= leastLooks && quiet > patience;
}

} // namespace tla::runtime
