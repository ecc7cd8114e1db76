// Rates from repeated rounds: medians, how far they spread, and when more rounds are not worth it.
#pragma once

#include <functional>
#include <vector>

namespace hetc::tuning {

struct Timing {
  double seconds = 0; ///< median of the rounds
  double spread = 0;  ///< distance between the quartiles, relative to the median
  int rounds = 0;
  bool abandoned = false; ///< clearly slower than what was to be beaten; the rest is of few rounds
};

struct TimingRules {
  int minRounds = 5, maxRounds = 50;
  double enoughSeconds = 0.25; ///< no more rounds after this time, except minRounds
  double toBeat = 0;           ///< seconds of the best so far; 0: none
  /// There are no more rounds after the first one when it took twice this many times toBeat, or after the second when
  /// both took this many times toBeat.
  double hopeless = 1.25;
};

/// `round` does the work once and returns its seconds. The first round warms up and is not counted.
Timing timeRounds(const std::function<double()> &round, const TimingRules &rules);

/// Several works, round by round one after the other, so that what disturbs the machine disturbs all of them.
std::vector<Timing> timeInterleaved(const std::vector<std::function<double()>> &rounds, int count);

} // namespace hetc::tuning
