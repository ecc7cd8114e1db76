// What run() promises when something goes wrong: it ends, says what happened first, and the executor stays usable.
#include "tests/unit/runtime/core/failing_tasks.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <string>
#include <thread>
#include <vector>

using namespace tla;
using namespace tla::runtime;
using namespace tla::test;

// A request that is too large must be refused, not end the process, under the sanitizers as well.
extern "C" const char *__asan_default_options() { return "allocator_may_return_null=1"; }
extern "C" const char *__tsan_default_options() { return "allocator_may_return_null=1"; }

namespace {
/// A chain on tile (1, 2), of which tasks 100 and 101 go wrong.
Outcome failInChain(Executor &executor, Grid &grid, int what) {
  return executor.run([&](Generator &generator) {
    TileTable &table = generator.matrix(grid.storage, "A");
    for (int t = 0; t < 1000; ++t)
      append(generator, table, 1, 2, t == 100 ? what : t == 101 ? int(Throw) : int(Work));
  });
}

TEST(Failures, InfoCountsOverTheWholeMatrix) {
  for (const int threads : {1, 2, 4}) {
    Executor executor(Options{.threads = threads});
    Grid grid(3, 5);
    const Outcome outcome = failInChain(executor, grid, Info);
    EXPECT_EQ(outcome.kind, Outcome::Kind::Numerical);
    EXPECT_EQ(outcome.info, 2 * 5 + 2);
    EXPECT_EQ(outcome.kernel, "act");
    EXPECT_EQ(outcome.location, "failing_tasks.hpp:1");
    EXPECT_EQ(outcome.matrix, "A");
    EXPECT_EQ(outcome.row, 1);
    EXPECT_EQ(outcome.column, 2);
    EXPECT_EQ(grid.first(1, 2), 100) << "no task ran after the first failure";
    EXPECT_FALSE(outcome.isComplete());
  }
}

TEST(Failures, OfSlicesNameTileAndSlice) {
  Executor executor(Options{.threads = 2});
  Storage storage(10, 10, 5, 5, sizeof(double), Shape::General, {3, 2});
  storage.allocate();
  const auto fail = [&](int column, int what) {
    return executor.run(
        [&](Generator &generator) { append(generator, generator.matrix(storage, "A"), 1, column, what); });
  };
  const Outcome numerical = fail(4, Info);
  EXPECT_EQ(numerical.info, 5 + 2 + 2) << "from the first column of the slice on";
  EXPECT_EQ(numerical.column, 1);
  EXPECT_EQ(numerical.slice, 1);
  const Outcome outside = fail(6, Work);
  EXPECT_EQ(outside.kind, Outcome::Kind::Fault);
  EXPECT_EQ(outside.message, "tile A(1, 2) slice 0 is outside the 2 x 2 tiles of A, each in 3 slices");
  EXPECT_EQ(fail(-1, Work).message, "tile A(1, -1) slice 2 is outside the 2 x 2 tiles of A, each in 3 slices");
}

TEST(Failures, TextsOfFaults) {
  Executor executor(Options{.threads = 2});
  const std::pair<int, const char *> expected[] = {{BadArgument, "argument 3 of act had an illegal value"},
                                                   {Throw, "the disk is full"},
                                                   {ThrowNumber, "exception of unknown type"},
                                                   {ThrowBadAlloc, "out of memory"}};
  for (const auto &[what, text] : expected) {
    Grid grid(3);
    const Outcome outcome = failInChain(executor, grid, what);
    EXPECT_EQ(outcome.kind, Outcome::Kind::Fault);
    EXPECT_EQ(outcome.message, text);
    EXPECT_EQ(outcome.kernel, "act");
    EXPECT_EQ(grid.first(1, 2), 100);
  }
}

/// As act, but info > 0 does not stop the run.
const TaskClass goOn{"goOn", "failures_test.cpp:2", act.run, nullptr, 0, false, true};

/// A chain on tile (1, 2) where tasks 100 and 200 return info and go on, and task `stop` does `what`.
Outcome goOnInChain(Executor &executor, Grid &grid, int stop, int what) {
  return executor.run([&](Generator &generator) {
    TileTable &table = generator.matrix(grid.storage, "A");
    const TileAccess access{&table, 1, 2, Access::ReadWrite};
    for (int t = 0; t < 1000; ++t) {
      const bool info = t == 100 || t == 200;
      const int index = t == stop ? what : info ? int(Info) : int(Work);
      generator.append({info ? goOn : act, 0, &index, 1, &access, 1});
    }
  });
}

TEST(Failures, InfoThatContinuesIsReportedAtTheEnd) {
  for (const int threads : {1, 2, 4}) {
    Executor executor(Options{.threads = threads});
    Grid grid(3, 5);
    const Outcome outcome = goOnInChain(executor, grid, -1, Work);
    EXPECT_EQ(outcome.kind, Outcome::Kind::Numerical);
    EXPECT_EQ(outcome.info, 2 * 5 + 2);
    EXPECT_EQ(outcome.kernel, "goOn");
    EXPECT_EQ(grid.first(1, 2), 998) << "the run went on";
    EXPECT_TRUE(outcome.wentOn && outcome.isComplete());
    EXPECT_EQ(goOnInChain(executor, grid, 100, BadArgument).kind, Outcome::Kind::Fault) << "info < 0 always stops";
  }
}

TEST(Failures, AnInfoThatContinuesAndOneThatStops) {
  Executor executor(Options{.threads = 2});
  Grid grid(3);
  EXPECT_EQ(goOnInChain(executor, grid, 50, Info).kernel, "act") << "the first in program order";
  EXPECT_EQ(goOnInChain(executor, grid, 150, Info).kernel, "goOn");
  for (const int stop : {50, 150})
    EXPECT_FALSE(goOnInChain(executor, grid, stop, Info).isComplete()) << "tasks were skipped";
  EXPECT_EQ(goOnInChain(executor, grid, 150, Throw).kind, Outcome::Kind::Fault) << "the results are not there";
  EXPECT_EQ(executor.run([](Generator &) {}).kind, Outcome::Kind::Finished) << "nothing is left of earlier runs";
}

TEST(Failures, TheFirstOfManyInfosInProgramOrder) {
  Executor executor(Options{.threads = 4});
  for (int repeat = 0; repeat < 50; ++repeat) {
    Grid grid(4);
    const Outcome outcome = executor.run([&](Generator &generator) {
      TileTable &table = generator.matrix(grid.storage, "A");
      for (int t = 0; t < 16; ++t) { // independent tasks, the later the more urgent
        const TileAccess access{&table, t % 4, t / 4, Access::ReadWrite};
        const int what = t < 3 ? int(Work) : int(Info);
        generator.append({goOn, t, &what, 1, &access, 1});
      }
    });
    ASSERT_EQ(outcome.row, 3);
    ASSERT_EQ(outcome.column, 0);
  }
}

/// Several tasks that end the run are ready at once, the later ones first: the run ends by the one that the serial
/// elision meets first, and computes all that is before it.
TEST(Failures, TheFirstFailureInProgramOrderEndsTheRun) {
  for (const int threads : {1, 2, 4}) {
    Executor executor(Options{.threads = threads});
    for (int repeat = 0; repeat < 100; ++repeat) {
      Grid grid(8);
      std::atomic<bool> allThere = false;
      const TaskClass wait{"wait", "failures_test.cpp:3",
                           [](const TaskView &task) {
                             while (!task.parameters<std::atomic<bool>>().load())
                               std::this_thread::yield();
                             return 0;
                           },
                           nullptr};
      const Outcome outcome = executor.run([&](Generator &generator) {
        generator.setParameters(&allThere);
        TileTable &table = generator.matrix(grid.storage, "A");
        const TileAccess gate{&table, 0, 0, Access::ReadWrite};
        if (threads > 1)
          generator.append({wait, 0, nullptr, 0, &gate, 1});
        for (int t = 1; t < 64; ++t) {
          const TileAccess accesses[] = {{&table, t % 8, t / 8, Access::ReadWrite}, {&table, 0, 0, Access::Read}};
          const int what = t < 9 || t % 3 ? int(Work) : t % 2 ? int(Info) : int(Throw);
          generator.append({act, t, &what, 1, accesses, 2});
        }
        allThere = true;
      });
      ASSERT_EQ(outcome.kind, Outcome::Kind::Numerical) << threads;
      ASSERT_EQ(outcome.row, 1);
      ASSERT_EQ(outcome.column, 1);
      for (int t = 1; t < 9; ++t)
        ASSERT_EQ(grid.first(t % 8, t / 8), 1) << t;
    }
  }
}

/// Failures at random tasks of a wide program: it ends, and reports one of them; the executor works on.
TEST(Failures, EndEveryRun) {
  for (const int threads : {1, 2, 4, 8})
    for (const int window : {1, 7, 8192}) {
      Executor executor(Options{.threads = threads, .window = window});
      for (int seed = 0; seed < 60; ++seed) {
        Grid grid(4);
        const Outcome failed = executor.run([&](Generator &generator) {
          TileTable &table = generator.matrix(grid.storage, "A");
          for (int t = 0; t < 400; ++t) {
            const bool wrong = t == seed * 5 || t == seed * 5 + 16;
            append(generator, table, t % 4, t / 4 % 4, wrong ? (seed % 2 ? Throw : Info) : Work);
          }
        });
        ASSERT_EQ(failed.kind, seed % 2 ? Outcome::Kind::Fault : Outcome::Kind::Numerical);
        ASSERT_EQ(failed.row, seed * 5 % 4);
        ASSERT_EQ(failed.column, seed * 5 / 4 % 4);
        const Outcome fine = executor.run([&](Generator &generator) {
          TileTable &table = generator.matrix(grid.storage, "A");
          for (int t = 0; t < 50; ++t)
            append(generator, table, 0, 0, Work);
        });
        ASSERT_EQ(fine.kind, Outcome::Kind::Finished);
        ASSERT_EQ(fine.statistics.tasks, 50u);
      }
    }
}

TEST(Failures, StopTheGenerator) {
  Executor executor(Options{.threads = 2, .window = 32});
  Grid grid(2);
  long appended = 0;
  const Outcome outcome = executor.run([&](Generator &generator) {
    TileTable &table = generator.matrix(grid.storage, "A");
    for (; !generator.stopped(); ++appended)
      append(generator, table, 0, 0, appended == 1000 ? int(Info) : int(Work));
  });
  EXPECT_EQ(outcome.kind, Outcome::Kind::Numerical);
  EXPECT_GT(appended, 1000);
}

TEST(Failures, InterruptFromAnotherThread) {
  for (const int threads : {1, 2, 4}) {
    Executor executor(Options{.threads = threads, .window = 64});
    executor.interrupt(); // without a run: nothing
    Grid grid(2);
    std::atomic<bool> started{false};
    std::thread other([&] {
      while (!started || executor.tasksDone() < 100)
        std::this_thread::yield();
      executor.interrupt();
    });
    const Outcome outcome = executor.run([&](Generator &generator) {
      TileTable &table = generator.matrix(grid.storage, "A");
      started = true;
      for (int t = 0; !generator.stopped(); ++t)
        append(generator, table, t % 2, t / 2 % 2, Work);
    });
    other.join();
    EXPECT_EQ(outcome.kind, Outcome::Kind::Interrupted);
    EXPECT_EQ(executor.run([](Generator &) {}).kind, Outcome::Kind::Finished);
  }
}

TEST(Failures, TheProgramsExceptionReachesTheCaller) {
  Executor executor(Options{.threads = 2});
  Grid grid(2);
  const auto program = [&](Generator &generator) {
    TileTable &table = generator.matrix(grid.storage, "A");
    for (int t = 0; t < 1000; ++t)
      append(generator, table, 0, 0, Work);
    throw UsageError("n must be even");
  };
  EXPECT_THROW(executor.run(program), UsageError);
  EXPECT_EQ(executor.run([](Generator &) {}).kind, Outcome::Kind::Finished);
}

TEST(Failures, MemoryForAWorkspaceTile) {
  for (const bool regions : {false, true}) {
    Executor executor(Options{.threads = 2});
    constexpr int huge = 1 << 23; // 2^49 bytes a tile
    Storage storage(huge, huge, huge, huge, sizeof(double), Shape::General);
    const Outcome outcome = executor.run([&](Generator &generator) {
      TileTable &table = generator.workspace(storage, "T", regions);
      for (int t = 0; t < 10; ++t)
        append(generator, table, 0, 0, Work, t ? Access::ReadWrite : Access::Write);
    });
    EXPECT_EQ(outcome.kind, Outcome::Kind::Fault);
    EXPECT_NE(outcome.message.find("out of memory"), std::string::npos) << outcome.message;
    EXPECT_NE(outcome.message.find("T(0, 0)"), std::string::npos) << outcome.message;
    EXPECT_EQ(outcome.kernel, "act");
    EXPECT_EQ(outcome.matrix, "T");
  }
}

/// A task with accesses to A(1, 2), B(2, 3) and tile (0, 9) of the workspace W, tiles of 5 x 5, and its report when it
/// returns info = 2 and access number `main` is its main output.
struct Report {
  enum Place { OfA, OfB, OfW };
  struct Use {
    Place place;
    Access access;
  };
  static Outcome of(std::initializer_list<Use> uses, int main) {
    const TaskClass fails{"fails", "failures_test.cpp:2", [](const TaskView &) { return 2; }, nullptr, main};
    Executor executor(Options{.threads = 2});
    Grid A(3, 5), B(4, 5);
    Storage W(5, 50, 5, 5, sizeof(double), Shape::General);
    return executor.run([&](Generator &generator) {
      TileTable *const tables[] = {&generator.matrix(A.storage, "A"), &generator.matrix(B.storage, "B"),
                                   &generator.workspace(W, "W")};
      std::vector<TileAccess> accesses;
      for (const Use &use : uses)
        accesses.push_back({tables[use.place],
                            use.place == OfA   ? 1
                            : use.place == OfB ? 2
                                               : 0,
                            use.place == OfA   ? 2
                            : use.place == OfB ? 3
                                               : 9,
                            use.access});
      generator.append({fails, 0, nullptr, 0, accesses.data(), static_cast<int>(accesses.size())});
    });
  }
};

TEST(Failures, ReportNamesATileThatTheTaskWrites) {
  // The main output is a panel without rows: access 0 is another argument's.
  Outcome outcome = Report::of({{Report::OfA, Access::Read}, {Report::OfB, Access::ReadWrite}}, 0);
  EXPECT_EQ(outcome.matrix, "B");
  EXPECT_EQ(outcome.row, 2);
  EXPECT_EQ(outcome.column, 3);
  EXPECT_EQ(outcome.info, 3 * 5 + 2);
  outcome = Report::of({{Report::OfA, Access::Read}}, 0);
  EXPECT_EQ(outcome.kernel, "fails");
  EXPECT_EQ(outcome.matrix, "");
  EXPECT_EQ(outcome.info, 2);
  outcome = Report::of({}, 0);
  EXPECT_EQ(outcome.kernel, "fails");
  EXPECT_EQ(outcome.matrix, "");
  // One tile named twice: the second name is no access of its own, yet the task writes it.
  outcome =
      Report::of({{Report::OfB, Access::ReadWrite}, {Report::OfA, Access::ReadWrite}, {Report::OfA, Access::Read}}, 2);
  EXPECT_EQ(outcome.matrix, "A");
}

TEST(Failures, InfoOfAWorkspaceCountsInTheMatrixBesideIt) {
  Outcome outcome = Report::of({{Report::OfW, Access::Write}, {Report::OfA, Access::ReadWrite}}, 0);
  EXPECT_EQ(outcome.matrix, "W");
  EXPECT_EQ(outcome.info, 2 * 5 + 2);
  outcome = Report::of({{Report::OfW, Access::Write}, {Report::OfA, Access::Read}}, 0);
  EXPECT_EQ(outcome.matrix, "W");
  EXPECT_EQ(outcome.info, 2);
}

TEST(Failures, OneRunAtATime) {
  static Executor *self;
  const TaskClass nested{"nested", "here",
                         [](const TaskView &) {
                           self->run([](Generator &) {});
                           return 0;
                         },
                         nullptr};
  Executor executor(Options{.threads = 2});
  self = &executor;
  const Outcome outcome = executor.run([&](Generator &generator) {
    generator.append({nested, 0, nullptr, 0, nullptr, 0});
  });
  EXPECT_EQ(outcome.kind, Outcome::Kind::Fault);
  EXPECT_NE(outcome.message.find("one executor does one run at a time"), std::string::npos);
}

TEST(Failures, Options) {
  EXPECT_THROW(Executor(Options{.threads = -1}), UsageError);
  EXPECT_THROW(Executor(Options{.threads = 100000}), UsageError);
  EXPECT_THROW(Executor(Options{.window = 0}), UsageError);
}
} // namespace
