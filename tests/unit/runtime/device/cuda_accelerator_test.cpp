// The accelerator over CUDA: copies of tiles and triangles, kernels through the tables, what it says of failures,
// memory.
#include "kernels/cuda/table.hpp"
#include "runtime/predict/rates/kernel_check.hpp"
#include "runtime/predict/rates/probe_task.hpp"
#include "runtime/predict/rates/rate_measurement.hpp"
#include "runtime/predict/rates/rate_probes.hpp"
#include "tests/unit/runtime/device/cuda_accelerators.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>

using namespace tla;
using namespace tla::runtime;
using namespace tla::test;

namespace {
int factor(const TaskView &view) { return potrf<double>(Uplo::Lower, view.tile<double>(0)); }
int throwing(const TaskView &) { throw std::runtime_error("no luck"); }
int throwingANumber(const TaskView &) { throw 3; }
const TaskClass factorClass{"potrf", "test:2", factor, nullptr}, throwClass{"scal", "test:3", throwing, nullptr},
    numberClass{"scal", "test:4", throwingANumber, nullptr}, userClass{"mix", "test:5", scaleByTwo, nullptr};

TEST_F(CudaAccelerators, SayWhatTheyAre) {
  const CudaAccelerator accelerator = make();
  const AcceleratorProperties &properties = accelerator.properties();
  EXPECT_EQ(properties.name.find("cuda:0 "), 0u);
  EXPECT_EQ(properties.library.find("cuBLAS "), 0u);
  EXPECT_EQ(properties.memoryBytes, 64u << 20);
  EXPECT_TRUE(accelerator.has(scaleClass));
  EXPECT_FALSE(accelerator.has(userClass));
  EXPECT_TRUE(properties.runs(factorClass));
  EXPECT_FALSE(properties.runs(userClass));
  const auto memoryBound = [](const char *kernel) { return TaskClass{kernel, "", scaleByTwo, nullptr, 0, true}; };
  EXPECT_TRUE(properties.runs(memoryBound("laswp")));
  EXPECT_FALSE(properties.runs(memoryBound("omatcopy")));
}

/// Windows on larger tiles, of all element sizes, through the triangles; other elements stay as they are.
TEST_F(CudaAccelerators, CopyTilesAndTriangles) {
  CudaAccelerator accelerator = make(), peer = make(peerDevice_);
  peer.connect(accelerator);
  for (const std::size_t elementBytes : {4, 8, 16})
    for (const Region region : {Region::Full, Region::Lower, Region::Upper})
      for (const auto &[rows, columns] : {std::pair{5, 5}, {300, 7}, {3, 200}, {1, 1}}) {
        SCOPED_TRACE(testing::Message() << rows << " x " << columns << " of " << elementBytes << " region "
                                        << static_cast<int>(region));
        const int ld = rows + 3;
        const std::size_t bytes = elementBytes * rows * columns;
        std::vector<unsigned char> in(elementBytes * ld * columns), out(in.size(), 0xee), expected = out;
        for (std::size_t i = 0; i < in.size(); ++i)
          in[i] = static_cast<unsigned char>(i * 37 % 251);
        void *const first = accelerator.allocate(bytes), *second = peer.allocate(bytes);
        ASSERT_TRUE(first && second);
        accelerator.copyIn({in.data(), ld, first, rows, rows, columns, elementBytes, region}, token(1));
        EXPECT_EQ(collect(accelerator, 1)[0].error, "");
        if (peer.reaches(accelerator)) {
          peer.copyFrom(accelerator, {first, rows, second, rows, rows, columns, elementBytes, region}, token(2));
          EXPECT_EQ(collect(peer, 1)[0].error, "");
          peer.copyOut({second, rows, out.data(), ld, rows, columns, elementBytes, region}, token(3));
          EXPECT_EQ(collect(peer, 1)[0].error, "");
        } else {
          accelerator.copyOut({first, rows, out.data(), ld, rows, columns, elementBytes, region}, token(3));
          EXPECT_EQ(collect(accelerator, 1)[0].error, "");
        }
        const TileCopy whole{in.data(), ld, expected.data(), ld, rows, columns, elementBytes, region};
        whole.forEachColumn([&](std::size_t source, std::size_t destination, std::size_t count) {
          std::copy_n(in.begin() + source, count, expected.begin() + destination);
        });
        EXPECT_EQ(out, expected);
        accelerator.release(first, bytes);
        peer.release(second, bytes);
      }
}

/// More copies than are in flight at one time, both ways at once.
TEST_F(CudaAccelerators, ReportEveryCopyOnce) {
  CudaAccelerator accelerator = make();
  constexpr int n = 50, count = 40;
  std::vector<HostTile> in, out;
  std::vector<void *> data;
  for (int i = 0; i < count; ++i) {
    in.emplace_back(n, n, 1000 * i);
    out.emplace_back(n, n);
    data.push_back(accelerator.allocate(n * n * sizeof(double)));
    accelerator.copyIn(in[i].to(data[i]), token(i));
  }
  std::vector<int> seen(2 * count);
  for (int done = 0; done < 2 * count;)
    for (const Finished &end : collect(accelerator, 1)) {
      const int number = numberOf(end);
      EXPECT_EQ(end.error, "");
      ++seen[number];
      ++done;
      if (number < count)
        accelerator.copyOut(out[number].from(data[number]), token(count + number));
    }
  EXPECT_EQ(seen, std::vector<int>(2 * count, 1));
  for (int i = 0; i < count; ++i)
    EXPECT_EQ(in[i].elements, out[i].elements);
}

TEST_F(CudaAccelerators, RunKernelsOnTheirOwnMemory) {
  CudaAccelerator accelerator = make();
  constexpr int n = 40, count = 30;
  std::vector<void *> data;
  std::vector<HostTile> tiles;
  std::vector<std::unique_ptr<OneTileTask>> tasks;
  for (int i = 0; i < count; ++i) {
    tiles.emplace_back(n, n, i);
    data.push_back(accelerator.allocate(n * n * sizeof(double)));
    tasks.push_back(std::make_unique<OneTileTask>(scaleClass, data[i], n));
    accelerator.copyIn(tiles[i].to(data[i]), token(i));
  }
  collect(accelerator, count);
  for (int i = 0; i < count; ++i) // more than kernelsInFlight
    accelerator.launch(scaleClass, tasks[i]->task(), static_cast<Standing>(i % 3), token(i));
  for (const Finished &end : collect(accelerator, count)) {
    EXPECT_EQ(end.error, "");
    EXPECT_EQ(end.info, 0);
    EXPECT_GE(end.seconds, 0);
  }
  for (int i = 0; i < count; ++i) {
    HostTile out(n, n);
    accelerator.copyOut(out.from(data[i]), token(0));
    collect(accelerator, 1);
    for (double &x : tiles[i].elements)
      x *= 2;
    EXPECT_EQ(out.elements, tiles[i].elements);
  }
  HostTile tile(2, 2, 5);
  scal<double>(2.0, Tile<double>(tile.elements.data(), 2, 2, 2));
  EXPECT_EQ(tile.elements[0], 10); // the thread's kernels are the host's again
}

/// The kernel's body would read the device's memory on the host.
TEST_F(CudaAccelerators, LeaveAUsersKernelOfAStandardNameToTheHost) {
  CudaAccelerator accelerator = make();
  Executor executor({.threads = 1, .accelerators = {&accelerator}});
  for (const bool userKernel : {true, false}) {
    const TaskClass taskClass{"scal", "test:6", scaleByTwo, nullptr, 0, false, false, TaskDevice::Gpu, userKernel};
    Matrix<double> A(6, 6, 3);
    for (int j = 0; j < 2; ++j)
      for (int i = 0; i < 2; ++i)
        A(i, j)(1, 1) = 21;
    const Outcome outcome = executor.run([&](Generator &tasks) {
      TileTable &table = tasks.matrix(A.storage(), "A");
      for (int j = 0; j < 2; ++j)
        for (int i = 0; i < 2; ++i) {
          const TileAccess access{&table, i, j, Access::ReadWrite};
          tasks.append({taskClass, 0, nullptr, 0, &access, 1});
        }
    });
    EXPECT_EQ(outcome.kind, Outcome::Kind::Finished) << outcome.message;
    EXPECT_EQ(outcome.statistics.devices.at(0).tasks, userKernel ? 0u : 4u);
    EXPECT_EQ(A(1, 0)(1, 1), 42);
  }
}

TEST_F(CudaAccelerators, ComputeWhatTheHostDoes) {
  CudaAccelerator accelerator = make();
  for (const ElementType type : {ElementType::D, ElementType::C})
    EXPECT_NO_THROW(host::requireSameResults(accelerator, {type, host::probedKernels(type), 64}));
}

/// Once one of them has shown that it is one; the others, and of other sizes, are a launch each.
TEST_F(CudaAccelerators, TakeProductsOfTheirOwnTogether) {
  CudaAccelerator accelerator = make();
  const Together &together = accelerator.properties().together;
  if (!together.products || !together.products('d', 256, 256, 256))
    GTEST_SKIP() << "there are none for this device";
  EXPECT_GT(together.tasks, 1);
  EXPECT_FALSE(together.products('s', 256, 256, 256));
  EXPECT_FALSE(together.products('d', 256, 256, 128));
  EXPECT_FALSE(together.products('d', 257, 256, 256)); // blocks would be about half empty
  EXPECT_FALSE(together.products('d', 4096, 4096, 4096));
  const auto probes = host::probesOf(ElementType::D, {"gemm", "potrf"});
  void *const data = accelerator.allocate(256 * 256 * sizeof(double));
  for (const host::RateProbe &probe : probes)
    for (const int nb : {256, 64}) {
      host::ProbeShape shape(probe, nb, sizeof(double));
      SingleTask task = host::taskOf(shape);
      for (int tile = 0; tile < probe.tiles; ++tile)
        task.setTile(tile, data);
      EXPECT_FALSE(accelerator.joins(probe.taskClass, sizeOf(probe.taskClass, TaskView(task.task()))));
      accelerator.launch(probe.taskClass, task.task(), Standing::Among, token(1));
      EXPECT_EQ(collect(accelerator, 1)[0].error, "");
      const bool expected = nb == 256 && std::string_view(probe.taskClass.kernel) == "gemm";
      EXPECT_EQ(accelerator.joins(probe.taskClass, sizeOf(probe.taskClass, TaskView(task.task()))), expected)
          << probe.taskClass.kernel << " " << nb;
    }
  accelerator.release(data, 256 * 256 * sizeof(double));
  EXPECT_TRUE(host::requireSameResults(accelerator, {ElementType::D, {"gemm"}, 256})); // to the bit, too
}

/// Beside as many products as it has in flight.
TEST_F(CudaAccelerators, KnowWhatPanelsWaitFor) {
  CudaAccelerator accelerator = make();
  const host::UnitRates rates =
      host::measureAccelerator(accelerator, {ElementType::D, {"gemm", "potrf", "larfb"}, false, 128, 0});
  EXPECT_GT(rates.secondsOf("potrf", 128).value_or(0), 0);
  for (const auto &[kernel, waits] : rates.waits) {
    EXPECT_NE(kernel, "gemm");
    EXPECT_EQ(waits.count(64), 0u);
  }
  void *const everything = accelerator.allocate(accelerator.properties().memoryBytes);
  EXPECT_TRUE(everything);
  accelerator.release(everything, accelerator.properties().memoryBytes);
}

/// The kernels that it has bodies for are measured; the memory is free again.
TEST_F(CudaAccelerators, CanBeMeasured) {
  CudaAccelerator accelerator = make();
  const host::UnitRates rates = host::measureAccelerator(
      accelerator,
      {ElementType::D, {"gemm", "herk", "trsm", "potrf", "getrf", "geqrf", "unmqr", "tsmqr", "hetrf_nopiv"}, 0});
  for (const char *const kernel : {"gemm", "herk", "trsm", "potrf", "getrf", "geqrf", "unmqr", "tsmqr"})
    EXPECT_GT(rates.secondsOf(kernel, 32).value_or(0), 0) << kernel;
  for (const char *const kernel : {"getrf", "geqrf"})
    EXPECT_GT(rates.panelSeconds(kernel, 32, 8).value_or(0), 0) << kernel;
  EXPECT_EQ(rates.secondsOf("hetrf_nopiv", 32).has_value(),
            accelerator.has({"hetrf_nopiv", "test:7", scaleByTwo, nullptr}));
  EXPECT_GE(rates.bandwidth, 0);
  void *const everything = accelerator.allocate(accelerator.properties().memoryBytes);
  EXPECT_TRUE(everything);
  accelerator.release(everything, accelerator.properties().memoryBytes);
}

TEST_F(CudaAccelerators, ReportInfoAndExceptions) {
  CudaAccelerator accelerator = make();
  constexpr int n = 3;
  HostTile tile(n, n);
  tile.elements = {4, 0, 0, 0, -1, 0, 0, 0, 1};
  void *const data = accelerator.allocate(n * n * sizeof(double));
  accelerator.copyIn(tile.to(data), token(0));
  collect(accelerator, 1);
  const auto run = [&](const TaskClass &taskClass) {
    const OneTileTask task(taskClass, data, n);
    accelerator.launch(taskClass, task.task(), Standing::Among, token(1));
    return collect(accelerator, 1)[0];
  };
  EXPECT_EQ(run(factorClass).info, 2);
  EXPECT_EQ(run(throwClass).error, "no luck");
  EXPECT_EQ(run(numberClass).error, "exception of unknown type");
  EXPECT_EQ(run(scaleClass).info, 0);
}

TEST_F(CudaAccelerators, MoreMemoryThanIsFreeIsRefusedUnlessLessWillDo) {
  constexpr std::size_t much = std::size_t(1) << 50;
  EXPECT_THROW(CudaMemory(0, {much}), kernels::cuda::CudaError);
  const std::size_t most = CudaMemory(0, {}).limit();
  EXPECT_GT(most, 0u);
  EXPECT_EQ(CudaMemory(0, {much, true}).limit(), most);
  EXPECT_EQ(CudaMemory(0, {1 << 20, true}).limit(), 1u << 20);
}

TEST_F(CudaAccelerators, GiveWhatTheLimitAllowsWhateverTheSizes) {
  CudaMemory memory(0, {1000 * CudaMemory::granularity});
  std::vector<std::pair<void *, std::size_t>> held;
  std::size_t used = 0;
  unsigned random = 1;
  for (int step = 0; step < 5000; ++step) {
    random = random * 1664525 + 1013904223;
    const std::size_t units = 1 + (random >> 16) % 90, bytes = units * CudaMemory::granularity - random % 100;
    if (used + units <= 1000) {
      void *const data = memory.allocate(bytes);
      ASSERT_TRUE(data) << "step " << step;
      held.emplace_back(data, bytes);
      used += units;
    } else {
      EXPECT_FALSE(memory.allocate(bytes));
      std::swap(held[(random >> 8) % held.size()], held.back());
      memory.release(held.back().first, held.back().second);
      used -= (held.back().second + CudaMemory::granularity - 1) / CudaMemory::granularity;
      held.pop_back();
    }
  }
  for (const auto &[data, bytes] : held)
    memory.release(data, bytes);
  EXPECT_TRUE(memory.allocate(1000 * CudaMemory::granularity));
}

TEST_F(CudaAccelerators, WaitSeesAWakeThatCameBefore) {
  using Clock = std::chrono::steady_clock;
  CudaAccelerator accelerator = make();
  accelerator.wake();
  const Clock::time_point begin = Clock::now();
  accelerator.wait(10'000'000'000);
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(5));
  accelerator.wait(1'000'000); // and only that one
  EXPECT_GE(Clock::now() - begin, std::chrono::milliseconds(1));
}
} // namespace
