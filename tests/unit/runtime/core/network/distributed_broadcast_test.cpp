// Trees of messages: a version that many ranks read leaves its origin a few times only, and all else is as without.
#include "runtime/core/network/broadcast.hpp"
#include "runtime/core/network/message_tag.hpp"
#include "tests/unit/runtime/core/network/broadcast_tasks.hpp"
#include "tests/unit/runtime/core/ranks.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <set>
#include <string>

using namespace tla;
using namespace tla::runtime;
using namespace tla::test;

namespace {

TEST(Broadcast, BranchesShareAllAndStayInOrder) {
  for (const int count : {1, 4, 5, 7, 63, 1000})
    for (const std::size_t fanOut : {1u, 2u, 4u, 2000u}) {
      std::vector<int> inOrder(count);
      for (int i = 0; i < count; ++i)
        inOrder[i] = i;
      std::multiset<int> seen;
      for (const std::vector<int> &branch : branches(inOrder, fanOut)) {
        EXPECT_TRUE(std::is_sorted(branch.begin(), branch.end()));
        seen.insert(branch.begin(), branch.end());
      }
      EXPECT_EQ(seen, std::multiset<int>(inOrder.begin(), inOrder.end()));
    }
  EXPECT_EQ(branches(std::vector{0, 1, 2, 3, 4, 5, 6}, 4),
            (std::vector<std::vector<int>>{{0, 4}, {1, 5}, {2, 6}, {3}}));
}

TEST(Broadcast, TagsAndDelegationsSurviveTheWay) {
  for (const MessageTag tag : {MessageTag{true, false, true, 511, 262143}, MessageTag{false, true, false, 0, 7},
                               MessageTag::ofForwarded(MessageTag::numbers - 1, true)}) {
    EXPECT_LT(tag.encode(), Transport::tags);
    const MessageTag read = MessageTag::decode(tag.encode());
    EXPECT_EQ(read.odd, tag.odd);
    EXPECT_EQ(read.forwarded, tag.forwarded);
    EXPECT_EQ(read.delegates, tag.delegates);
    EXPECT_EQ(read.label, tag.label);
    EXPECT_EQ(read.ordinal, tag.ordinal);
    EXPECT_EQ(read.number(), tag.number());
  }
  for (const std::uint32_t number : {0u, 511u, 512u, 1u << 18, MessageTag::numbers - 1})
    EXPECT_EQ(MessageTag::ofForwarded(number, false).number(), number);
  const ForwardedMessage message = ForwardedMessage::read(ForwardedMessage{5, 70000, 9}.text());
  EXPECT_EQ(message.number, 5u);
  EXPECT_EQ(message.origin, 70000u);
  EXPECT_EQ(message.ordinal, 9u);
}

TEST(Broadcast, DelegationsTakeAsManyMessagesAsTheyNeed) {
  for (const std::uint32_t count : {0u, 1u, 59u, 60u, 61u, 200u}) {
    std::vector<Addressee> behind, all;
    for (std::uint32_t i = 0; i < count; ++i)
      behind.push_back({i, 1000 * i});
    for (const std::string &text : Delegation::texts(70000, 9, behind)) {
      EXPECT_LE(text.size() + 8, Transport::controlBytes); // behind the header of every control message
      const Delegation read = Delegation::read(text);
      EXPECT_EQ(read.origin, 70000u);
      EXPECT_EQ(read.ordinal, 9u);
      all.insert(all.end(), read.behind.begin(), read.behind.end());
      EXPECT_EQ(read.following, count - all.size());
    }
    EXPECT_EQ(all, behind);
  }
}

/// Round after round: one rank's tile is written, and then read by all other ranks. Each rank's tile is its own. Task
/// number `at` throws.
void broadcasts(Generator &generator, Storage &storage, int rounds, int roots, int at = -1) {
  TileTable &table = generator.matrix(storage, "A");
  int number = 0;
  const auto append = [&](const std::vector<TileAccess> &accesses) {
    const int what = number++ == at ? Throw : accesses.size() == 1 ? Begin : Add;
    generator.append({add, 0, &what, 1, accesses.data(), static_cast<int>(accesses.size())});
  };
  for (int round = 0; round < rounds; ++round) {
    const int root = round % roots;
    append({{&table, root, 0, Access::ReadWrite}});
    for (int i = 0; i < storage.mt(); ++i)
      if (i != root)
        append({{&table, i, 0, Access::ReadWrite}, {&table, root, 0, Access::Read}});
  }
}

struct Result {
  std::vector<Outcome> outcomes;
  std::vector<double> content; ///< content of each rank

