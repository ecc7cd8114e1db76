// Any program, any distribution, any number of ranks: bitwise the serial result, and each version to each node once.
#include "tests/unit/runtime/core/random_program.hpp"
#include "tests/unit/runtime/core/ranks.hpp"

#include <gtest/gtest.h>

using namespace tla;
using namespace tla::runtime;
using namespace tla::test;

namespace {
std::vector<Outcome> runOn(Ranks &ranks, const Program &program, const Distribution &distribution,
                           std::vector<std::unique_ptr<ProgramData>> &data) {
  data.clear();
  for (int rank = 0; rank < ranks.count(); ++rank) {
    data.push_back(std::make_unique<ProgramData>(program, false));
    data.back()->keepTilesOf(distribution, rank);
  }
  return ranks.run([&](int rank, Executor &executor) {
    executor.distribute(distribution);
    return executor.run([&](Generator &generator) { generate(program, *data[rank], generator); });
  });
}

std::vector<Element> serialResult(const Program &program) {
  ProgramData data(program, true);
  runSerially(program, data);
  return data.content();
}

struct Setting {
  int ranks, threads, fanOut;
};
class Distributed : public testing::TestWithParam<Setting> {};

TEST_P(Distributed, RandomProgramsEqualTheirSerialElision) {
  const auto [ranks, threads, fanOut] = GetParam();
  std::uint64_t messages = 0, allForwarded = 0;
  for (const int window : {1, 5, 8192}) {
    Ranks nodes(ranks, {.threads = threads, .window = window, .fanOut = fanOut},
                {.delay = std::chrono::microseconds(window == 5 ? 100 : 0), .seed = 7});
    for (int seed = 0; seed < seeds(40); ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed) + " window " + std::to_string(window));
      const Program program = makeProgram(seed, 20 + seed % 7 * 60);
      const Distribution distribution = randomTable(ranks, seed);
      std::vector<std::unique_ptr<ProgramData>> data;
      const std::vector<Outcome> outcomes = runOn(nodes, program, distribution, data);
      std::uint64_t sent = 0, received = 0, bytesSent = 0, bytesReceived = 0, tasks = 0;
      std::uint64_t delegated = 0, forwarded = 0, bytesDelegated = 0, bytesForwarded = 0;
      for (const Outcome &outcome : outcomes) {
        ASSERT_EQ(outcome.kind, Outcome::Kind::Finished) << outcome.message;
        sent += outcome.statistics.transfers.messages;
        received += outcome.statistics.transfers.received;
        bytesSent += outcome.statistics.transfers.bytes;
        bytesReceived += outcome.statistics.transfers.receivedBytes;
        delegated += outcome.statistics.transfers.delegated;
        forwarded += outcome.statistics.transfers.forwarded;
        bytesDelegated += outcome.statistics.transfers.delegatedBytes;
        bytesForwarded += outcome.statistics.transfers.forwardedBytes;
        tasks += outcome.statistics.tasks;
      }
      ASSERT_EQ(ProgramData::content(data, distribution), serialResult(program));
      EXPECT_EQ(tasks, program.tasks.size());
      EXPECT_EQ(sent, received);
      EXPECT_EQ(bytesSent, bytesReceived);
      EXPECT_EQ(delegated, forwarded);
      EXPECT_EQ(bytesDelegated, bytesForwarded);
      messages += sent;
      allForwarded += forwarded;
    }
  }
  EXPECT_TRUE(ranks == 1 || messages > 0);
  EXPECT_TRUE(ranks <= fanOut + 1 || allForwarded > 0);
}

INSTANTIATE_TEST_SUITE_P(Ranks, Distributed,
                         testing::Values(Setting{1, 2, 4}, Setting{2, 1, 4}, Setting{3, 2, 1}, Setting{5, 1, 2},
                                         Setting{8, 1, 1}, Setting{11, 1, 2}),
                         [](const auto &info) {
                           return std::to_string(info.param.ranks) + "x" + std::to_string(info.param.threads) +
                                  "FanOut" + std::to_string(info.param.fanOut);
                         });
} // namespace
