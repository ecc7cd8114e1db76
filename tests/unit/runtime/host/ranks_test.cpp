#include "runtime/host/ranks/rank_statistics.hpp"
#include "runtime/host/ranks/ranks.hpp"
#include "runtime/program/identity.hpp"
#include "tests/unit/runtime/host/on_ranks.hpp"
#include "tests/unit/runtime/host/test_algorithms.hpp"

#include <gtest/gtest.h>

namespace tla::host {
namespace {
using Strings = std::vector<std::string>;

TEST(Ranks, Collectives) {
  test::onRanks(3, [](Ranks &ranks) {
    std::vector<double> values{1.0 + ranks.rank(), 10};
    ranks.sum(values);
    EXPECT_EQ(values, (std::vector<double>{6, 30}));
    EXPECT_EQ(ranks.largest(ranks.rank()), 2);
    EXPECT_EQ(ranks.broadcast(ranks.first() ? std::string("a\0b", 3) : "other"), std::string("a\0b", 3));
    EXPECT_EQ(ranks.exchange(std::string(ranks.rank(), ':')), (Strings{"", ":", "::"}));
    EXPECT_TRUE(ranks.allEqual("the same"));
    EXPECT_FALSE(ranks.allEqual(ranks.rank() == 1 ? "another" : "the same"));
    EXPECT_EQ(ranks.gather("x"), ranks.first() ? Strings(3, "x") : Strings());
    const Neighbours neighbours = findNeighbours(ranks);
    EXPECT_EQ(neighbours.first, 0);
    EXPECT_EQ(neighbours.onMachine, 3);
    EXPECT_EQ(neighbours.onTheseCores, 3);
  });
}

TEST(Ranks, OneAlone) {
  Ranks ranks;
  std::vector<double> values{1};
  ranks.sum(values);
  EXPECT_EQ(values[0], 1);
  EXPECT_EQ(ranks.exchange("a"), Strings{"a"});
  EXPECT_TRUE(ranks.allEqual("a"));
  EXPECT_EQ(ranks.settle({2, "b"}).message, "b");
  EXPECT_TRUE(ranks.first());
}

/// The failure meets the others whatever collective they are in.
TEST(Ranks, AFailureMeetsTheOthersInTheirNextCollective) {
  for (int collective = 0; collective < 6; ++collective)
    test::onRanks(4, [&](Ranks &ranks) {
      Failure found;
      try {
        if (ranks.rank() >= 2)
          found = ranks.settle({ranks.rank(), "no luck"});
        else if (collective == 0)
          ranks.agree();
        else if (collective == 1)
          ranks.largest(7);
        else if (collective == 2)
          ranks.broadcast("text");
        else if (collective == 3)
          ranks.exchange("more text");
        else if (collective == 4)
          ranks.gather("even more");
        else
          ranks.allEqual("still more");
      } catch (const RankFailure &failure) {
        found = failure;
      }
      EXPECT_EQ(found.code, 2);
      EXPECT_EQ(found.message, "rank 2: no luck");
    });
}

TEST(Ranks, TheFirstRankNeedNotBeNamed) {
  test::onRanks(2, [](Ranks &ranks) {
    EXPECT_EQ(ranks.settle({3, "both"}).message, "both");
    EXPECT_EQ(ranks.settle({ranks.rank() == 1 ? 130 : 0, "interrupted"}).message, "interrupted") << "a signal";
  });
}

TEST(Identity, WhatDiffers) {
  const auto options = [](const Strings &list) {
    std::vector<const char *> argv{"program"};
    for (const std::string &option : list)
      argv.push_back(option.c_str());
    return traitsOf(test::cholesky<double>(), static_cast<int>(argv.size()), argv.data());
  };
  EXPECT_EQ(difference(1, options({"-n", "5"}), options({"-n", "5"})), "");
  EXPECT_EQ(difference(2, options({"-n", "5", "--json"}), options({"-n", "50", "--json"})),
            "rank 2 has other options than rank 0: '-n 5' instead of '-n 50'");
  EXPECT_EQ(difference(1, options({"-n", "5"}), options({"-n", "5", "--json"})),
            "rank 1 has other options than rank 0: nothing instead of '--json'");
  EXPECT_EQ(difference(1, {{"program", "a"}}, {{"program", "b"}}),
            "rank 1 has another program than rank 0: a instead of b");
  test::onRanks(3, [&](Ranks &ranks) {
    const std::vector<Trait> mine{{"program", "p"}, {"options", ranks.rank() == 2 ? "1:x" : ""}};
    EXPECT_EQ(test::usageError([&] { requireSameTraits(ranks, mine); }),
              "rank 2 has other options than rank 0: 'x' instead of nothing");
  });
}

TEST(Identity, RanksAreComparedWithTheirKind) {
  test::onRanks(4, [](Ranks &ranks) {
    const std::string kind = ranks.rank() % 2 ? "fast" : "slow", even = ranks.rank() % 2 ? "10:8" : "1:1";
    EXPECT_NO_THROW(requireSameTraits(ranks, {{"share", even}}, kind));
    const std::vector<Trait> odd{{"share", ranks.rank() == 3 ? "10:5" : even, "measure again"}};
    EXPECT_EQ(test::usageError([&] { requireSameTraits(ranks, odd, kind); }),
              "rank 3 has another share than rank 1: 10:5 instead of 10:8; measure again");
  });
}

TEST(RankStatistics, AddUp) {
  test::onRanks(2, [](Ranks &ranks) {
    runtime::Statistics mine;
    mine.tasks = 3;
    mine.seconds = ranks.rank() + 1;
    mine.transfers = {1, 100, 2, 200};
    mine.busy = {0.5};
    mine.classes = {{"gemm", "a:1", 3, 0.5, 7}};
    if (!ranks.first())
      mine.classes.insert(mine.classes.begin(), {"potrf", "a:0", 1, 1, 1});
    mine.trace = {{static_cast<std::uint32_t>(ranks.rank()), 0, 1, 2, 3, 0, 1}};
    const std::vector<runtime::Statistics> all = gatherStatistics(mine, ranks);
    ASSERT_EQ(all.size(), ranks.first() ? 2u : 0u);
    if (!ranks.first())
      return;
    const runtime::Statistics total = totalOf(all);
    EXPECT_EQ(total.tasks, 6u);
    EXPECT_EQ(total.seconds, 2);
    EXPECT_EQ(total.transfers.receivedBytes, 400u);
    ASSERT_EQ(total.classes.size(), 2u);
    EXPECT_EQ(total.classes[0].kernel, "gemm");
    EXPECT_EQ(total.classes[0].tasks, 6u);
    ASSERT_EQ(total.trace.size(), 2u);
    EXPECT_EQ(total.trace[1].taskClass, 0u) << "rank 1 counts its classes differently";
    EXPECT_EQ(total.trace[1].worker, 1u) << "workers are numbered through";
  });
}

} // namespace
} // namespace tla::host
