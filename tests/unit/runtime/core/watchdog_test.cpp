// The watchdog's rules, with a clock of the test's own: no time passes.
#include "runtime/core/network/watchdog.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

using namespace tla::runtime;

namespace {

/// A ring of ranks and a rank 0 that counts who is blocked, in simulated time.
class Ring {
public:
  struct Rank {
    Watchdog watchdog;
    Watchdog::State state;
    bool stopped = false; ///< does nothing, answers nobody
    bool left = false, idle = false, slow = false;
    bool asked = false; ///< has a question to answer
    Watchdog::End end = Watchdog::End::None;
  };

  Ring(int size, double seconds) {
    for (int rank = 0; rank < size; ++rank)
      ranks.push_back({Watchdog(seconds), {}});
    for (Rank &rank : ranks)
      rank.watchdog.begin(now);
  }
  Rank &operator[](int rank) { return ranks[rank]; }

  /// The time until a rank ends the run; nothing within `seconds`. Ranks in `busy` make progress.
  std::optional<double> run(double seconds, const std::vector<int> &busy = {}) {
    for (double passed = 0; passed < seconds; passed += step) {
      now += std::chrono::duration_cast<std::chrono::steady_clock::duration>(Watchdog::Seconds(step));
      for (const int rank : busy)
        ++ranks[rank].state.progress;
      for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        if (!ranks[rank].stopped && !ranks[rank].left)
          look(static_cast<int>(rank));
      for (const Rank &rank : ranks)
        if (rank.end != Watchdog::End::None)
          return passed + step;
    }
    return std::nullopt;
  }

  std::vector<Rank> ranks;
  int questions = 0;

private:
  static constexpr double step = 0.25;

  void look(int number) {
    Rank &rank = ranks[number];
    const int size = static_cast<int>(ranks.size());
    if (std::exchange(rank.asked, false))
      ranks[(number + size - 1) % size].watchdog.answered();
    const Watchdog::Advice advice = rank.watchdog.look(now, rank.state);
    rank.idle = (rank.idle || advice.idle) && !advice.active;
    rank.slow |= advice.slow;
    rank.end = advice.end;
    if (!advice.ask)
      return;
    ++questions;
    ranks[(number + 1) % size].asked = true;
  }

