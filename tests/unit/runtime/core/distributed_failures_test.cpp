// What several ranks promise when something goes wrong on one of them: all end with the same outcome, and can run
// again.
#include "tests/unit/runtime/core/ranks.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>

using namespace tla;
using namespace tla::runtime;
using namespace tla::test;

namespace {

constexpr int tiles = 6, nb = 2;

/// One rank's part of a matrix.
struct Grid {
  Grid(const Distribution &distribution, int rank)
      : storage(tiles * nb, tiles * nb, nb, nb, sizeof(double), Shape::General) {
    storage.allocate();
    for (int j = 0; j < tiles; ++j)
      for (int i = 0; i < tiles; ++i)
        if (distribution.node(i, j) == rank)
          std::fill_n(static_cast<double *>(storage.tile(i, j)), nb * nb, 0);
        else
          storage.setTile(i, j, nullptr);
  }
  Storage storage;
};

enum What { Work, Info, Throw, Wait };
std::atomic<bool> waiting;

const TaskClass act{"act", "program.tla:1",
                    [](const TaskView &task) {
                      switch (task.index(0)) {
                      case Info:
                        return 2;
                      case Throw:
                        throw std::runtime_error("the disk is full");
                      case Wait:
                        waiting = true;
                        while (waiting)
                          std::this_thread::yield();
                        return 0;
                      default:
                        *task.tile<double>(0).data() += *task.tile<double>(1).data() + 1;
                        return 0;
                      }
                    },
                    nullptr};

/// A long chain that goes round all tiles, each task reading the tile before; task number `at` does `what`.
void chain(Generator &generator, Storage &storage, int length, int at, int what) {
  TileTable &table = generator.matrix(storage, "A");
  const auto row = [](int t) { return t % tiles; };
  const auto column = [](int t) { return t / tiles % tiles; };
  for (int t = 1; t < length && !generator.stopped(); ++t) {
    const int now = t == at ? what : int(Work);
    const TileAccess accesses[] = {{&table, row(t), column(t), Access::ReadWrite},
                                   {&table, row(t - 1), column(t - 1), Access::Read}};
    generator.append({act, 0, &now, 1, accesses, 2});
  }
}

std::vector<Outcome> runChain(Ranks &ranks, const Distribution &distribution, int length, int at, int what) {
  return ranks.run([&](int rank, Executor &executor) {
    executor.distribute(distribution);
    Grid grid(distribution, rank);
    return executor.run([&](Generator &generator) { chain(generator, grid.storage, length, at, what); });
  });
}

class DistributedFailures : public testing::TestWithParam<int> {
protected:
  LocalNetwork::Options network() const { return {.delay = std::chrono::microseconds(GetParam()), .seed = 3}; }
};

TEST_P(DistributedFailures, EndOnAllRanksWithTheSameOutcome) {
  const Distribution distribution = Distribution::blockCyclic(2, 2);
  for (const int window : {1, 4, 8192}) {
    Ranks ranks(4, {.threads = 1, .window = window}, network());
    for (int at = 1; at < 400; at += 37) {
      for (const Outcome &outcome : runChain(ranks, distribution, 500, at, Info)) {
        EXPECT_EQ(outcome.kind, Outcome::Kind::Numerical);
        EXPECT_EQ(outcome.info, at / tiles % tiles * nb + 2);
        EXPECT_EQ(outcome.kernel, "act");
        EXPECT_EQ(outcome.location, "program.tla:1");
        EXPECT_EQ(outcome.matrix, "A");
        EXPECT_EQ(outcome.row, at % tiles);
        EXPECT_EQ(outcome.column, at / tiles % tiles);
      }
      for (const Outcome &outcome : runChain(ranks, distribution, 500, at, Throw)) {
        EXPECT_EQ(outcome.kind, Outcome::Kind::Fault);
        EXPECT_EQ(outcome.message, "the disk is full");
      }
      // The executors can be used again, also with messages of the ended run still on the way.
      for (const Outcome &outcome : runChain(ranks, distribution, 100, -1, Work))
        EXPECT_EQ(outcome.kind, Outcome::Kind::Finished) << outcome.message;
    }
  }
}

TEST_P(DistributedFailures, AnInterruptOfOneRankEndsAll) {
  Ranks ranks(3, {.threads = 2}, network());
  const Distribution distribution = Distribution::blockCyclic(3, 1);
  std::thread interrupter([&] {
    while (!waiting)
      std::this_thread::yield();
    ranks[1].interrupt();
    std::this_thread::sleep_for(std::chrono::milliseconds(5)); // the others may notice before the kernel ends, or not
    waiting = false;
  });
  for (const Outcome &outcome : runChain(ranks, distribution, 300, 50, Wait))
    EXPECT_EQ(outcome.kind, Outcome::Kind::Interrupted);
  interrupter.join();
}

INSTANTIATE_TEST_SUITE_P(Delay, DistributedFailures, testing::Values(0, 200),
                         [](const auto &info) { return std::to_string(info.param) + "us"; });

TEST(DistributedFailures, TheProgramsExceptionReachesEveryCaller) {
  Ranks ranks(2, {.threads = 1});
  const Distribution distribution = Distribution::blockCyclic(2, 1);
  std::atomic<int> caught = 0;
  ranks.run([&](int rank, Executor &executor) {
    executor.distribute(distribution);
    Grid grid(distribution, rank);
    try {
      return executor.run([&](Generator &generator) {
        chain(generator, grid.storage, 100, -1, Work);
        throw std::runtime_error("mine");
      });
    } catch (const std::runtime_error &error) {
      caught += error.what() == std::string("mine");
      return Outcome{};
    }
  });
  EXPECT_EQ(caught, 2);
}

/// Rank 1 runs another program: it sends what rank 0 does not expect, or does not send what it expects.
TEST(DistributedFailures, ProgramsThatDifferAreFound) {
  Ranks ranks(2, {.threads = 1, .watchdogSeconds = 0.2});
  const Distribution distribution = Distribution::blockCyclic(2, 1);
  testing::internal::CaptureStderr();
  const std::vector<Outcome> outcomes = ranks.run([&](int rank, Executor &executor) {
    executor.distribute(distribution);
    Grid grid(distribution, rank);
    return executor.run([&](Generator &generator) {
      TileTable &table = generator.matrix(grid.storage, "A");
      for (int t = 0; t < 5; ++t) {
        const int what = Work;
        const TileAccess accesses[] = {{&table, 0, 0, Access::ReadWrite}, {&table, 1, t + rank, Access::Read}};
        generator.append({act, 0, &what, 1, accesses, 2});
      }
    });
  });
  testing::internal::GetCapturedStderr();
  for (const Outcome &outcome : outcomes) {
    EXPECT_EQ(outcome.kind, Outcome::Kind::Fault);
    EXPECT_NE(outcome.message.find("rank 1 sent 32 bytes as message 0, expected were 32 bytes of tile A(1, 0)"),
              std::string::npos)
        << outcome.message;
  }
}

TEST(DistributedFailures, TheWatchdogSaysWhatIsBlocked) {
  Ranks ranks(2, {.threads = 1, .watchdogSeconds = 0.3});
  const Distribution distribution = Distribution::blockCyclic(2, 1);
  testing::internal::CaptureStderr();
  const std::vector<Outcome> outcomes = ranks.run([&](int rank, Executor &executor) {
    executor.distribute(distribution);
    Grid grid(distribution, rank);
    return executor.run([&](Generator &generator) {
      TileTable &table = generator.matrix(grid.storage, "A");
      const int what = Work;
      const TileAccess accesses[] = {{&table, 0, 0, Access::ReadWrite}, {&table, 1, 1, Access::Read}};
      if (rank == 0) // the other rank does not know that it should send
        generator.append({act, 0, &what, 1, accesses, 2});
    });
  });
  const std::string report = testing::internal::GetCapturedStderr();
  EXPECT_NE(report.find("message 0 of rank 1, tile A(1, 1): not arrived"), std::string::npos) << report;
  EXPECT_NE(report.find("act on A(0, 0) waits for tile A(1, 1) (version 1)"), std::string::npos) << report;
  for (const Outcome &outcome : outcomes) {
    EXPECT_EQ(outcome.kind, Outcome::Kind::Fault);
    EXPECT_EQ(outcome.message, "no task has finished and no byte has moved on any rank for 0.3 s");
  }
}

TEST(DistributedFailures, DistributionsForOtherNumbersOfNodesAreRefused) {
  Ranks ranks(2, {.threads = 1});
  EXPECT_THROW(ranks[0].distribute(Distribution::blockCyclic(3, 1)), UsageError);
}
} // namespace
