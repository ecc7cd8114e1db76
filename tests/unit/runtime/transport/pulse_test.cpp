#include "runtime/transport/pulse.hpp"

#include "runtime/transport/mpi/deadline.hpp"

#include <gtest/gtest.h>

namespace tla::runtime {
namespace {

using namespace std::chrono_literals;

struct PulseOfNext : testing::Test {
  Pulse::Time now{};
  Pulse pulse{2, now};

  /// Looks every half second, the interval for 2 s; how often until the next rank is taken for dead, at most 100 times.
  int looksUntilDead(bool heard = false) {
    for (int looks = 1; looks <= 100; ++looks)
      if (pulse.look(now += 500ms, heard))
        return looks;
    return 0;
  }
};

TEST_F(PulseOfNext, ARankThatBeatsLives) {
  EXPECT_EQ(looksUntilDead(true), 0);
  EXPECT_EQ(pulse.silence().count(), 0);
}

TEST_F(PulseOfNext, ASilentOneIsDeadAfterItsTimeAndTheGrace) {
  EXPECT_EQ(looksUntilDead(), 13); // more than 2 s and 4 s
  EXPECT_EQ(pulse.silence().count(), 6.5);
}

TEST_F(PulseOfNext, ABeatBeginsTheTimeAnew) {
  for (int looks = 0; looks < 12; ++looks)
    EXPECT_FALSE(pulse.look(now += 500ms, false));
  EXPECT_FALSE(pulse.look(now += 500ms, true));
  EXPECT_EQ(looksUntilDead(), 13);
}

TEST_F(PulseOfNext, WhoStoodStillItselfTakesNobodyForDead) {
  EXPECT_FALSE(pulse.look(now += 1h, false));
  EXPECT_EQ(pulse.silence().count(), 1); // two intervals
  EXPECT_FALSE(pulse.look(now += 1h, true));
}

TEST(Pulse, BeatsOftenEnoughForTheTimeAndNoMore) {
  EXPECT_EQ(Pulse(60, {}).interval().count(), 1);
  EXPECT_EQ(Pulse(2, {}).interval().count(), 0.5);
  EXPECT_EQ(Pulse(0.001, {}).interval().count(), 0.05);
}

TEST(DeadlineDeathTest, EndsTheProcessWhenItPasses) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        const Deadline deadline(0.01, "rank 1 has waited for the others to start");
        for (;;)
          ::pause();
      },
      testing::ExitedWithCode(4),
      "hetc: rank 1 has waited for the others to start for 0.01 s: one of them stands still");
}

TEST(Deadline, ThatIsMetDoesNothing) { const Deadline deadline(600, "never said"); }

} // namespace
} // namespace tla::runtime
