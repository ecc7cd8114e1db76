// For how long somebody who does several things at once did anything.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>

namespace tla::runtime {

/// The length of the union of intervals, told in the order of their ends, up to what clocks differ by.
class BusyTime {
public:
  void add(double begin, double end) {
    end = std::max(begin, end);
    total_ += end - begin;
    while (!last_.empty() && last_.back().end > begin) {
      total_ -= std::min(last_.back().end, end) - std::max(last_.back().begin, begin);
      begin = std::min(begin, last_.back().begin);
      end = std::max(end, last_.back().end);
      last_.pop_back();
    }
    last_.push_back({begin, end});
    if (last_.size() > remembered)
      last_.pop_front();
  }
  double total() const { return total_; }

private:
  struct Interval {
    double begin, end;
  };
  /// None that was told so long ago reaches into a new one: fewer are under way at a time.
  static constexpr std::size_t remembered = 256;
  std::deque<Interval> last_; // disjoint, in their order
  double total_ = 0;
};

} // namespace tla::runtime
