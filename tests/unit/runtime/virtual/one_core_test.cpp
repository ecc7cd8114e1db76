// Groups of threads on cores of their own.
#include "runtime/virtual/one_core.hpp"

#include <gtest/gtest.h>

#include <memory>
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
  std::set<int> used;
  std::vector<std::unique_ptr<OneCore>> groups;
  for (std::size_t group = 0; group < before.size(); ++group)
    std::thread([&] {
      groups.push_back(std::make_unique<OneCore>());
      const std::set<int> mine = allowed();
      EXPECT_EQ(mine.size(), 1u);
      used.insert(mine.begin(), mine.end());
    }).join();
  EXPECT_EQ(used, before);
  {
    const OneCore late;
    EXPECT_EQ(allowed(), before);
  }
  EXPECT_EQ(allowed(), before);
}

} // namespace
} // namespace tla::runtime
