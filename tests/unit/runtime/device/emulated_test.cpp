// The emulated accelerator: what the host cannot do with it, the order of its streams, delays, injected faults.
#include "runtime/device/emulated/emulated_accelerator.hpp"
#include "tests/unit/runtime/device/accelerator_samples.hpp"
#include "tests/unit/usage_error.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <stdexcept>

using namespace tla;
using namespace tla::runtime;
using namespace tla::test;

namespace {
using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

int addOne(const TaskView &view) {
  const Tile<double> A = view.tile<double>(0);
  for (int j = 0; j < A.n(); ++j)
    for (int i = 0; i < A.m(); ++i)
      A(i, j) += 1;
  return 17;
}
double millionFlops(const TaskView &) { return 1e6; }
const TaskClass adding{"add", "test:1", addOne, millionFlops};
const TaskClass throwing{"throw", "test:2", [](const TaskView &) -> int { throw std::runtime_error("no luck"); },
                         nullptr};

TEST(EmulatedMemory, IsOutOfTheHostsReach) {
  EmulatedMemory memory(1 << 20);
  auto *const data = static_cast<volatile char *>(memory.allocate(100));
  ASSERT_TRUE(data);
  EXPECT_DEATH(data[0] = 1, "");
  EXPECT_DEATH((void)data[0], "");
  *memory.inside(data) = 1;
  memory.release(const_cast<char *>(data), 100);
}

TEST(EmulatedMemory, GivesWhatTheLimitAllowsWhateverTheSizes) {
  constexpr std::size_t unit = 64;
  EmulatedAccelerator accelerator({.memoryBytes = 1000 * unit});
  EXPECT_EQ(accelerator.properties().granularity, unit);
  std::vector<std::pair<void *, std::size_t>> held;
  std::size_t used = 0;
  unsigned random = 1;
  for (int step = 0; step < 20000; ++step) {
    random = random * 1664525 + 1013904223;
    const std::size_t bytes = (1 + (random >> 16) % 90) * unit;
    if (used + bytes <= 1000 * unit) {
      void *const memory = accelerator.allocate(bytes);
      ASSERT_TRUE(memory) << "step " << step;
      *accelerator.inside(static_cast<std::size_t *>(memory)) = bytes;
      held.emplace_back(memory, bytes);
      used += bytes;
    } else {
      EXPECT_FALSE(accelerator.allocate(bytes));
      std::swap(held[(random >> 8) % held.size()], held.back());
      const auto [memory, size] = held.back();
      ASSERT_EQ(*accelerator.inside(static_cast<std::size_t *>(memory)), size); // nobody else has had it
      accelerator.release(memory, size);
      held.pop_back();
      used -= size;
    }
  }
  for (const auto &[memory, bytes] : held)
    accelerator.release(memory, bytes);
  EXPECT_TRUE(accelerator.allocate(1000 * unit));
}

TEST(EmulatedAccelerator, CopiesTilesAndTrianglesThere) {
  EmulatedAccelerator accelerator({.memoryBytes = 1 << 20}), peer({.number = 1, .memoryBytes = 1 << 20});
  constexpr int n = 5;
  HostTile in(n, n, 1), out(n, n, 100);
  void *const first = accelerator.allocate(n * n * sizeof(double)), *const second =
                                                                        peer.allocate(n * n * sizeof(double));
  accelerator.copyIn(in.to(first), token(1));
  EXPECT_EQ(numberOf(collect(accelerator, 1)[0]), 1);
  peer.copyFrom(accelerator, {first, n, second, n, n, n, sizeof(double), Region::Full}, token(2));
  EXPECT_EQ(numberOf(collect(peer, 1)[0]), 2);
  const std::vector<double> before = out.elements;
  EXPECT_EQ(out.from(second, Region::Lower).bytes(), n * (n - 1) / 2 * sizeof(double));
  peer.copyOut(out.from(second, Region::Lower), token(3));
  EXPECT_EQ(collect(peer, 1)[0].error, "");
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      EXPECT_EQ(out.elements[i + j * n], (i > j ? in.elements : before)[i + j * n]);
  peer.copyOut(out.from(second, Region::Upper), token(4));
  collect(peer, 1);
  EXPECT_EQ(out.elements, in.elements);
}

TEST(EmulatedAccelerator, RunsKernelsOnItsOwnMemoryInOrder) {
  EmulatedAccelerator accelerator({.memoryBytes = 1 << 20});
  constexpr int n = 8;
  HostTile tile(n, n), result(n, n);
  void *const data = accelerator.allocate(n * n * sizeof(double));
  accelerator.copyIn(tile.to(data), token(0));
  collect(accelerator, 1);
  const OneTileTask add(adding, data, n), fail(throwing, data, n);
  for (int i = 1; i <= 20; ++i)
    accelerator.launch(i == 7 ? throwing : adding, i == 7 ? fail.task() : add.task(), Standing::Among, token(i));
  const std::vector<Finished> ends = collect(accelerator, 20);
  for (int i = 1; i <= 20; ++i) {
    EXPECT_EQ(numberOf(ends[i - 1]), i);
    EXPECT_EQ(ends[i - 1].info, i == 7 ? 0 : 17);
    EXPECT_EQ(ends[i - 1].error, i == 7 ? "no luck" : "");
  }
  accelerator.copyOut(result.from(data), token(21));
  collect(accelerator, 1);
  for (int i = 0; i < n * n; ++i)
    EXPECT_EQ(result.elements[i], tile.elements[i] + 19);
}

/// One operation of the time of all; panels and kernels of a user's own are none of them.
TEST(EmulatedAccelerator, RunsSeveralTasksTogether) {
  EmulatedAccelerator accelerator({.memoryBytes = 1 << 20, .gigaflopsPerSecond = 1, .tasksTogether = 3}), single({});
  const AcceleratorProperties &properties = accelerator.properties();
  EXPECT_EQ(properties.together.tasks, 3);
  EXPECT_EQ(single.properties().together.tasks, 1);
  constexpr int n = 8;
  HostTile tile(n, n), result(n, n);
  void *const data = accelerator.allocate(n * n * sizeof(double));
  accelerator.copyIn(tile.to(data), token(0));
  collect(accelerator, 1);
  const OneTileTask add(adding, data, n);
  TaskClass panel = adding, own = adding;
  panel.kernel = "potrf";
  own.userKernel = true;
  EXPECT_TRUE(accelerator.joins(adding, {}));
  EXPECT_FALSE(accelerator.joins(panel, {}));
  EXPECT_FALSE(accelerator.joins(own, {}));
  EXPECT_FALSE(single.joins(adding, {}));
  accelerator.launchTogether(adding, std::array{&add.task(), &add.task(), &add.task()}, Standing::Among, token(4));
  const Finished end = collect(accelerator, 1)[0];
  EXPECT_EQ(numberOf(end), 4);
  EXPECT_EQ(end.error, "");
  EXPECT_GE(end.seconds, 3e-3); // 1e6 operations each
  accelerator.copyOut(result.from(data), token(21));
  collect(accelerator, 1);
  for (int i = 0; i < n * n; ++i)
    EXPECT_EQ(result.elements[i], tile.elements[i] + 3);
}

TEST(EmulatedAccelerator, TakesTheTimeAskedFor) {
  // 1e6 flops at 1 Gflop/s: 1 ms a kernel. 8000 bytes at 0.008 GB/s and 0.5 ms: 1.5 ms a copy, beside the kernels.
  EmulatedAccelerator accelerator(
      {.memoryBytes = 1 << 20, .gigaflopsPerSecond = 1, .gigabytesPerSecond = 0.008, .latencySeconds = 0.5e-3});
  constexpr int n = 8;
  void *const data = accelerator.allocate(n * n * sizeof(double)), *const other = accelerator.allocate(8000);
  const HostTile tile(100, 10);
  const OneTileTask add(adding, data, n);
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < 10; ++i)
    accelerator.launch(adding, add.task(), Standing::Among, token(i));
  for (int i = 0; i < 4; ++i)
    accelerator.copyIn(tile.to(other), token(10 + i));
  double kernels = 0, copies = 0;
  for (const Finished &end : collect(accelerator, 14))
    (numberOf(end) < 10 ? kernels : copies) += end.seconds;
  const double all = secondsSince(begin);
  EXPECT_GE(kernels, 10e-3);
  EXPECT_GE(copies, 6e-3);
  EXPECT_GE(all, 10e-3);
  EXPECT_LT(all, 1.0); // a machine that is busy with other things is late, but not by that
}

