// Ranks on which things go wrong. What a run can bear, it bears, with the right result; every other one ends, with exit
// code 4 and words that say why, and never by this test's patience.
#include "tests/unit/runtime/core/random_program.hpp"
#include "tests/unit/runtime/core/ranks.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <unistd.h>

using namespace tla;
using namespace tla::runtime;
using namespace tla::test;
using namespace std::chrono_literals;

namespace {

/// Seconds without progress; short, so that tests are.
constexpr double T = 0.3;
const auto watchdogTime = std::chrono::milliseconds(static_cast<int>(1000 * T));

// ---- what a run bears

void expectSerialResult(Ranks &ranks, unsigned seed) {
  const Program program = makeProgram(seed, 20 + static_cast<int>(seed % 7) * 30);
  const Distribution distribution = randomTable(ranks.count(), seed);
  std::vector<std::unique_ptr<ProgramData>> data;
  for (int rank = 0; rank < ranks.count(); ++rank) {
    data.push_back(std::make_unique<ProgramData>(program, false));
    data.back()->keepTilesOf(distribution, rank);
  }
  const std::vector<Outcome> outcomes = ranks.run([&](int rank, Executor &executor) {
    executor.distribute(distribution);
    return executor.run([&](Generator &generator) { generate(program, *data[rank], generator); });
  });
  for (const Outcome &outcome : outcomes)
    ASSERT_EQ(outcome.kind, Outcome::Kind::Finished) << outcome.message;
  ProgramData serial(program, true);
  runSerially(program, serial);
  ASSERT_EQ(ProgramData::content(data, distribution), serial.content());
}

TEST(DistributedFaults, MessagesThatAreHeldBackChangeNothing) {
  for (const int holdBack : {1, 5, 40})
    for (const int window : {1, 5, 8192}) {
      std::vector<Faults> faults(4);
      for (Faults &each : faults)
        each = {.seed = static_cast<unsigned>(holdBack), .holdBack = holdBack};
      Ranks ranks(faults, {.threads = 2, .window = window, .fanOut = 1});
      for (int seed = 0; seed < seeds(12); ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed) + ", held back for " + std::to_string(holdBack) + ", window " +
                     std::to_string(window));
        expectSerialResult(ranks, static_cast<unsigned>(seed));
      }
    }
}

/// For longer than the watchdog's time: the others must not take themselves for blocked for ever.
TEST(DistributedFaults, ARankThatStandsStillForAWhileChangesNothing) {
  for (int frozen = 0; frozen < 3; ++frozen) {
    std::vector<Faults> faults(3);
    faults[frozen] = {.freezeAt = 3, .freezeFor = 2 * watchdogTime};
    Ranks ranks(faults, {.threads = 1, .watchdogSeconds = T});
    SCOPED_TRACE("rank " + std::to_string(frozen));
    expectSerialResult(ranks, 3);
  }
}

TEST(DistributedFaults, ASlowRankChangesNothing) {
  std::vector<Faults> faults(3);
  faults[1] = {.holdBack = 3, .slowness = 500us};
  Ranks ranks(faults, {.threads = 1, .watchdogSeconds = T});
  expectSerialResult(ranks, 4);
}

// ---- what ends it

/// Tile (t, 0) is rank t's.
struct Column {
  Column(int ranks, int rank) : storage(ranks, 1, 1, 1, sizeof(double), Shape::General) {
    storage.allocate([&](int i, int) { return i == rank; });
  }
  Storage storage;
};

enum What { Work, Hang, Slow, Short };
const TaskClass act{"act", "program.tla:7",
                    [](const TaskView &task) {
                      while (task.index(0) == Hang)
                        std::this_thread::yield();
                      if (task.index(0) == Slow)
                        std::this_thread::sleep_for(2 * watchdogTime);
                      if (task.index(0) == Short)
                        std::this_thread::sleep_for(watchdogTime / 10);
                      return 0;
                    },
                    nullptr};

/// Each tile in turn, from the one before.
void appendRound(Generator &generator, TileTable &table, int ranks, int what) {
  for (int t = 0; t < ranks; ++t) {
    const TileAccess accesses[] = {{&table, t, 0, Access::ReadWrite},
                                   {&table, (t + ranks - 1) % ranks, 0, Access::Read}};
    const int now = t == 1 ? what : int(Work);
    generator.append({act, 0, &now, 1, accesses, 2});
  }
}

using Loops = std::function<void(int rank, Generator &, TileTable &)>;

/// The outcome of rank 0. Processes are ended, as mpirun would, by ending this one.
Outcome runLoops(const std::vector<Faults> &faults, const Loops &loops) {
  Ranks ranks(faults, {.threads = 1, .watchdogSeconds = T}, {.onAbort = [](int, int exitCode) { ::_exit(exitCode); }});
  return ranks.run([&](int rank, Executor &executor) {
    executor.distribute(Distribution::blockCyclic(ranks.count(), 1));
    Column column(ranks.count(), rank);
    return executor.run([&](Generator &generator) { loops(rank, generator, generator.matrix(column.storage, "A")); });
  })[0];
}

