// Cores of this machine, and quotas of control groups.
#include "runtime/core/schedule/cgroup.hpp"
#include "runtime/core/schedule/topology.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

using namespace tla::runtime;

namespace {
TEST(UsableCores, AreAtLeastOneAndTheGuardRestores) {
  cpu_set_t before, after;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  {
    const AffinityGuard guard;
    UsableCores cores;
    EXPECT_GE(cores.count(), 1);
    EXPECT_LE(cores.count(), CPU_COUNT(&before));
    cores.startHere();
    cores.bind(0);
    EXPECT_EQ(UsableCores().count(), 1) << "a bound thread may use one core";
  }
  ASSERT_EQ(sched_getaffinity(0, sizeof after, &after), 0);
  EXPECT_TRUE(CPU_EQUAL(&before, &after));
}

/// A system of files below a folder of its own.
class FakeSystem {
public:
  FakeSystem() {
    std::string pattern = testing::TempDir() + "/cgroup-XXXXXX";
    root = ::mkdtemp(pattern.data());
  }
  ~FakeSystem() { std::filesystem::remove_all(root); }
  void write(const std::string &path, const std::string &content) const {
    std::filesystem::create_directories(std::filesystem::path(root + path).parent_path());
    std::ofstream(root + path) << content;
  }
  std::string root;
};

TEST(CpuQuota, IsTheLeastOnTheWayToTheRoot) {
  const FakeSystem system;
  EXPECT_EQ(cpuQuota(system.root), INFINITY);
  system.write("/proc/self/cgroup", "0::/user/job\n");
  system.write("/sys/fs/cgroup/user/job/cpu.max", "max 100000\n");
  EXPECT_EQ(cpuQuota(system.root), INFINITY);
  system.write("/sys/fs/cgroup/user/cpu.max", "150000 100000\n");
  EXPECT_EQ(cpuQuota(system.root), 1.5);
  system.write("/sys/fs/cgroup/user/job/cpu.max", "50000 100000\n");
  EXPECT_EQ(cpuQuota(system.root), 0.5);
}

TEST(CpuQuota, OfVersionOne) {
  const FakeSystem system;
  system.write("/proc/self/cgroup", "5:memory:/docker/1\n4:cpu,cpuacct:/docker/1\n");
  system.write("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
  system.write("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cpuQuota(system.root), INFINITY);
  system.write("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "300000\n");
  EXPECT_EQ(cpuQuota(system.root), 3);
}
} // namespace
