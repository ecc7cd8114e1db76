// What run() promises of its threads: their cores, and the modes in which they compute.
#include "runtime/core/schedule/topology.hpp"
#include "tests/unit/runtime/core/numbers.hpp"

#include <tla/runtime/executor.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cfenv>
#include <sched.h>
#include <thread>

using namespace tla;
using namespace tla::runtime;
using namespace tla::test;

namespace {

/// Processors that a task of a run on so many threads may use.
int processorsOfTasks(int threads) {
  static std::atomic<int> processors;
  const TaskClass look{"look", "here",
                       [](const TaskView &) {
                         cpu_set_t mask;
                         sched_getaffinity(0, sizeof mask, &mask);
                         processors = CPU_COUNT(&mask);
                         return 0;
                       },
                       nullptr};
  Executor executor(Options{.threads = threads});
  executor.run([&](Generator &generator) { generator.append({look, 0, nullptr, 0, nullptr, 0}); });
  return processors;
}

TEST(Executor, BindsThreadsOnlyWhenTheyTakeAllCores) {
  cpu_set_t mask;
  sched_getaffinity(0, sizeof mask, &mask);
  const int all = CPU_COUNT(&mask), cores = UsableCores().count();
  for (int threads = 1; threads < cores; ++threads)
    EXPECT_EQ(processorsOfTasks(threads), all) << threads << " threads on " << cores << " cores";
  if (cores > 1) {
    EXPECT_LT(processorsOfTasks(cores), all);
  }
  EXPECT_EQ(processorsOfTasks(2 * cores), all);
}

TEST(Executor, TakesTheCoresItMayUse) {
  EXPECT_GE(defaultThreads(), 1);
  EXPECT_LE(defaultThreads(), UsableCores().count());
  EXPECT_EQ(Executor(Options{}).threads(), defaultThreads());
}

TEST(Executor, LeavesCoresToAccelerators) {
  EXPECT_EQ(threadsBeside(16, 0), 16);
  EXPECT_EQ(threadsBeside(16, 1), 14);
  EXPECT_EQ(threadsBeside(16, 8), 7);
  EXPECT_EQ(threadsBeside(16, 20), 2);
  EXPECT_EQ(threadsBeside(4, 1), 2);
  EXPECT_EQ(threadsBeside(2, 1), 2) << "as without";
  EXPECT_EQ(threadsBeside(1, 3), 1);
}

/// The result of a run depends on its caller, not on who has called first, when the threads started.
TEST(Executor, ComputesInTheModesOfTheCaller) {
  Executor executor(Options{.threads = 2, .pin = false});
  static std::atomic<int> seen;
  static std::atomic<std::thread::id> thread;
  static const TaskClass look{"look", "executor_threads_test.cpp:1",
                              [](const TaskView &) {
                                int none = -1;
                                if (seen.compare_exchange_strong(none, std::fegetround())) {
                                  thread = std::this_thread::get_id();
                                  seen.notify_all();
                                }
                                return 0;
                              },
                              nullptr};
  constexpr int tasks = 64; // so many are passed on before the generating thread waits for anything
  Numbers numbers(tasks);
  for (const int mode : {FE_UPWARD, FE_TONEAREST, FE_DOWNWARD, FE_TOWARDZERO, FE_TONEAREST}) {
    std::fesetround(mode);
    for (int repetition = 0; repetition < 3; ++repetition) {
      seen = -1;
      executor.run([&](Generator &generator) {
        TileTable &table = generator.matrix(numbers.storage, "A");
        for (int i = 0; i < tasks; ++i) {
          const TileAccess access{&table, i, 0, Access::ReadWrite};
          generator.append({look, 0, nullptr, 0, &access, 1});
        }
        seen.wait(-1); // this thread is busy, so the other one computes
      });
      EXPECT_EQ(seen, mode);
      EXPECT_NE(thread.load(), std::this_thread::get_id());
    }
  }
  std::fesetround(FE_TONEAREST);
}

TEST(Executor, LeavesTheCallersAffinityAlone) {
  cpu_set_t before, after;
  sched_getaffinity(0, sizeof before, &before);
  Executor executor(Options{});
  executor.run([](Generator &) {});
  sched_getaffinity(0, sizeof after, &after);
  EXPECT_TRUE(CPU_EQUAL(&before, &after));
  EXPECT_GE(executor.threads(), 1);
}
} // namespace
