#include "tools/tuner/timing.hpp"

#include <gtest/gtest.h>

using namespace hetc::tuning;

namespace {
/// Rounds that take these seconds, the last one again and again.
std::function<double()> rounds(std::vector<double> seconds) {
  return [seconds, next = std::size_t(0)]() mutable {
    const double result = seconds[next];
    next = std::min(next + 1, seconds.size() - 1);
    return result;
  };
}
} // namespace

TEST(Timing, IsTheMedianWithoutTheFirstRound) {
  TimingRules rules;
  rules.minRounds = rules.maxRounds = 5;
  const Timing timing = timeRounds(rounds({100, 1, 5, 2, 4, 3}), rules);
  EXPECT_EQ(timing.rounds, 5);
  EXPECT_DOUBLE_EQ(timing.seconds, 3);
  EXPECT_DOUBLE_EQ(timing.spread, 2.0 / 3);
  EXPECT_FALSE(timing.abandoned);
}

TEST(Timing, StopsWhenItTookLongEnough) {
  TimingRules rules;
  rules.minRounds = 3;
  rules.enoughSeconds = 10;
  EXPECT_EQ(timeRounds(rounds({1, 2}), rules).rounds, 5);
  EXPECT_EQ(timeRounds(rounds({1, 20}), rules).rounds, 3);
}

TEST(Timing, WhatIsClearlySlowerIsAbandoned) {
  TimingRules rules;
  rules.toBeat = 1;
  rules.hopeless = 1.25;
  const Timing slow = timeRounds(rounds({1, 1.3, 1.4}), rules);
  EXPECT_TRUE(slow.abandoned);
  EXPECT_EQ(slow.rounds, 2);
  const Timing slowest = timeRounds(rounds({2.6}), rules);
  EXPECT_TRUE(slowest.abandoned);
  EXPECT_EQ(slowest.rounds, 1);
  EXPECT_FALSE(timeRounds(rounds({2.4, 1.2}), rules).abandoned);
}

TEST(Timing, InterleavedRoundsTakeTurns) {
  std::vector<char> order;
  const auto mark = [&](char name) {
    return [&order, name] {
      order.push_back(name);
      return 1.0;
    };
  };
  const auto timings = timeInterleaved({mark('a'), mark('b')}, 2);
  EXPECT_EQ(order, (std::vector<char>{'a', 'b', 'a', 'b', 'a', 'b'}));
  EXPECT_EQ(timings.at(1).rounds, 2);
}