Loops rounds(int count, int ranks, int what = Work) {
  return [=](int, Generator &generator, TileTable &table) {
    for (int round = 0; round < count; ++round)
      appendRound(generator, table, ranks, what);
  };
}

class DistributedFaultsDeathTest : public testing::Test {
protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
  /// Exit code 4, and `words` on stderr.
  static void expectEnd(const std::vector<Faults> &faults, const Loops &loops, const std::string &words) {
    EXPECT_EXIT(runLoops(faults, loops), testing::ExitedWithCode(4), words);
  }
};

TEST_F(DistributedFaultsDeathTest, ASilentRankIsNamedWhicheverItIs) {
  for (int silent = 0; silent < 3; ++silent) {
    std::vector<Faults> faults(3);
    faults[silent].dieAt = 5;
    expectEnd(faults, rounds(50, 3),
              "rank " + std::to_string((silent + 2) % 3) + ": rank " + std::to_string(silent) +
                  " has not answered for .* its process stands still");
  }
}

TEST_F(DistributedFaultsDeathTest, SeveralSilentRanksAreNoticed) {
  std::vector<Faults> faults(4);
  for (const int silent : {1, 2}) // the first of them may keep the second from ever coming to its message
    faults[silent].dieAt = 5;
  expectEnd(faults, rounds(50, 4), "rank [01]: rank [12] has not answered for");
}

/// Nobody can interrupt them.
TEST_F(DistributedFaultsDeathTest, LoopsThatDoNotComeBackAreNamed) {
  for (int stuck = 0; stuck < 2; ++stuck)
    expectEnd(
        std::vector<Faults>(2),
        [=](int rank, Generator &generator, TileTable &table) {
          static std::atomic<int> pass = 0;
          appendRound(generator, table, 2, Work);
          if (rank == stuck && ++pass == 3) // the last writes, the dry pass, the run itself
            for (;;)
              std::this_thread::yield();
        },
        "rank " + std::to_string(stuck) +
            ": this rank does not end:\n  the program's loops have not come back since task 2, act .program.tla:7.");
}

TEST_F(DistributedFaultsDeathTest, LoopsThatOnlyLookAreWatchedToo) {
  for (int pass = 1; pass < 3; ++pass)
    expectEnd(
        std::vector<Faults>(2),
        [=](int rank, Generator &, TileTable &) {
          static std::atomic<int> passes = 0;
          if (rank == 0 && ++passes == pass)
            for (;;)
              std::this_thread::yield();
        },
        "the program's loops have not come back, and have made no task");
}

/// Ranks need not even be stuck: who asks whether the run has ended gets an answer.
TEST(DistributedFaults, LoopsWithoutTasksEndWhenTheyAreTold) {
  testing::internal::CaptureStderr();
  const Outcome outcome = runLoops(std::vector<Faults>(2), [](int rank, Generator &generator, TileTable &) {
    while (rank == 1 && !generator.stopped())
      std::this_thread::yield();
  });
  const std::string report = testing::internal::GetCapturedStderr();
  EXPECT_EQ(outcome.kind, Outcome::Kind::Fault);
  EXPECT_NE(report.find("the program's loops have not come back"), std::string::npos) << report;
}

TEST_F(DistributedFaultsDeathTest, AKernelThatDoesNotReturnIsNamed) {
  expectEnd(std::vector<Faults>(2), rounds(1, 2, Hang),
            "rank 1: this rank does not end:\n  kernel act on A.1, 0. has been running for");
}

TEST(DistributedFaults, AKernelThatTakesLongerThanTheWatchdogIsNoFault) {
  testing::internal::CaptureStderr();
  const Outcome outcome = runLoops(std::vector<Faults>(2), rounds(1, 2, Slow));
  const std::string report = testing::internal::GetCapturedStderr();
  EXPECT_EQ(outcome.kind, Outcome::Kind::Finished) << outcome.message;
}

/// The one that is through has nothing to do for longer than the watchdog's time, and must not count twice.
TEST(DistributedFaults, ARankMayBeThroughLongBeforeTheOthers) {
  for (int through = 0; through < 2; ++through) {
    const Outcome outcome = runLoops(std::vector<Faults>(2), [=](int, Generator &generator, TileTable &table) {
      const TileAccess access{&table, 1 - through, 0, Access::ReadWrite};
      const int what = Short;
      for (int task = 0; task < 25; ++task)
        generator.append({act, 0, &what, 1, &access, 1});
    });
    EXPECT_EQ(outcome.kind, Outcome::Kind::Finished) << outcome.message;
  }
}

} // namespace
