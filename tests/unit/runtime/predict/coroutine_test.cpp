// Bodies on stacks of their own: their turns, their exceptions, and the variables of a thread that are theirs.
#include "runtime/predict/clock/coroutine.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <vector>

using namespace tla;
using namespace tla::runtime;

namespace {

TEST(Coroutine, PausesAndGoesOn) {
  std::vector<int> seen;
  Coroutine *self = nullptr;
  Coroutine one([&] {
    for (int i = 0; i < 3; ++i) {
      seen.push_back(i);
      self->pause();
    }
  });
  self = &one;
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(one.resume());
    seen.push_back(10 + i);
  }
  EXPECT_TRUE(one.resume());
  EXPECT_EQ(seen, (std::vector{0, 10, 1, 11, 2, 12}));
}

TEST(Coroutine, ThrowsToItsOwner) {
  Coroutine *self = nullptr;
  Coroutine one([&] {
    self->pause();
    throw std::runtime_error("of the body");
  });
  self = &one;
  EXPECT_FALSE(one.resume());
  EXPECT_THROW(one.resume(), std::runtime_error);
}

TEST(Coroutine, NeedNotBegin) {
  Coroutine one([] { FAIL() << "nobody has resumed it"; });
}

/// Bodies pause inside scopes and handlers, and find again what was theirs; the owner has its own all the time.
TEST(Coroutine, HasItsOwnScopesAndExceptions) {
  std::vector<std::unique_ptr<Coroutine>> all;
  constexpr int count = 3;
  for (int number = 0; number < count; ++number)
    all.push_back(std::make_unique<Coroutine>([&all, number] {
      const PeriodScope scope({number + 1, 1});
      for (int times = 0; times < 3; ++times)
        try {
          throw number;
        } catch (const int) {
          all[number]->pause();
          EXPECT_EQ(detail::periodInScope, (Period{number + 1, 1}));
          try {
            throw; // the one that this body handles
          } catch (const int mine) {
            EXPECT_EQ(mine, number);
          }
        }
    }));
  for (int times = 0; times < 4; ++times)
    for (const auto &each : all) {
      EXPECT_EQ(each->resume(), times == 3);
      EXPECT_EQ(detail::periodInScope, Period());
      EXPECT_EQ(std::current_exception(), nullptr);
    }
}

/// Ten thousand nodes have stacks at one time.
TEST(Coroutine, ThereAreThousands) {
  constexpr int count = 10'000;
  std::vector<std::unique_ptr<Coroutine>> all;
  int sum = 0;
  for (int number = 0; number < count; ++number)
    all.push_back(std::make_unique<Coroutine>([&, number] {
      all[number]->pause();
      ++sum;
    }));
  for (int times = 0; times < 2; ++times)
    for (const auto &each : all)
      each->resume();
  EXPECT_EQ(sum, count);
}

} // namespace
