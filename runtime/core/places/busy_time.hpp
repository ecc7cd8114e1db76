// For how long somebody who does several things at once did anything.
#pragma once

#include "runtime/threads/clock.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <iterator>

namespace tla::runtime {

/// The length of the union of intervals, told in the order of their ends, up to what clocks differ by. In ticks: what
/// a tick is in seconds is known the better the later, and times since the counter's start said in seconds would move
/// against each other by more than a run takes.
class BusyTime {
public:
  void add(Ticks begin, Ticks end) {
    end = std::max(begin, end);
    auto later = last_.end(); // intervals from here on lie behind the new one
    while (later != last_.begin() && std::prev(later)->begin >= end)
      --later;
    auto first = later; // those from here to later meet it: one takes the place of all
    Ticks known = 0;
    Interval all{begin, end};
    while (first != last_.begin() && std::prev(first)->end > begin) {
      --first;
      known += first->end - first->begin;
      all = {std::min(all.begin, first->begin), std::max(all.end, first->end)};
    }
    total_ += all.end - all.begin - known;
    last_.insert(last_.erase(first, later), all);
    if (last_.size() > remembered)
      last_.pop_front();
  }
  Ticks total() const { return total_; }

private:
  struct Interval {
    Ticks begin, end;
  };
  /// The number of intervals that are remembered: an older one cannot reach into a new one, as fewer are under way at a
  /// time.
  static constexpr std::size_t remembered = 256;
  std::deque<Interval> last_; // disjoint, in their order
  Ticks total_ = 0;
};

} // namespace tla::runtime
