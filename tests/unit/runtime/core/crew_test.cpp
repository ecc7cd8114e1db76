// Threads that help with a kernel: every part is done once, whoever comes and goes.
#include "runtime/core/crew.hpp"
#include "runtime/core/host_device.hpp"
#include "runtime/core/topology.hpp"

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

namespace {
/// What a kernel does: rounds of parts, each of which adds up what the round before has left.
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
}
} // namespace
