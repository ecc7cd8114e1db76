// Threads that help with a kernel: every part is done once, whoever comes and goes.
#include "runtime/core/schedule/crew.hpp"
#include "runtime/core/schedule/host_device.hpp"
#include "runtime/core/schedule/topology.hpp"
#include "tests/unit/runtime/core/ranks.hpp"

#include <tla/runtime/algorithm.hpp>
#include <tla/runtime/executor.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <random>
#include <thread>
#include <vector>

using namespace tla::runtime;
using tla::test::Ranks;

namespace {
/// The work of a kernel: rounds of parts, each of which adds up the results of the round before.
struct Work {
  std::vector<std::uint64_t> values;
  std::vector<std::atomic<int>> visits;
  explicit Work(int most) : values(most), visits(most) {}

  static void part(void *context, int i) {
    Work &work = *static_cast<Work *>(context);
    work.visits[i].fetch_add(1, std::memory_order_relaxed);
    work.values[i] = work.values[i] * 6364136223846793005u + i;
  }
};

TEST(CrewSlots, EachPartOfEachRoundIsDoneOnce) {
  constexpr int most = 300, rounds = 3000, helpers = 3;
  CrewSlots slots;
  std::atomic<bool> quit{false};
  std::vector<std::thread> threads;
  for (int helper = 0; helper < helpers; ++helper)
    threads.emplace_back([&, helper] {
      std::mt19937 random(helper);
      while (!quit.load()) { // for a while, as long as nothing better turns up
        int patience = static_cast<int>(random() % 2000);
        slots.help([&] { return --patience < 0 || quit.load(); });
      }
    });
  std::mt19937 random(17);
  std::vector<std::uint64_t> expected(most);
  Work work(most);
  for (int kernel = 0; kernel < 20; ++kernel) {
    CrewSlots::Slot *const slot = slots.take();
    ASSERT_TRUE(slot);
    slot->open();
    slots.noteOpen();
    for (int round = 0; round < rounds / 20; ++round) {
      const int count = static_cast<int>(random() % (most + 1));
      slot->run(count, &Work::part, &work);
      for (int i = 0; i < count; ++i) {
        expected[i] = expected[i] * 6364136223846793005u + i;
        ASSERT_EQ(work.visits[i].exchange(0, std::memory_order_relaxed), 1) << "round " << round << ", part " << i;
      }
      ASSERT_EQ(work.values, expected) << "round " << round;
    }
    slots.noteClosed();
    slot->close();
    EXPECT_FALSE(slot->hasHelpers());
  }
  quit.store(true);
  for (std::thread &thread : threads)
    thread.join();
}

TEST(CrewSlots, AreNotMoreThanThereAre) {
  CrewSlots slots;
  std::vector<CrewSlots::Slot *> taken;
  for (int i = 0; i < CrewSlots::count; ++i)
    taken.push_back(slots.take());
  EXPECT_TRUE(std::ranges::all_of(taken, [](const auto *slot) { return slot != nullptr; }));
  EXPECT_FALSE(slots.take());
  taken[1]->open();
  taken[1]->close();
  EXPECT_EQ(slots.take(), taken[1]);
}

/// A kernel that asks for help until it has some, while the other thread has nothing to do.
int askForHelp(const TaskView &task) {
  tla::kernels::Crew *const crew = tla::kernels::threadCrew();
  int &helped = task.tile<int>(0)(0, 0);
  if (!crew || !crew->open())
    return 0;
  using Clock = std::chrono::steady_clock;
  for (const auto end = Clock::now() + std::chrono::seconds(20); !crew->hasHelpers() && Clock::now() < end;)
    std::this_thread::yield();
  Work work(100);
  crew->run(100, &Work::part, &work);
  helped = crew->hasHelpers();
  for (const auto &visits : work.visits)
    helped &= visits == 1;
  crew->close();
  return 0;
}
const TaskClass helpedClass{"helped", "test:1", askForHelp, nullptr, 0};

/// Whether the kernel, as the only task of a run, was helped with.
bool isHelped(Executor &executor) {
  int helped = 0;
  tla::Storage tile(1, 1, 1, 1, sizeof(int), tla::Shape::General);
  tile.wrap(&helped, 1);
  const Outcome outcome = executor.run([&](Generator &tasks) {
    const TileAccess access{&tasks.matrix(tile, "A"), 0, 0, Access::ReadWrite};
    tasks.append({helpedClass, 0, nullptr, 0, &access, 1});
  });
  EXPECT_EQ(outcome.kind, Outcome::Kind::Finished) << outcome.message;
  return helped != 0;
}

TEST(CrewOfExecutor, ComesWhenThereIsNothingElse) {
  if (defaultThreads() < 2)
    GTEST_SKIP() << "threads that share a core do not help each other";
  Executor executor({.threads = 2});
  for (int run = 0; run < 20; ++run)
    EXPECT_TRUE(isHelped(executor)) << "run " << run;
  EXPECT_FALSE(tla::kernels::threadCrew()) << "behind the run";
}

TEST(CrewOfExecutor, IsOfNobodyWhereThreadsShareCores) {
  Executor executor({.threads = UsableCores().count() + 1});
  EXPECT_FALSE(isHelped(executor));
  Executor ofManyRanks({.threads = 1 + (UsableCores().count() > 1), .crews = false});
  EXPECT_FALSE(isHelped(ofManyRanks));
}

constexpr int stepsPerRank = 10;
std::atomic<int> stepsOfRank0;
int countStep(const TaskView &) { return stepsOfRank0.fetch_add(1), 0; }
int nothing(const TaskView &) { return 0; }

/// With a crew open all the time, until the other thread of its rank has done the tasks that messages make ready.
int helpedAllTheTime(const TaskView &task) {
  tla::kernels::Crew *const crew = tla::kernels::threadCrew();
  if (!crew || !crew->open())
    return 0;
  Work work(100);
  using Clock = std::chrono::steady_clock;
  for (const auto end = Clock::now() + std::chrono::seconds(20);
       stepsOfRank0.load() < stepsPerRank && Clock::now() < end;)
    crew->run(100, &Work::part, &work);
  crew->close();
  task.tile<int>(0)(0, 0) = stepsOfRank0.load() == stepsPerRank;
  return 0;
}
const TaskClass helpedAllTheTimeClass{"helped", "test:2", helpedAllTheTime, nullptr, 0},
    stepClass{"step", "test:3", countStep, nullptr, 0}, nothingClass{"nothing", "test:4", nothing, nullptr, 0};

/// Messages of another rank are taken, and the tasks that wait for them are done, while the kernel runs.
TEST(CrewOfExecutor, LooksAtTheNetworkMeanwhile) {
  if (defaultThreads() < 2)
    GTEST_SKIP() << "threads that share a core do not help each other";
  Ranks ranks(2, {.threads = 2});
  for (int run = 0; run < 20; ++run) {
    std::vector<int> helped(2, 0);
    stepsOfRank0.store(0);
    const auto outcomes = ranks.run([&](int rank, Executor &executor) {
      executor.distribute(tla::Distribution::blockCyclic(1, 2));
      tla::Storage tiles(1, 4, 1, 1, sizeof(int), tla::Shape::General);
      int values[4] = {};
      for (int j = rank; j < 4; j += 2)
        tiles.setTile(0, j, &values[j]);
      const Outcome outcome = executor.run([&](Generator &tasks) {
        TileTable &A = tasks.matrix(tiles, "A");
        const auto append = [&](const TaskClass &taskClass, int written, int read) {
          const TileAccess accesses[] = {{&A, 0, written, Access::ReadWrite}, {&A, 0, read, Access::Read}};
          tasks.append({taskClass, 0, nullptr, 0, accesses, read == written ? 1 : 2});
        };
        append(helpedAllTheTimeClass, 0, 0);              // on rank 0
        append(nothingClass, 1, 1);                       // on rank 1
        for (int step = 0; step < stepsPerRank; ++step) { // to and fro
          append(stepClass, 2, step == 0 ? 1 : 3);
          append(nothingClass, 3, 2);
        }
      });
      helped[rank] = values[0];
      return outcome;
    });
    for (const Outcome &outcome : outcomes)
      ASSERT_EQ(outcome.kind, Outcome::Kind::Finished) << outcome.message;
    EXPECT_TRUE(helped[0]) << "run " << run;
  }
}
} // namespace
