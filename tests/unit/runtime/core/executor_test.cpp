// What run() promises when all goes well.
#include "runtime/distribution/distribution.hpp"
#include "runtime/interfaces/cost.hpp"
#include "runtime/threads/clock.hpp"
#include "tests/unit/runtime/core/numbers.hpp"

#include <tla/runtime/executor.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <latch>
#include <map>
#include <mutex>
#include <numeric>
#include <thread>

using namespace tla;
using namespace tla::runtime;
using namespace tla::test;

namespace {
const TaskClass increment{"increment", "executor_test.cpp:1",
                          [](const TaskView &task) {
                            ++task.tile<long>(0)(0, 0);
                            return 0;
                          },
                          [](const TaskView &) { return 3.0; }};
const TaskClass append10{"append10", "executor_test.cpp:2",
                         [](const TaskView &task) {
                           long &x = task.tile<long>(0)(0, 0);
                           x = (10 * x + task.index(0)) % 1000003;
                           return 0;
                         },
                         nullptr};

void appendIncrement(Generator &generator, TileTable &table, int row) {
  const TileAccess access{&table, row, 0, Access::ReadWrite};
  generator.append({increment, 0, nullptr, 0, &access, 1});
}

TEST(Executor, RunsNothing) {
  Executor executor(Options{.threads = 2});
  const Outcome outcome = executor.run([](Generator &) {});
  EXPECT_EQ(outcome.kind, Outcome::Kind::Finished);
  EXPECT_EQ(outcome.statistics.tasks, 0u);
  EXPECT_EQ(outcome.statistics.busy.size(), 2u);
}

TEST(Executor, RunsATaskWithoutTiles) {
  static std::atomic<int> calls;
  const TaskClass call{"call", "here", [](const TaskView &) { return calls++ * 0; }, nullptr};
  Executor executor(Options{.threads = 2, .trace = true});
  calls = 0;
  const Outcome outcome = executor.run([&](Generator &generator) {
    for (int i = 0; i < 100; ++i)
      generator.append({call, 0, nullptr, 0, nullptr, 0});
  });
  EXPECT_EQ(calls, 100);
  EXPECT_EQ(outcome.statistics.trace.size(), 100u);
}

int indexOf(int position) { return 1000 - 7 * position; }

/// The sum of so many indices as accesses say, each at its position; without it a negative number.
double sumOfIndices(const TaskView &task) {
  const int count = task.parameters<int>();
  double sum = 0;
  for (int i = 0; i < count; ++i)
    sum += task.index(i) == indexOf(i) ? indexOf(i) : -1e6;
  return sum;
}

TEST(Executor, TasksHaveAnyNumberOfIndicesAndAccesses) {
  static std::atomic<long> sum;
  const TaskClass add{"add", "here", [](const TaskView &task) { return sum += long(sumOfIndices(task)), 0; },
                      sumOfIndices};
  Executor executor(Options{.threads = 2, .window = 4});
  Numbers x(40);
  for (const int count : {0, 1, 7, 8, 9, 10, 30, 1000})
    for (const int accessCount : {0, 1, 10, 11, 25, 26, 40}) {
      std::vector<int> indices(count);
      for (int i = 0; i < count; ++i)
        indices[i] = indexOf(i);
      const auto program = [&](Generator &generator) {
        generator.setParameters(&count);
        std::vector<TileAccess> accesses;
        for (int i = 0; i < accessCount; ++i)
          accesses.push_back({&generator.matrix(x.storage, "x"), i, 0, i % 3 ? Access::Read : Access::ReadWrite});
        for (int t = 0; t < 10; ++t)
          generator.append({add, 0, indices.data(), count, accesses.data(), accessCount});
      };
      sum = 0;
      ASSERT_EQ(executor.run(program).kind, Outcome::Kind::Finished);
      const double expected = 10.0 * std::accumulate(indices.begin(), indices.end(), 0);
      EXPECT_EQ(sum, expected) << count << " indices, " << accessCount << " accesses";
      EXPECT_EQ(predictCost(program, Distribution(), {}).total().flops, expected) << count << " of a task nobody runs";
    }
}

TEST(Executor, IsReusable) {
  for (const int threads : {1, 2, 4}) {
    Executor executor(Options{.threads = threads, .window = 16});
    Numbers x(5);
    for (int run = 0; run < 500; ++run) {
      const Outcome outcome = executor.run([&](Generator &generator) {
        TileTable &table = generator.matrix(x.storage, "x");
        for (int i = 0; i < 50; ++i)
          appendIncrement(generator, table, i % 5);
      });
      ASSERT_EQ(outcome.kind, Outcome::Kind::Finished);
      ASSERT_EQ(executor.tasksDone(), 50u);
      ASSERT_EQ(executor.flopsDone(), 150.0);
    }
    for (int i = 0; i < 5; ++i)
      EXPECT_EQ(x.at(i), 5000);
  }
}

TEST(Executor, KeepsAChainInOrder) {
  Executor executor(Options{.threads = 4, .window = 50});
  Numbers x(1);
  long expected = 0;
  executor.run([&](Generator &generator) {
    TileTable &table = generator.matrix(x.storage, "x");
    const TileAccess access{&table, 0, 0, Access::ReadWrite};
    for (int i = 0; i < 20000; ++i) {
      generator.append({append10, i % 3, &i, 1, &access, 1});
      expected = (10 * expected + i) % 1000003;
    }
  });
  EXPECT_EQ(x.at(0), expected);
}

TEST(Executor, RunsHigherPrioritiesFirst) {
  static std::vector<int> order;
  const TaskClass note{"note", "here",
                       [](const TaskView &task) {
                         order.push_back(task.index(0));
                         return 0;
                       },
                       nullptr};
  order.clear();
  Executor executor(Options{.threads = 1});
  Numbers x(200);
  executor.run([&](Generator &generator) {
    TileTable &table = generator.matrix(x.storage, "x");
    for (int i = 0; i < 200; ++i) {
      const TileAccess access{&table, i, 0, Access::ReadWrite};
      generator.append({note, i % 7, &i, 1, &access, 1});
    }
  });
  ASSERT_EQ(order.size(), 200u);
  EXPECT_TRUE(
      std::is_sorted(order.begin(), order.end(), [](int a, int b) { return a % 7 != b % 7 ? a % 7 > b % 7 : a < b; }));
}

TEST(Executor, TwoParametersMayBeOneMatrix) {
  Executor executor(Options{.threads = 2});
  Numbers x(1);
  executor.run([&](Generator &generator) {
    TileTable &a = generator.matrix(x.storage, "a"), &b = generator.matrix(x.storage, "b");
    EXPECT_EQ(&a, &b);
    for (int i = 0; i < 1000; ++i)
      appendIncrement(generator, i % 2 ? a : b, 0);
  });
  EXPECT_EQ(x.at(0), 1000);
}

TEST(Executor, CountsWhatItDid) {
  Executor executor(Options{.threads = 2, .window = 8, .trace = true});
  Numbers x(4);
  const Outcome outcome = executor.run([&](Generator &generator) {
    TileTable &table = generator.matrix(x.storage, "x");
    for (int i = 0; i < 40; ++i) {
      const TileAccess access{&table, i % 4, 0, Access::ReadWrite};
      generator.append({i % 2 ? increment : append10, 0, &i, 1, &access, 1});
    }
  });
  const Statistics &statistics = outcome.statistics;
  EXPECT_EQ(statistics.tasks, 40u);
  EXPECT_EQ(statistics.flops, 60.0);
  EXPECT_LE(statistics.peakTasks, 8u);
  EXPECT_GT(statistics.windowBytes, 0u);
  EXPECT_GT(statistics.seconds, 0.0);
  ASSERT_EQ(statistics.classes.size(), 2u);
  EXPECT_EQ(statistics.classes[0].kernel, "append10"); // the order of the program
  EXPECT_EQ(statistics.classes[1].kernel, "increment");
  EXPECT_EQ(statistics.classes[0].tasks, 20u);
  EXPECT_EQ(statistics.classes[1].tasks, 20u);
  EXPECT_EQ(statistics.classes[1].flops, 60.0);
  ASSERT_EQ(statistics.trace.size(), 40u);
  for (const TraceEvent &event : statistics.trace) {
    EXPECT_EQ(event.slice, -1);
    EXPECT_LE(event.begin, event.end);
    EXPECT_LE(event.end, statistics.seconds + 1e-6) << "the counters of two cores may differ by a few ticks";
    EXPECT_LT(event.worker, 2u);
    EXPECT_EQ(event.row % 2, static_cast<int>(event.taskClass));
  }
}

/// Four chains of ten tasks.
Outcome runChains(const Options &options) {
  Executor executor(options);
  Numbers x(4);
  return executor.run([&](Generator &generator) {
    TileTable &table = generator.matrix(x.storage, "x");
    for (int i = 0; i < 40; ++i)
      appendIncrement(generator, table, i % 4);
  });
}

TEST(Executor, ATraceSaysWhatMadeTasksReady) {
  const Statistics statistics = runChains({.threads = 2, .window = 8, .trace = true}).statistics;
  std::map<std::uint32_t, TraceEvent> byNumber;
  for (const TraceEvent &event : statistics.trace)
    byNumber[event.origin.number] = event;
  ASSERT_EQ(byNumber.size(), 40u);
  for (const auto &[number, event] : byNumber) {
    const TraceCause &origin = event.origin;
    EXPECT_TRUE(origin.cause == 0 || origin.cause + 4 == number) << origin.cause << " for " << number;
    EXPECT_LE(origin.appended, origin.ready);
    EXPECT_LE(origin.ready, event.begin);
    EXPECT_TRUE(origin.cause > 0 || origin.ready == origin.appended) << number;
  }
  EXPECT_EQ(statistics.waitTrace.size(), statistics.windowFull);
  for (const WaitEvent &wait : statistics.waitTrace)
    EXPECT_LE(wait.begin, wait.end);
  EXPECT_EQ(statistics.traceUntil, 0);
  EXPECT_GT(statistics.startedAt, 0);
}

TEST(Executor, ATraceHasTheFirstTasks) {
  const Statistics statistics = runChains({.threads = 2, .window = 8, .trace = true, .traceTasks = 10}).statistics;
  ASSERT_EQ(statistics.trace.size(), 10u);
  EXPECT_EQ(statistics.tasks, 40u);
  EXPECT_GT(statistics.traceUntil, 0);
  EXPECT_LE(statistics.traceUntil, statistics.seconds);
  for (const TraceEvent &event : statistics.trace)
    EXPECT_LE(event.origin.number, 10u);
  EXPECT_TRUE(runChains({.threads = 2, .window = 8}).statistics.waitTrace.empty());
}

TEST(Executor, CountsHowOftenTheWindowIsFull) {
  Executor executor(Options{.threads = 1, .window = 8}); // nobody empties it meanwhile
  Numbers x(1);
  const Outcome outcome = executor.run([&](Generator &generator) {
    TileTable &table = generator.matrix(x.storage, "x");
    for (int i = 0; i < 40; ++i)
      appendIncrement(generator, table, 0);
  });
  EXPECT_GT(outcome.statistics.windowFull, 0u);
  EXPECT_EQ(outcome.statistics.peakTasks, 8u);
}

/// In parts of a time taken around the run: what a tick is in seconds is for others to say.
TEST(Executor, MeasuresTime) {
  static std::atomic<runtime::Ticks> inTasks;
  inTasks = 0;
  static std::latch bothAtWork(2);
  const TaskClass work{"work", "here",
                       [](const TaskView &task) {
                         const runtime::Ticks begin = runtime::Clock::now();
                         if (task.index(0) < 2) // the first of each chain
                           bothAtWork.arrive_and_wait();
                         inTasks += runtime::Clock::now() - begin;
                         return 0;
                       },
                       nullptr};
  Executor executor(Options{.threads = 2});
  Numbers x(2);
  const runtime::Ticks begin = runtime::Clock::now();
  const Outcome outcome = executor.run([&](Generator &generator) {
    TileTable &table = generator.matrix(x.storage, "x");
    for (int i = 0; i < 10; ++i) {
      const TileAccess access{&table, i % 2, 0, Access::ReadWrite};
      generator.append({work, 0, &i, 1, &access, 1});
    }
  });
  const double around = static_cast<double>(runtime::Clock::now() - begin), within = static_cast<double>(inTasks);
  const Statistics &statistics = outcome.statistics;
  const double kernels = statistics.classes[0].seconds;
  EXPECT_GE(kernels / statistics.seconds, within / around * (1 - 1e-9));
  ASSERT_EQ(statistics.busy.size(), 2u);
  EXPECT_NEAR(statistics.busy[0] + statistics.busy[1], kernels, 1e-9 * kernels);
  for (const double busy : statistics.busy) {
    EXPECT_GT(busy, 0) << "two workers share the two chains";
    EXPECT_LE(busy, statistics.seconds + 1e-6);
  }
}

/// A reader of a tile is slow; the next writer of the tile need not wait for it when it gets memory of its own.
Outcome writeAndReadSlowly(std::size_t renameBytes, bool workspace, Numbers &x, Numbers &sums) {
  static const TaskClass write{"write", "here",
                               [](const TaskView &task) {
                                 task.tile<long>(0)(0, 0) = task.index(0);
                                 return 0;
                               },
                               nullptr};
  static const TaskClass read{"read", "here",
                              [](const TaskView &task) {
                                std::this_thread::sleep_for(std::chrono::microseconds(300));
                                task.tile<long>(1)(0, 0) += task.tile<long>(0)(0, 0);
                                return 0;
                              },
                              nullptr, 1};
  Executor executor(Options{.threads = 4, .renameBytes = renameBytes});
  Storage scratch(1, 1, 1, 1, sizeof(long), Shape::General);
  return executor.run([&](Generator &generator) {
    TileTable &w = workspace ? generator.workspace(scratch, "w") : generator.matrix(x.storage, "x");
    TileTable &s = generator.matrix(sums.storage, "s");
    for (int i = 0; i < 64; ++i) {
      const TileAccess writes[] = {{&w, 0, 0, Access::Write}};
      const TileAccess reads[] = {{&w, 0, 0, Access::Read}, {&s, i % 4, 0, Access::ReadWrite}};
      generator.append({write, 0, &i, 1, writes, 1});
      generator.append({read, 0, nullptr, 0, reads, 2});
      if (workspace && i % 5 == 0)
        generator.release(w, 0, 0);
    }
  });
}

TEST(Renaming, MakesWritersIndependentOfReaders) {
  for (const bool workspace : {false, true}) {
    Numbers x(1), sums(4);
    const Outcome renamed = writeAndReadSlowly(1 << 20, workspace, x, sums);
    EXPECT_GT(renamed.statistics.renames, 30u);
    EXPECT_GT(renamed.statistics.renameBytes, 0u);
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(sums.at(i), 16 * i + 4 * 120); // sum of i, i + 4, .., i + 60
    if (!workspace) {
      EXPECT_EQ(x.at(0), 63) << "the last version is copied home";
    }

    Numbers y(1), sumsInPlace(4);
    const Outcome inPlace = writeAndReadSlowly(0, workspace, y, sumsInPlace);
    EXPECT_EQ(inPlace.statistics.renames, 0u);
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(sumsInPlace.at(i), sums.at(i));
  }
}

/// The reader of the first version lasts until the second version has been written.
TEST(Renaming, LetsAWriterOvertakeAReader) {
  static std::atomic<bool> overtaken;
  overtaken = false;
  const TaskClass write{"write", "here",
                        [](const TaskView &task) {
                          if (task.index(0)) // the first one may run last of all
                            overtaken = true;
                          return 0;
                        },
                        nullptr};
  const TaskClass read{"read", "here",
                       [](const TaskView &) {
                         const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
                         while (!overtaken && std::chrono::steady_clock::now() < end)
                           std::this_thread::yield();
                         return overtaken ? 0 : 1;
                       },
                       nullptr};
  Executor executor(Options{.threads = 2});
  Numbers x(1);
  const Outcome outcome = executor.run([&](Generator &generator) {
    TileTable &table = generator.matrix(x.storage, "x");
    const TileAccess writes{&table, 0, 0, Access::Write}, reads{&table, 0, 0, Access::Read};
    const int indices[] = {0, 1};
    generator.append({write, 0, indices, 1, &writes, 1});
    generator.append({read, 0, nullptr, 0, &reads, 1});
    generator.append({write, 0, indices + 1, 1, &writes, 1});
  });
  EXPECT_EQ(outcome.kind, Outcome::Kind::Finished);
}

TEST(Renaming, StaysWithinItsBound) {
  Numbers x(1), sums(4);
  const std::size_t two = 2 * x.storage.tileBytes(0, 0);
  const Outcome outcome = writeAndReadSlowly(two, false, x, sums);
  EXPECT_GT(outcome.statistics.renames, 0u);
  EXPECT_LE(outcome.statistics.renameBytes, two);
  EXPECT_EQ(sums.at(3), 16 * 3 + 4 * 120);
}

TEST(Executor, ManyMoreTilesThanTasksInTheWindow) {
  Executor executor(Options{.threads = 2, .window = 64});
  Numbers x(20000);
  const Outcome outcome = executor.run([&](Generator &generator) {
    TileTable &table = generator.matrix(x.storage, "x");
    for (int round = 0; round < 3; ++round)
      for (int i = 0; i < 20000; ++i)
        appendIncrement(generator, table, i);
  });
  for (int i = 0; i < 20000; ++i)
    ASSERT_EQ(x.at(i), 3);
  EXPECT_LE(outcome.statistics.windowBytes, 512 * outcome.statistics.peakTasks);
}

} // namespace