TEST(EmulatedAccelerator, WaitSeesAWakeThatCameBefore) {
  EmulatedAccelerator accelerator({.memoryBytes = 1 << 20});
  accelerator.wake();
  const Clock::time_point begin = Clock::now();
  accelerator.wait(10'000'000'000);
  EXPECT_LT(secondsSince(begin), 5);
  accelerator.wait(1'000'000); // and only that one
  EXPECT_GE(secondsSince(begin), 1e-3);
}

TEST(EmulatedAccelerator, FailsWhereAsked) {
  EmulatedAccelerator accelerator({.memoryBytes = 1 << 20, .failKernel = 2, .failCopy = 3, .failAllocation = 2});
  constexpr int n = 4;
  HostTile tile(n, n), result(n, n, 50);
  void *const data = accelerator.allocate(n * n * sizeof(double));
  ASSERT_TRUE(data);
  EXPECT_FALSE(accelerator.allocate(64));
  EXPECT_TRUE(accelerator.allocate(64));
  const OneTileTask add(adding, data, n);
  accelerator.copyIn(tile.to(data), token(1));
  EXPECT_EQ(collect(accelerator, 1)[0].error, "");
  accelerator.launch(adding, add.task(), Standing::Among, token(2));
  accelerator.launch(adding, add.task(), Standing::Among, token(3));
  const std::vector<Finished> kernels = collect(accelerator, 2);
  EXPECT_EQ(kernels[0].error, "");
  EXPECT_EQ(kernels[1].error, "injected fault of a kernel");
  accelerator.copyOut(result.from(data), token(4));
  EXPECT_EQ(collect(accelerator, 1)[0].error, "");
  EXPECT_EQ(result.elements[3], tile.elements[3] + 1); // the kernel that failed has done nothing
  accelerator.copyOut(result.from(data), token(5));
  EXPECT_EQ(collect(accelerator, 1)[0].error, "injected fault of a copy");
}

TEST(EmulatedOptions, AreRead) {
  const auto all =
      parseEmulated("emulated:3,mem=1.5M,speed=10:20,bw=2.5:0.5,lat=4,together=8:1e6,fail=copy:7@1,fail=memory:2");
  ASSERT_EQ(all.size(), 3u);
  for (int i = 0; i < 3; ++i) {
    const EmulatedOptions &one = all[i];
    EXPECT_EQ(one.number, i);
    EXPECT_EQ(one.memoryBytes, 3u << 19);
    EXPECT_EQ(one.gigaflopsPerSecond, i == 1 ? 20 : 10);
    EXPECT_EQ(one.gigabytesPerSecond, i == 1 ? 0.5 : 2.5);
    EXPECT_DOUBLE_EQ(one.latencySeconds, 4e-6);
    EXPECT_EQ(one.tasksTogether, 8);
    EXPECT_EQ(one.operationsTogether, 1e6);
    EXPECT_EQ(one.failCopy, i == 1 ? 7 : 0);
    EXPECT_EQ(one.failAllocation, 2);
    EXPECT_EQ(one.failKernel, 0);
  }
}

TEST(EmulatedOptions, RanksDiffer) {
  for (int rank = 0; rank < 3; ++rank) {
    const auto all = parseEmulated("emulated:2,ranks=1:3,speed=10:20", rank);
    EXPECT_EQ(all[0].gigaflopsPerSecond, rank == 1 ? 30 : 10);
    EXPECT_EQ(all[1].gigaflopsPerSecond, rank == 1 ? 60 : 20);
  }
}

TEST(EmulatedOptions, MistakesAreSaid) {
  const std::pair<const char *, const char *> mistakes[] = {
      {"emulated:0", "'0' is no number of emulated accelerators from 1 to 62"},
      {"emulated:x", "'x' is no number of emulated accelerators from 1 to 62"},
      {"emulated:2,mem=lots", "'lots' is no memory size; examples are 16M and 1.5G"},
      {"emulated:2,mem=0", "'0' is no memory size; examples are 16M and 1.5G"},
      {"emulated:2,mem=9999999G", "'9999999G' is no memory size; examples are 16M and 1.5G"},
      {"emulated:2,speed=1:2:3", "3 speeds for 2 emulated accelerators"},
      {"emulated:2,speed=1:0", "'0' is no speed in Gflop/s above 0"},
      {"emulated:2,together=0", "'0' does not say how many tasks, 1 to 64, one launch takes; examples are 8 and 8:1e6, "
                                "with no more once they have so many operations"},
      {"emulated:2,together=3:x", "'3:x' does not say how many tasks, 1 to 64, one launch takes; examples are 8 and "
                                  "8:1e6, with no more once they have so many operations"},
      {"emulated:2,bw=-1", "'-1' is no bandwidth in GB/s above 0"},
      {"emulated:2,bw=1:2:3", "3 bandwidths for 2 emulated accelerators"},
      {"emulated:2,ranks=1:0", "'0' is no factor of a rank's speed above 0"},
      {"emulated:2,lat=nan", "'nan' is no latency in microseconds above 0"},
      {"emulated:2,fail=kernel", "'kernel' is no fault; examples are kernel:3, copy:1 and memory:2@0"},
      {"emulated:2,fail=copy:1@2", "'copy:1@2' is no fault; examples are kernel:3, copy:1 and memory:2@0"},
      {"emulated:2,men=3M",
       "emulated accelerators have no option 'men'; there are mem, speed, bw, lat, together, ranks, fail"},
      {"cuda:1", "'cuda:1' is no emulated:N"}};
  for (const auto &[text, expected] : mistakes) {
    EXPECT_EQ(usageError([&] { parseEmulated(text); }), expected) << text;
  }
}
} // namespace
