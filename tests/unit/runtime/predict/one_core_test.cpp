// Groups of threads on cores of their own.
#include "runtime/predict/clock/one_core.hpp"

#include <gtest/gtest.h>

#include <barrier>
#include <cstddef>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <sched.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

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

/// No other process has the core now: tests that run beside this one may.
bool isUnclaimed(int cpu) {
  sockaddr_un name{.sun_family = AF_UNIX, .sun_path = {}};
  const std::string text = "hetc-core-" + std::to_string(cpu);
  text.copy(name.sun_path + 1, text.size());
  const int descriptor = socket(AF_UNIX, SOCK_DGRAM, 0);
  const bool free = bind(descriptor, reinterpret_cast<const sockaddr *>(&name),
                         static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + text.size())) == 0;
  close(descriptor);
  return free;
}

TEST(OneCore, OtherProcessesHaveOtherCores) {
  if (allowed().size() < 2)
    GTEST_SKIP() << "one core";
  int there[2], go[2];
  ASSERT_EQ(pipe(there), 0);
  ASSERT_EQ(pipe(go), 0);
  const pid_t child = fork();
  if (child == 0) {
    const OneCore core;
    const int mine = *allowed().begin();
    char end;
    if (write(there[1], &mine, sizeof mine) != sizeof mine || read(go[0], &end, 1) < 0)
      _exit(1);
    _exit(0);
  }
  int taken = -1;
  ASSERT_EQ(read(there[0], &taken, sizeof taken), static_cast<ssize_t>(sizeof taken));
  for (const int cpu : allowed())
    if (cpu != taken && isUnclaimed(cpu)) {
      const OneCore core;
      EXPECT_NE(*allowed().begin(), taken);
      break;
    }
  EXPECT_EQ(write(go[1], "x", 1), 1);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

} // namespace
} // namespace tla::runtime