  std::uint64_t sum(std::uint64_t TransferCounts::*count) const {
    std::uint64_t total = 0;
    for (const Outcome &outcome : outcomes)
      total += outcome.statistics.transfers.*count;
    return total;
  }
};

Result run(Ranks &ranks, int rounds, int roots, int at = -1) {
  Result result;
  result.content.resize(ranks.count());
  result.outcomes = ranks.run([&](int rank, Executor &executor) {
    executor.distribute(Distribution::blockCyclic(ranks.count(), 1));
    Storage storage(ranks.count() * nb, nb, nb, nb, sizeof(double), Shape::General);
    storage.allocate([&](int i, int) { return i == rank; });
    double &mine = *static_cast<double *>(storage.tile(rank, 0));
    mine = rank;
    const Outcome outcome =
        executor.run([&](Generator &generator) { broadcasts(generator, storage, rounds, roots, at); });
    result.content[rank] = mine;
    return outcome;
  });
  return result;
}

/// The expected content, computed without ranks.
std::vector<double> serial(int ranks, int rounds, int roots) {
  std::vector<double> content(ranks);
  for (int i = 0; i < ranks; ++i)
    content[i] = i;
  for (int round = 0; round < rounds; ++round) {
    double &root = content[round % roots];
    root = 3 * root + 1;
    for (double &other : content)
      if (&other != &root)
        other = 3 * other + 1 + root;
  }
  return content;
}

TEST(Broadcast, LeavesTheOriginOnceForEachBranch) {
  for (const auto &[fanOut, sent] : {std::pair{1, 1u}, {2, 2u}, {4, 4u}, {7, 7u}, {100, 7u}}) {
    SCOPED_TRACE("fan-out " + std::to_string(fanOut));
    Ranks ranks(8, {.threads = 1, .fanOut = fanOut});
    const Result one = run(ranks, 1, 1);
    EXPECT_EQ(one.content, serial(8, 1, 1));
    const TransferCounts &origin = one.outcomes[0].statistics.transfers;
    EXPECT_EQ(origin.messages, 7u); // what the program asks for
    EXPECT_EQ(origin.bytes, 7 * nb * nb * sizeof(double));
    EXPECT_EQ(origin.messages - origin.delegated, sent);
    EXPECT_EQ(origin.forwarded, 0u);
    EXPECT_EQ(one.sum(&TransferCounts::forwarded), origin.delegated);
    EXPECT_EQ(one.sum(&TransferCounts::forwardedBytes), origin.delegatedBytes);
    EXPECT_EQ(origin.delegatedBytes, origin.delegated * nb * nb * sizeof(double));
    for (int rank = 1; rank < 8; ++rank)
      EXPECT_EQ(one.outcomes[rank].statistics.transfers.received, 1u) << rank;
  }
}

TEST(Broadcast, UsualTreesAreNarrowAmongManyRanks) {
  for (const auto &[count, sent] : {std::pair{8, 4u}, {24, 2u}}) {
    Ranks ranks(count, {.threads = 1});
    const TransferCounts origin = run(ranks, 1, 1).outcomes[0].statistics.transfers;
    EXPECT_EQ(origin.messages - origin.delegated, sent);
  }
}

/// More addressees than one control message has room for.
TEST(Broadcast, ReachesAnyNumberOfRanks) {
  for (const int fanOut : {1, 2}) {
    Ranks ranks(80, {.threads = 1, .fanOut = fanOut});
    const Result one = run(ranks, 1, 1);
    EXPECT_EQ(one.content, serial(80, 1, 1));
    EXPECT_EQ(one.outcomes[0].statistics.transfers.delegated, 79u - fanOut);
    EXPECT_EQ(one.sum(&TransferCounts::forwarded), 79u - fanOut);
  }
}

/// Two tiles of rank 0 are produced by one task and read by all others, again and again: how many sends are delegated.
std::uint64_t delegatedOfTwo(std::size_t forwardBytes, int rounds) {
  constexpr int count = 8;
  Ranks ranks(count, {.threads = 1, .forwardBytes = forwardBytes});
  std::uint64_t delegated = 0;
  for (const Outcome &outcome : ranks.run([&](int rank, Executor &executor) {
         executor.distribute(Distribution::blockCyclic(count, 1));
         Storage storage((count + 1) * nb, nb, nb, nb, sizeof(double), Shape::General);
         storage.allocate([&](int i, int) { return i % count == rank; });
         return executor.run([&](Generator &generator) {
           TileTable &table = generator.matrix(storage, "A");
           const int what = Add;
           for (int round = 0; round < rounds; ++round) {
             const TileAccess both[] = {{&table, 0, 0, Access::ReadWrite}, {&table, count, 0, Access::ReadWrite}};
             generator.append({add, 0, &what, 1, both, 2});
             for (int i = 1; i < count; ++i) {
               const TileAccess accesses[] = {
                   {&table, i, 0, Access::ReadWrite}, {&table, 0, 0, Access::Read}, {&table, count, 0, Access::Read}};
               generator.append({add, 0, &what, 1, accesses, 3});
             }
           }
         });
       }))
    delegated += outcome.statistics.transfers.delegated;
  return delegated;
}

TEST(Broadcast, TakesNoMoreMemoryOfOthersThanAllowed) {
  EXPECT_EQ(delegatedOfTwo(0, 5), 0u);
  EXPECT_EQ(delegatedOfTwo(nb * nb * sizeof(double) - 1, 5), 0u); // no relay has room for a copy
  EXPECT_EQ(delegatedOfTwo(1 << 20, 5), 5 * 6u);
}

class Broadcasts : public testing::TestWithParam<std::tuple<int, int, int>> {};

TEST_P(Broadcasts, OfOneTileAfterAnother) {
  const auto [count, fanOut, delay] = GetParam();
  std::uint64_t delegated = 0;
  for (const int window : {1, 3, 8192}) {
    Ranks ranks(count, {.threads = 1, .window = window, .watchdogSeconds = 20, .fanOut = fanOut},
                {.delay = std::chrono::microseconds(delay), .seed = 11});
    for (const int roots : {1, 3, count})
      for (const int rounds : {1, 12}) {
        SCOPED_TRACE(std::to_string(roots) + " roots, " + std::to_string(rounds) + " rounds, window " +
                     std::to_string(window));
        const Result all = run(ranks, rounds, roots);
        for (const Outcome &outcome : all.outcomes)
          ASSERT_EQ(outcome.kind, Outcome::Kind::Finished) << outcome.message;
        ASSERT_EQ(all.content, serial(count, rounds, roots));
        EXPECT_EQ(all.sum(&TransferCounts::messages), all.sum(&TransferCounts::received));
        EXPECT_EQ(all.sum(&TransferCounts::bytes), all.sum(&TransferCounts::receivedBytes));
        EXPECT_EQ(all.sum(&TransferCounts::delegated), all.sum(&TransferCounts::forwarded));
        EXPECT_EQ(all.sum(&TransferCounts::delegatedBytes), all.sum(&TransferCounts::forwardedBytes));
        delegated += all.sum(&TransferCounts::delegated);
      }
  }
  EXPECT_GT(delegated, 0u);
}

/// A relay without room for a copy declines, and the origin sends again: who gets what does not depend on it.
TEST_P(Broadcasts, WhereRelaysHaveRoomForOneOrTwoTiles) {
  const auto [count, fanOut, delay] = GetParam();
  for (const std::size_t tiles : {1u, 2u})
    for (const int window : {3, 8192}) {
      Ranks ranks(count,
                  {.threads = 1,
                   .window = window,
                   .watchdogSeconds = 20,
                   .fanOut = fanOut,
                   .forwardBytes = tiles * nb * nb * sizeof(double)},
                  {.delay = std::chrono::microseconds(delay), .seed = 3});
      const Result all = run(ranks, 2 * count, count);
      for (const Outcome &outcome : all.outcomes)
        ASSERT_EQ(outcome.kind, Outcome::Kind::Finished) << outcome.message;
      ASSERT_EQ(all.content, serial(count, 2 * count, count));
      EXPECT_EQ(all.sum(&TransferCounts::delegated), all.sum(&TransferCounts::forwarded));
      EXPECT_EQ(all.sum(&TransferCounts::delegatedBytes), all.sum(&TransferCounts::forwardedBytes));
      EXPECT_EQ(all.sum(&TransferCounts::messages), all.sum(&TransferCounts::received));
      for (int at = count; at < 2 * count; at += count - 1)
        for (const Outcome &outcome : run(ranks, 2 * count, count, at).outcomes)
          ASSERT_EQ(outcome.message, "the disk is full");
    }
}

/// A rank fails somewhere on the way: all end alike, and run again with nothing left over.
TEST_P(Broadcasts, EndTogetherWhenARankFails) {
  const auto [count, fanOut, delay] = GetParam();
  for (const int window : {3, 8192}) {
    Ranks ranks(count, {.threads = 1, .window = window, .watchdogSeconds = 20, .fanOut = fanOut},
                {.delay = std::chrono::microseconds(delay), .seed = 5});
    for (int at = 0; at < 8 * count; at += 3) {
      for (const Outcome &outcome : run(ranks, 8, count, at).outcomes) {
        ASSERT_EQ(outcome.kind, Outcome::Kind::Fault);
        ASSERT_EQ(outcome.message, "the disk is full");
      }
      ASSERT_EQ(run(ranks, 2, count).content, serial(count, 2, count)) << at;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ranks, Broadcasts,
                         testing::Combine(testing::Values(6, 12), testing::Values(1, 2, 4), testing::Values(0, 100)),
                         [](const auto &info) {
                           return std::to_string(std::get<0>(info.param)) + "x" +
                                  std::to_string(std::get<1>(info.param)) + "x" +
                                  std::to_string(std::get<2>(info.param)) + "us";
                         });

/// Rank 2 needs rank 1's result before rank 0's tile: were it the one to forward that to rank 1, both would wait for
/// ever. It shows where rank 2 has a window for one task only.
TEST(Broadcast, GoesFromEarlierToLaterReaders) {
  LocalNetwork network(3);
  std::vector<std::thread> ranks;
  for (int rank = 0; rank < 3; ++rank)
    ranks.emplace_back([&, rank] {
      Executor executor({.threads = 1,
                         .window = rank == 2 ? 1 : 100,
                         .pin = false,
                         .transport = &network.endpoint(rank),
                         .watchdogSeconds = 1,
                         .fanOut = 1});
      executor.distribute(Distribution::blockCyclic(3, 1));
      Storage storage(3 * nb, nb, nb, nb, sizeof(double), Shape::General);
      storage.allocate([&](int i, int) { return i == rank; });
      const Outcome outcome = executor.run([&](Generator &generator) {
        TileTable &table = generator.matrix(storage, "A");
        for (const auto &[to, from] : {std::pair{0, 0}, {1, 0}, {2, 1}, {2, 0}}) {
          const TileAccess accesses[] = {{&table, to, 0, Access::ReadWrite}, {&table, from, 0, Access::Read}};
          const int what = to == from ? Begin : Add;
          generator.append({add, 0, &what, 1, accesses, to == from ? 1 : 2});
        }
      });
      EXPECT_EQ(outcome.kind, Outcome::Kind::Finished) << outcome.message;
      EXPECT_EQ(outcome.statistics.transfers.delegated, rank == 0 ? 1u : 0u);
      EXPECT_EQ(outcome.statistics.transfers.forwarded, rank == 1 ? 1u : 0u);
    });
  for (std::thread &rank : ranks)
    rank.join();
}

/// A run that is stopped while messages are forwarded leaves none of them to the next run.
TEST(Broadcast, NothingOfAStoppedRunIsLeftOver) {
  Ranks ranks(6, {.threads = 1, .watchdogSeconds = 10, .fanOut = 1},
              {.delay = std::chrono::milliseconds(1), .promptControl = true, .seed = 2});
  for (int at = 1; at < 60; ++at) {
    for (const Outcome &outcome : run(ranks, 10, 1, at).outcomes)
      ASSERT_EQ(outcome.message, "the disk is full");
    ASSERT_EQ(run(ranks, 1, 1).content, serial(6, 1, 1)) << at;
  }
}

} // namespace
