// Groups of threads on cores of their own.
#include "runtime/virtual/one_core.hpp"

#include <gtest/gtest.h>

#include <barrier>
#include <cstddef>
#include <mutex>
#include <sched.h>
#include <set>
#include <thread>
#include <vector>

namespace tla::runtime {
namespace {

std::set<int> allowed() {
  cpu_set_t mask;
  sched_getaffinity(0, sizeof mask, &mask);
  std::set<int> cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &mask))
      cpus.insert(cpu);
  return cpus;
}

TEST(OneCore, HoldsTheThreadAndThoseItStartsAndLetsThemGo) {
  const std::set<int> before = allowed();
  {
    const OneCore core;
    EXPECT_EQ(allowed().size(), 1u);
    std::set<int> started;
    std::thread([&] { started = allowed(); }).join();
    EXPECT_EQ(started, allowed());
  }
  EXPECT_EQ(allowed(), before);
}

TEST(OneCore, GroupsHaveCoresOfTheirOwnAsLongAsThereAreSome) {
  const std::set<int> before = allowed();
  const auto groups = static_cast<std::ptrdiff_t>(before.size());
  std::barrier allBound(groups + 1), mayEnd(groups + 1);
  std::mutex mutex;
  std::set<int> used;
  std::vector<std::thread> threads;
  for (std::ptrdiff_t group = 0; group < groups; ++group)
    threads.emplace_back([&] {
      {
        const OneCore core;
        const std::set<int> mine = allowed();
        {
          const std::lock_guard lock(mutex);
          used.insert(mine.begin(), mine.end());
          EXPECT_EQ(mine.size(), 1u);
        }
        allBound.arrive_and_wait();
        mayEnd.arrive_and_wait();
      }
      EXPECT_EQ(allowed(), before);
    });
  allBound.arrive_and_wait();
  EXPECT_EQ(used, before);
  {
    const OneCore late;
    EXPECT_EQ(allowed(), before);
  }
  mayEnd.arrive_and_wait();
  for (std::thread &thread : threads)
    thread.join();
  const OneCore again;
  EXPECT_EQ(allowed().size(), 1u);
}

} // namespace
} // namespace tla::runtime
