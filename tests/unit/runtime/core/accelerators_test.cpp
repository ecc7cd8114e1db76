// Any program on the host and 0 to 3 emulated accelerators, within any memory: bitwise the serial result. Faults stop
// it.
#include "runtime/core/passes/device_counts.hpp"
#include "tests/unit/runtime/core/emulated_devices.hpp"
#include "tests/unit/runtime/core/random_program.hpp"

#include "runtime/interfaces/cost.hpp"

#include <gtest/gtest.h>

using namespace tla;
using namespace tla::runtime;
using namespace tla::test;

namespace {
std::vector<Element> serialResult(const Program &program) {
  ProgramData data(program, true);
  runSerially(program, data);
  return data.content();
}

Outcome run(Executor &executor, const Program &program, ProgramData &data) {
  return executor.run([&](Generator &generator) { generate(program, data, generator); });
}

/// Enough for the largest task of the random programs: a panel of 20 tiles and some.
constexpr const char *tight = "mem=3000";

/// The counts that are predicted for each device.
std::vector<DeviceCounts> predicted(const Program &program, const Devices &devices, std::vector<int> weights,
                                    int hostWeight) {
  std::vector<NodePlaces::Memory> memories;
  for (const Accelerator *device : devices.list())
    memories.push_back({device->properties().name, device->properties().memoryBytes, device->properties().granularity});
  const NodePlaces places(memories, std::move(weights), hostWeight, Distribution(), 0);
  ProgramData data(program, false);
  const std::vector<DeviceCost> counts = countDevices(
      [&](TaskSink &sink) {
        Generator generator(sink);
        generate(program, data, generator);
      },
      places, nullptr, 0);
  return {counts.begin(), counts.end()};
}

/// By accelerator: copies in, out, and from others.
using Copies = std::vector<std::array<CopyCounts, 3>>;
Copies copiesOf(const std::vector<DeviceCounts> &devices) {
  Copies copies;
  for (const DeviceCounts &device : devices)
    copies.push_back({device.in, device.out, device.peer});
  return copies;
}
Copies copiesOf(const std::vector<CopyEvent> &trace, std::size_t devices) {
  Copies copies(devices);
  for (const CopyEvent &copy : trace) {
    CopyCounts &counts = copies[copy.device][static_cast<int>(copy.way)];
    ++counts.copies;
    counts.bytes += copy.bytes;
    EXPECT_LE(copy.begin, copy.end);
  }
  return copies;
}

struct Case {
  const char *name;
  std::string devices;
  std::vector<int> weights;
  int hostWeight;
};
class OnAccelerators : public testing::TestWithParam<Case> {};

TEST_P(OnAccelerators, RandomProgramsEqualTheirSerialElision) {
  const Case &one = GetParam();
  const Devices devices(one.devices);
  for (const int threads : {1, 3})
    for (const int window : {1, 7, 8192}) {
      Executor executor({.threads = threads,
                         .window = window,
                         .pin = false,
                         .trace = window == 7,
                         .accelerators = devices.list(),
                         .deviceWeights = one.weights,
                         .hostWeight = one.hostWeight});
      for (int seed = 0; seed < seeds(14); ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed) + " window " + std::to_string(window));
        const Program program = makeProgram(seed, 20 + seed % 7 * 60);
        ProgramData data(program, false);
        const Outcome outcome = run(executor, program, data);
        ASSERT_EQ(outcome.kind, Outcome::Kind::Finished) << outcome.message;
        ASSERT_EQ(data.content(), serialResult(program));
        const Statistics &statistics = outcome.statistics;
        EXPECT_EQ(statistics.tasks, program.tasks.size());
        ASSERT_EQ(statistics.devices.size(), devices.list().size());
        const std::vector<DeviceCounts> expected = predicted(program, devices, one.weights, one.hostWeight);
        for (std::size_t d = 0; d < expected.size(); ++d) {
          const DeviceStatistics &device = statistics.devices[d];
          EXPECT_EQ(static_cast<const DeviceCounts &>(device), expected[d]);
          EXPECT_GT(device.tasks, 0u);
          EXPECT_GT(device.in.bytes, 0u);
          EXPECT_GT(device.peakBytes, 0u);
          EXPECT_LE(device.peakBytes, devices.list()[0]->properties().memoryBytes);
        }
        EXPECT_EQ(copiesOf(statistics.copyTrace, expected.size()),
                  copiesOf(window == 7 ? expected : std::vector<DeviceCounts>(expected.size())));
        ASSERT_TRUE(devices.empty());
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Devices, OnAccelerators,
                         testing::Values(Case{"One", "emulated:1", {}, 0}, Case{"OneAndHost", "emulated:1", {}, 1},
                                         Case{"OneTight", std::string("emulated:1,") + tight, {}, 0},
                                         Case{"Two", "emulated:2", {2, 1}, 0},
                                         Case{"TwoTight", std::string("emulated:2,") + tight, {}, 0},
                                         Case{"TwoLate", "emulated:2,lat=20", {}, 0},
                                         Case{"Three", "emulated:3", {}, 0},
                                         Case{"ThreeTight", std::string("emulated:3,") + tight, {}, 0}),
                         [](const auto &info) { return info.param.name; });

TEST(OnAcceleratorsOfRanks, RandomProgramsEqualTheirSerialElision) {
  for (const char *const memory : {"", ",mem=3000"})
    for (const int ranks : {2, 3}) {
      for (const int window : {1, 64}) {
        RanksWithDevices all(ranks, std::string("emulated:2") + memory, window);
        for (int seed = 0; seed < seeds(15); ++seed) {
          SCOPED_TRACE("seed " + std::to_string(seed) + " ranks " + std::to_string(ranks));
          const Program program = makeProgram(seed, 20 + seed % 7 * 60);
          const Distribution distribution = randomTable(ranks, seed);
          std::vector<std::unique_ptr<ProgramData>> data(ranks);
          std::vector<Outcome> outcomes(ranks);
          all.onEach([&](int rank, Executor &executor) {
            data[rank] = std::make_unique<ProgramData>(program, false);
            data[rank]->keepTilesOf(distribution, rank);
            executor.distribute(distribution);
            outcomes[rank] = run(executor, program, *data[rank]);
          });
          const CostOptions options{.devices = all.descriptions(), .hostWeight = 1};
          ProgramData dry(program, false);
          const Cost cost =
              predictCost([&](Generator &generator) { generate(program, dry, generator); }, distribution, options);
          for (int rank = 0; rank < ranks; ++rank) {
            ASSERT_EQ(outcomes[rank].kind, Outcome::Kind::Finished) << outcomes[rank].message;
            const auto &counted = outcomes[rank].statistics.devices;
            const std::vector<DeviceCost> &devices = cost.nodes[rank].devices;
            EXPECT_EQ((std::vector<DeviceCounts>{counted.begin(), counted.end()}),
                      (std::vector<DeviceCounts>{devices.begin(), devices.end()}));
          }
          ASSERT_EQ(ProgramData::content(data, distribution), serialResult(program));
        }
      }
    }
}

/// `kernel`: empty for any. Runs until the fault, then once more without one: the executor is as good as new.
void expectFault(const std::string &fault, const std::string &kernel, const std::string &message) {
  const Devices devices("emulated:2,fail=" + fault);
  Executor executor({.threads = 2, .pin = false, .accelerators = devices.list()});
  const Program program = makeProgram(5, 300);
  ProgramData data(program, false);
  const Outcome outcome = run(executor, program, data);
  EXPECT_EQ(outcome.kind, Outcome::Kind::Fault);
  EXPECT_EQ(outcome.kernel, kernel.empty() ? outcome.kernel : kernel);
  EXPECT_NE(outcome.matrix, "");
  EXPECT_NE(outcome.message.find(message), std::string::npos) << outcome.message;
  EXPECT_TRUE(devices.empty());
  ProgramData again(program, false);
  EXPECT_EQ(run(executor, program, again).kind, Outcome::Kind::Finished);
  EXPECT_EQ(again.content(), serialResult(program));
}

TEST(FaultsOfAccelerators, StopTheRunAndNameDeviceTaskAndTile) {
  expectFault("kernel:20@1", "mix", "emulated:1: injected fault of a kernel");
  expectFault("copy:1@0", "copy", "emulated:0: injected fault of a copy");
  expectFault("copy:30@1", "copy", "emulated:1: injected fault of a copy");
  expectFault("memory:9@0", "", "emulated:0");
}

TEST(FaultsOfAccelerators, MemoryForNoTaskIsRefusedBeforeTheRun) {
  const Devices devices("emulated:1,mem=128");
  Executor executor({.threads = 1, .pin = false, .accelerators = devices.list()});
  const Program program = makeProgram(5, 300);
  ProgramData data(program, false);
  const std::vector<Element> before = data.content();
  EXPECT_THROW(run(executor, program, data), UsageError);
  EXPECT_EQ(data.content(), before);
}

TEST(OptionsOfAccelerators, AreChecked) {
  const Devices devices("emulated:2");
  const auto make = [&](std::vector<int> weights, int hostWeight) {
    Executor({.threads = 1, .accelerators = devices.list(), .deviceWeights = weights, .hostWeight = hostWeight});
  };
  EXPECT_THROW(make({1}, 0), UsageError);
  EXPECT_THROW(make({1, 0}, 0), UsageError);
  EXPECT_THROW(make({1, 1}, -1), UsageError);
  EXPECT_NO_THROW(make({3, 1}, 2));
}
} // namespace
