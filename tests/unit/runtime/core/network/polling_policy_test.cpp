// When the courier's thread looks at the network: the rows of PollingPolicy's table.
#include "runtime/core/network/polling_policy.hpp"

#include <gtest/gtest.h>

using namespace tla::runtime;
using namespace std::chrono_literals;

namespace {

constexpr PollingPolicy::Nanoseconds us = 1'000, ms = 1'000'000;
constexpr PollingPolicy::Means polled{4, false, true, false};

TEST(PollingPolicy, LooksRarelyWhereOthersLook) {
  PollingPolicy policy(polled);
  EXPECT_EQ(policy.afterQuietLook({0us, 1, true}), 20 * ms);
  EXPECT_EQ(policy.whileOthersLook({0us, 1, true}), 20 * ms);
  EXPECT_EQ(policy.whileOthersLook({0us, 0, false}), 20 * ms);
}

TEST(PollingPolicy, LongestPauseSaysWhoNeedsThisRanksCalls) {
  EXPECT_EQ(PollingPolicy({4, false, false, false}).afterQuietLook({0us, 1, true}), 500 * us);
  EXPECT_EQ(PollingPolicy({4, false, true, true}).afterQuietLook({0us, 1, true}), 500 * us);
  EXPECT_EQ(PollingPolicy({4, true, false, true}).afterQuietLook({0us, 4, false}), 10 * ms);
}

TEST(PollingPolicy, YieldsForAMillisecondWhileNobodyComputes) {
  PollingPolicy policy(polled);
  EXPECT_EQ(policy.afterQuietLook({999us, 4, false}), PollingPolicy::yield);
  EXPECT_GT(policy.afterQuietLook({1ms, 4, false}), 0);
}

TEST(PollingPolicy, BeginsWithShortPausesAndDoublesThem) {
  PollingPolicy policy(polled);
  policy.woken();
  EXPECT_EQ(policy.afterQuietLook({1us, 1, false}), 2 * us);
  EXPECT_EQ(policy.afterQuietLook({4us, 1, false}), 4 * us);
  EXPECT_EQ(policy.afterQuietLook({8us, 1, false}), 8 * us);
  EXPECT_EQ(policy.afterQuietLook({15us, 1, false}), 2 * us) << "something has happened within the last two pauses";
}

TEST(PollingPolicy, ProlongsAWaitByATwoHundredthPart) {
  PollingPolicy policy(polled);
  const auto settled = [&policy](std::chrono::nanoseconds quiet) {
    PollingPolicy::Nanoseconds pause = 0;
    for (int look = 0; look < 20; ++look)
      pause = policy.afterQuietLook({quiet, 1, false});
    return pause;
  };
  EXPECT_EQ(settled(5ms), 50 * us);
  EXPECT_EQ(settled(1s), 5 * ms);
  EXPECT_EQ(settled(4s), 20 * ms);
  EXPECT_EQ(settled(60s), 20 * ms);
}

TEST(PollingPolicy, LeavesTheNetworkToWorkersThatCompute) {
  PollingPolicy policy(polled);
  policy.woken();
  PollingPolicy::Nanoseconds pause = 0;
  int looks = 0;
  for (; pause < 50 * us; ++looks)
    pause = policy.afterQuietLook({5ms, 0, false});
  EXPECT_EQ(pause, 20 * ms);
  EXPECT_EQ(looks, 6) << "2, 4, 8, 16, 32 us, and then the longest";
}

TEST(PollingPolicy, AWorkerLooksForAMillisecondAndFiftyTimes) {
  EXPECT_FALSE(PollingPolicy::endsAttendance(49, 1s));
  EXPECT_FALSE(PollingPolicy::endsAttendance(1000, 1ms));
  EXPECT_TRUE(PollingPolicy::endsAttendance(50, 1001us));
}

TEST(PollingPolicy, WaitsShortlyWhileOthersLookForAWorkerWithoutWork) {
  EXPECT_EQ(PollingPolicy(polled).whileOthersLook({0us, 1, false}), 50 * us);
}

} // namespace
