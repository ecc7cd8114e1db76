// Loops over several ranges at once, as the generators of nodes run them.
#pragma once

#include <climits>

namespace tla::runtime {

/// The values first, first + step, ... up to last; none unless `when`. step > 0.
struct Range {
  int first, last, step;
  bool when = true;
};

/// The values of all ranges in ascending order, each once. Below INT_MAX.
template <int N> class Ranges {
public:
  explicit Ranges(const Range (&ranges)[N]) {
    for (int r = 0; r < N; ++r) {
      ranges_[r] = ranges[r];
      if (!ranges[r].when || ranges[r].first > ranges[r].last)
        ranges_[r].first = INT_MAX;
    }
  }

  /// Goes to the next value, at first to the smallest; false behind the last.
  bool next() {
    int smallest = INT_MAX;
    for (Range &range : ranges_) {
      if (range.first == value_)
        range.first = range.last - value_ >= range.step ? value_ + range.step : INT_MAX;
      smallest = range.first < smallest ? range.first : smallest;
    }
    value_ = smallest;
    return value_ != INT_MAX;
  }
  int value() const { return value_; }
  /// Whether the present value is one of this range.
  bool in(int range) const { return ranges_[range].first == value_; }

private:
  Range ranges_[N]; ///< `first` is the next value, INT_MAX behind the last
  int value_ = INT_MIN;
};

} // namespace tla::runtime