  Watchdog::Time now{};
};

constexpr double T = 60, grace = Watchdog::grace.count();

TEST(Watchdog, LeavesThoseAloneWhoAnswer) {
  Ring ring(5, T);
  EXPECT_FALSE(ring.run(1000, {0, 1, 2, 3, 4}));
  for (const Ring::Rank &rank : ring.ranks)
    EXPECT_FALSE(rank.idle);
  EXPECT_LE(ring.questions, 5 * 1001) << "one a second for each rank, whatever their number";
}

/// Any set of ranks but all, from any moment on: a living rank before each gap of them names the first of the gap.
TEST(Watchdog, NoticesAnySilentRanks) {
  const int size = 4;
  for (int silent = 1; silent < (1 << size) - 1; ++silent) {
    Ring ring(size, T);
    ASSERT_FALSE(ring.run(10, {0, 1, 2, 3}));
    for (int rank = 0; rank < size; ++rank)
      ring[rank].stopped = silent >> rank & 1;
    const std::optional<double> seconds = ring.run(200, {0, 1, 2, 3});
    ASSERT_TRUE(seconds) << silent;
    EXPECT_GT(*seconds, T);
    EXPECT_LE(*seconds, T + 7) << "and 3 s for the processes to end";
    bool any = false;
    for (int rank = 0; rank < size; ++rank)
      if (ring[rank].end != Watchdog::End::None) {
        any = true;
        EXPECT_EQ(ring[rank].end, Watchdog::End::Silent);
        EXPECT_TRUE(ring[(rank + 1) % size].stopped) << rank << " of " << silent;
      }
    EXPECT_TRUE(any);
  }
}

TEST(Watchdog, ForgivesRanksThatComeBackInTime) {
  Ring ring(3, T);
  for (int round = 0; round < 5; ++round) {
    ASSERT_FALSE(ring.run(5, {0, 1, 2}));
    ring[1].stopped = true;
    ASSERT_FALSE(ring.run(T, {0, 2}));
    ring[1].stopped = false;
  }
}

/// As when the whole job is suspended, or a laptop is closed.
TEST(Watchdog, DoesNotCountTheTimeItSlept) {
  Ring ring(3, T);
  ASSERT_FALSE(ring.run(5, {0, 1, 2}));
  for (Ring::Rank &rank : ring.ranks)
    rank.stopped = true;
  ASSERT_FALSE(ring.run(10000));
  for (Ring::Rank &rank : ring.ranks)
    rank.stopped = false;
  EXPECT_FALSE(ring.run(T - 5));
  for (const Ring::Rank &rank : ring.ranks)
    EXPECT_FALSE(rank.idle);
}

TEST(Watchdog, WaitsLongerForRanksThatHaveNotComeYet) {
  Ring ring(3, T);
  ring[2].stopped = true;
  ASSERT_FALSE(ring.run(9 * T, {0, 1}));
  ring[2].stopped = false;
  ASSERT_FALSE(ring.run(10, {0, 1, 2}));
  ring[2].stopped = true;
  EXPECT_LE(ring.run(10 * T, {0, 1}).value_or(9 * T), T + 7) << "now it had come";

  Ring other(3, T);
  other[2].stopped = true;
  EXPECT_TRUE(other.run(11 * T, {0, 1}));
  EXPECT_EQ(other[1].end, Watchdog::End::Absent);
}

TEST(Watchdog, DoesNotMissThoseWhoHaveLeft) {
  Ring ring(3, T);
  ASSERT_FALSE(ring.run(5, {0, 1, 2}));
  ring[1].left = true;
  ring[0].watchdog.left();
  EXPECT_FALSE(ring.run(20 * T, {0, 2}));
}

TEST(Watchdog, SaysWhoIsBlockedAndWhoNotAnyMore) {
  Ring ring(2, T);
  ASSERT_FALSE(ring.run(T - 1, {0}));
  EXPECT_FALSE(ring[1].idle);
  ASSERT_FALSE(ring.run(2, {0}));
  EXPECT_TRUE(ring[1].idle);
  EXPECT_FALSE(ring[0].idle);
  ASSERT_FALSE(ring.run(2, {1}));
  EXPECT_FALSE(ring[1].idle);
}

TEST(Watchdog, GivesRunningKernelsTenTimesAsLong) {
  Ring ring(2, T);
  ring[1].state.kernels = true;
  ASSERT_FALSE(ring.run(T + 1));
  EXPECT_TRUE(ring[0].idle);
  EXPECT_TRUE(ring[1].slow) << "but says what runs";
  ring[1].slow = false;
  ASSERT_FALSE(ring.run(9 * T - 2));
  EXPECT_FALSE(ring[1].slow) << "once";
  EXPECT_FALSE(ring[1].idle);
  ASSERT_FALSE(ring.run(2));
  EXPECT_TRUE(ring[1].idle);
}

TEST(Watchdog, EndsWhoeverDoesNotEnd) {
  Ring ring(2, T);
  ring[0].state.computing = false;
  for (Ring::Rank &rank : ring.ranks)
    rank.watchdog.blocked();
  const std::optional<double> seconds = ring.run(100);
  ASSERT_TRUE(seconds);
  EXPECT_GT(*seconds, grace);
  EXPECT_LE(*seconds, grace + 1);
  EXPECT_EQ(ring[1].end, Watchdog::End::Stuck);
  EXPECT_EQ(ring[0].end, Watchdog::End::None) << "the one that is stuck says so first";
  ring[1].stopped = true; // without a word
  ring[1].end = Watchdog::End::None;
  EXPECT_TRUE(ring.run(2));
  EXPECT_EQ(ring[0].end, Watchdog::End::Stuck) << "but nobody waits for that";
}

TEST(Watchdog, BeginsAnewWithEachRun) {
  Watchdog watchdog(T);
  watchdog.begin(Watchdog::Time());
  watchdog.blocked();
  watchdog.left();
  watchdog.begin(Watchdog::Time());
  const Watchdog::Advice advice = watchdog.look(Watchdog::Time() + std::chrono::seconds(1), {});
  EXPECT_TRUE(advice.ask);
  EXPECT_EQ(advice.end, Watchdog::End::None);
  EXPECT_FALSE(Watchdog(0).on());
}

} // namespace
