// Whose turn it is to look at the network, and that nothing is left lying.
#include "runtime/core/network/turns.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

using namespace tla::runtime;

namespace {

constexpr std::int64_t moment = 1'000, hour = 3600'000'000'000; // nanoseconds

TEST(Turns, OneLooksForAll) {
  Turns turns(50e-6);
  std::vector<Task> tasks(3);
  int looks = 0;
  const auto submit = [&](Task &task) {
    Chain<Task> chain;
    chain.push(task);
    turns.submit(chain);
    EXPECT_FALSE(chain.head);
  };
  std::vector<Task *> taken;
  submit(tasks[0]);
  turns.tryLook([&] {
    ++looks;
    for (Task *task = turns.takeSubmitted(); task; task = task->link)
      taken.push_back(task);
    if (looks < 3) { // somebody else submits, and finds that a look is on
      submit(tasks[looks]);
      turns.tryLook([] {
        ADD_FAILURE() << "two at a time";
        return false;
      });
    }
    return true;
  });
  EXPECT_EQ(looks, 3);
  EXPECT_EQ(taken, (std::vector<Task *>{&tasks[0], &tasks[1], &tasks[2]}));
}

/// As when the transport gets a message behind the look that would have found it.
TEST(Turns, WhoIsCalledDuringItsLookDoesNotSleep) {
  Turns turns(50e-6);
  {
    const auto turn = turns.takeTurn();
    ASSERT_TRUE(turn);
    turns.wake();
  }
  EXPECT_TRUE(turns.rest(moment, false));
  EXPECT_TRUE(turns.takeTurn());
  EXPECT_FALSE(turns.rest(moment, false)) << "it has looked since";
}

TEST(Turns, ACallStaysWhileAnotherThreadLooks) {
  Turns turns(50e-6);
  turns.wake();
  turns.tryLook([&] {
    EXPECT_FALSE(turns.takeTurn());
    EXPECT_TRUE(turns.rest(hour, true)) << "the other one may have looked before the call";
    return false;
  });
  EXPECT_TRUE(turns.rest(moment, false));
}

TEST(Turns, AttendedIsAsOfTheTurn) {
  Turns turns(50e-6);
  turns.attend([&] {
    EXPECT_TRUE(turns.takeTurn());
    EXPECT_TRUE(turns.attended());
    turns.attend([] { ADD_FAILURE() << "one at a time"; });
  });
  EXPECT_TRUE(turns.takeTurn());
  EXPECT_FALSE(turns.attended());
}

/// Would sleep for an hour if a call got lost.
TEST(Turns, LosesNoCall) {
  constexpr int calls = 20000;
  Turns turns(50e-6);
  std::atomic<int> called{0}, seen{0};
  std::thread courier([&] {
    while (seen.load() < calls) {
      if (const auto turn = turns.takeTurn())
        seen.store(called.load());
      if (seen.load() < calls)
        turns.rest(hour, false);
    }
  });
  for (int i = 1; i <= calls; ++i) {
    called.store(i);
    turns.wake();
    while (seen.load() < i)
      std::this_thread::yield();
  }
  courier.join();
}

} // namespace
