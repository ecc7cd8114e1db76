// Runs in virtual time: makespans known by hand, the order of any program's tasks, counts as in a run, faults.
#include "runtime/core/passes/device_counts.hpp"
#include "runtime/predict/machine/virtual_accelerator.hpp"
#include "tests/unit/runtime/core/random_program.hpp"

#include <gtest/gtest.h>

using namespace tla;
using namespace tla::runtime;
using namespace tla::test;

namespace {

int neverRun(const TaskView &) {
  ADD_FAILURE() << "a kernel ran in virtual time";
  return 0;
}

/// A machine whose every task takes a second on a core.
struct Seconds {
  VirtualTime time;
  VirtualMachine machine{time, [](const TaskClass &, const TaskView &) { return 1.0; }};
};

/// `tasks` tasks on one tile, or each on its own.
double makespan(int threads, int tasks, bool chain) {
  static const TaskClass touch{"touch", "test:1", neverRun, nullptr};
  Seconds clock;
  Storage storage(tasks, 1, 1, 1, 8, Shape::General);
  for (int i = 0; i < tasks; ++i)
    storage.setTile(i, 0, reinterpret_cast<void *>(std::uintptr_t(4096) * (i + 1)));
  Executor executor({.threads = threads, .virtualMachine = &clock.machine});
  const Outcome outcome = executor.run([&](Generator &generator) {
    TileTable &table = generator.matrix(storage, "A");
    for (int i = 0; i < tasks; ++i) {
      const TileAccess access{&table, chain ? 0 : i, 0, Access::ReadWrite};
      generator.append({touch, 0, nullptr, 0, &access, 1});
    }
  });
  EXPECT_EQ(outcome.kind, Outcome::Kind::Finished) << outcome.message;
  EXPECT_EQ(outcome.statistics.tasks, static_cast<std::uint64_t>(tasks));
  return outcome.statistics.seconds;
}

TEST(VirtualRun, TakesAsLongAsItsTasks) {
  EXPECT_NEAR(makespan(1, 7, false), 7, 1e-6);
  EXPECT_NEAR(makespan(3, 7, false), 3, 1e-6);
  EXPECT_NEAR(makespan(100, 7, false), 1, 1e-6);
  EXPECT_NEAR(makespan(100, 7, true), 7, 1e-6);
}

TEST(VirtualRun, TellsWhatItWaitedFor) {
  static const TaskClass slow{"slow", "test:1", neverRun, nullptr};
  Seconds clock;
  Storage storage(3, 1, 1, 1, 8, Shape::General);
  for (int i = 0; i < 3; ++i)
    storage.setTile(i, 0, reinterpret_cast<void *>(std::uintptr_t(4096) * (i + 1)));
  Executor executor({.threads = 2, .virtualMachine = &clock.machine});
  const Outcome outcome = executor.run([&](Generator &generator) { // three that are ready, for two threads
    TileTable &table = generator.matrix(storage, "A");
    for (int i = 0; i < 3; ++i) {
      const TileAccess access{&table, i, 0, Access::ReadWrite};
      generator.append({slow, 0, nullptr, 0, &access, 1});
    }
  });
  const std::vector<PathPart> &path = outcome.statistics.criticalPath;
  ASSERT_EQ(path.size(), 2u);
  for (const PathPart &part : path) {
    EXPECT_EQ(part.kernel, "slow");
    EXPECT_EQ(part.tasks, 1u);
    EXPECT_NEAR(part.seconds, 1, 1e-6);
  }
  EXPECT_NE(path[0].waiting, path[1].waiting);
}

/// The order in which a thread, or an accelerator, begins two tasks that are ready, and, after the first, an urgent one
/// that waited for it.
std::string orderOf(bool byArrival, bool onAccelerator) {
  static const TaskClass first{"a", "test:1", neverRun, nullptr}, second{"b", "test:2", neverRun, nullptr},
      urgent{"c", "test:3", neverRun, nullptr};
  std::string order;
  Seconds clock;
  clock.machine.byArrival = byArrival;
  clock.machine.coreSeconds = [&order](const TaskClass &taskClass, const TaskView &) {
    order += taskClass.kernel;
    return 1.0;
  };
  VirtualBus bus(clock.time, 1e12);
  const VirtualLink link{1e12, 0.1}; // both tiles are there before the first task has ended
  VirtualAccelerator accelerator({.properties = {.name = "virtual", .memoryBytes = 4096, .granularity = 64},
                                  .has = [](const TaskClass &) { return true; },
                                  .kernel =
                                      [&order](const TaskClass &taskClass, const TaskView &) {
                                        order += taskClass.kernel;
                                        return KernelDemand{.work = 1};
                                      },
                                  .in = link,
                                  .out = link,
                                  .peer = {}},
                                 bus, {});
  std::vector<Accelerator *> accelerators;
  if (onAccelerator)
    accelerators.push_back(&accelerator);
  Storage storage(2, 1, 1, 1, 8, Shape::General);
  for (int i = 0; i < 2; ++i)
    storage.setTile(i, 0, reinterpret_cast<void *>(std::uintptr_t(4096) * (i + 1)));
  Executor executor({.threads = 1, .accelerators = accelerators, .virtualMachine = &clock.machine});
  executor.run([&](Generator &generator) {
    TileTable &table = generator.matrix(storage, "A");
    const TileAccess one{&table, 0, 0, Access::ReadWrite}, other{&table, 1, 0, Access::ReadWrite};
    generator.append({first, 1, nullptr, 0, &one, 1});
    generator.append({second, 0, nullptr, 0, &other, 1});
    generator.append({urgent, 7, nullptr, 0, &one, 1});
  });
  return order;
}

TEST(VirtualRun, GoesByPriorityOrByArrival) {
  EXPECT_EQ(orderOf(false, false), "acb");
  EXPECT_EQ(orderOf(true, false), "abc");
  EXPECT_EQ(orderOf(false, true), "acb");
  EXPECT_EQ(orderOf(true, true), "abc");
}

/// Seconds of a run of three tasks: one that fills a device for `filling`, a panel as `ofPanel` has it, and one on the
/// host behind the panel.
double secondsBeside(double filling, const KernelDemand &ofPanel, bool priorities = true) {
  static const TaskClass product{"gemm", "test:1", neverRun, nullptr}, panel{"geqrf", "test:2", neverRun, nullptr},
      last{"last", "test:3", neverRun, nullptr};
  Seconds clock;
  VirtualBus bus(clock.time, 1e12);
  const VirtualLink link{1e12, 1e-9};
  const auto is = [](const TaskClass &taskClass, std::string_view kernel) { return taskClass.kernel == kernel; };
  VirtualAccelerator accelerator(
      {.properties = {.name = "virtual",
                      .memoryBytes = 4096,
                      .granularity = 64,
                      .runs = [is](const TaskClass &task) { return !is(task, "last"); },
                      .kernelsInFlight = 2},
       .has = [](const TaskClass &) { return true; },
       .kernel = [&, is](const TaskClass &taskClass,
                         const TaskView &) { return is(taskClass, "geqrf") ? ofPanel : KernelDemand{.work = filling}; },
       .in = link,
       .out = link,
       .peer = {},
       .priorities = priorities},
      bus, {});
  Storage storage(2, 1, 1, 1, 8, Shape::General);
  for (int i = 0; i < 2; ++i)
    storage.setTile(i, 0, reinterpret_cast<void *>(std::uintptr_t(4096) * (i + 1)));
  Executor executor({.threads = 1, .accelerators = {&accelerator}, .virtualMachine = &clock.machine});
  const Outcome outcome = executor.run([&](Generator &generator) {
    TileTable &table = generator.matrix(storage, "A");
    const TileAccess one{&table, 0, 0, Access::ReadWrite}, other{&table, 1, 0, Access::ReadWrite};
    if (filling > 0)
      generator.append({product, 0, nullptr, 0, &one, 1});
    generator.append({panel, 0, nullptr, 0, &other, 1});
    generator.append({last, 0, nullptr, 0, &other, 1});
  });
  return outcome.statistics.seconds;
}

/// Latency and waits go by in eight parts, each as long as the device was full when it began.
TEST(VirtualAccelerator, PanelsWaitWhereOthersFillTheDevice) {
  const KernelDemand panel{.latency = 1, .waits = 8, .work = 1};
  EXPECT_NEAR(secondsBeside(0, panel), 3, 1e-6);
  EXPECT_NEAR(secondsBeside(100, panel), 101, 1e-6) << "the product's time, and what the panel took of it";
  EXPECT_NEAR(secondsBeside(4, panel), 4 * 9 / 8.0 + 4 / 8.0 + 2, 1e-6) << "four parts with the product, four alone";
}

/// A panel of 4 s and the second behind it, beside a product of 4.5 s.
TEST(VirtualAccelerator, PrefersPanelsWhereTheDeviceDoes) {
  EXPECT_NEAR(secondsBeside(4.5, {.work = 4}, true), 8.5, 1e-6) << "the product is the last";
  EXPECT_NEAR(secondsBeside(4.5, {.work = 4}, false), 9, 1e-6) << "both at half the rate, and then the second";
}

/// Ten tasks, of which one launch takes so many: a latency each, half of the device that they can use alone, and the
/// host's thread, 2 s for a launch and 0.5 s for each further task of it.
double secondsTogether(int tasks) {
  static const TaskClass product{"gemm", "test:1", neverRun, [](const TaskView &) { return 1.0; }};
  Seconds clock;
  VirtualBus bus(clock.time, 1e12);
  const VirtualLink link{1e12, 1e-9};
  VirtualAccelerator accelerator(
      {.properties = {.name = "virtual",
                      .memoryBytes = 4096,
                      .granularity = 64,
                      .kernelsInFlight = 16,
                      .together = {.tasks = tasks, .operations = 1e9, .seconds = 0.5}},
       .has = [](const TaskClass &) { return true; },
       .kernel = [](const TaskClass &,
                    const TaskView &) { return KernelDemand{.latency = 1, .work = 1, .share = 0.5, .host = 2}; },
       .in = link,
       .out = link,
       .peer = {},
       .joins = [](const TaskClass &, const TaskSize &) { return true; }},
      bus, {});
  Storage storage(11, 1, 1, 1, 8, Shape::General);
  for (int i = 0; i < 11; ++i)
    storage.setTile(i, 0, reinterpret_cast<void *>(std::uintptr_t(4096) * (i + 1)));
  Executor executor({.threads = 1, .accelerators = {&accelerator}, .virtualMachine = &clock.machine});
  const Outcome outcome = executor.run([&](Generator &generator) {
    TileTable &table = generator.matrix(storage, "A");
    const TileAccess first[] = {{&table, 10, 0, Access::ReadWrite}};
    generator.append({product, 0, nullptr, 0, first, 1});
    for (int i = 0; i < 10; ++i) { // ready at once
      const TileAccess both[] = {{&table, i, 0, Access::ReadWrite}, {&table, 10, 0, Access::Read}};
      generator.append({product, 0, nullptr, 0, both, 2});
    }
  });
  return outcome.statistics.seconds;
}

TEST(VirtualAccelerator, OneLaunchTakesSeveralTasks) {
  constexpr double first = 2 + 1 + 2; // host, latency, alone on half of the device
  EXPECT_NEAR(secondsTogether(1), first + 10 * 2 + 1 + 2, 1e-6) << "the host begins one every 2 s";
  EXPECT_NEAR(secondsTogether(10), first + 2 + 9 * 0.5 + 1 + 10, 1e-6) << "all of the device for 10 s";
  EXPECT_NEAR(secondsTogether(5), first + 2 + 4 * 0.5 + 1 + 10, 1e-6) << "the second while the first runs";
}

constexpr double rounding = 1e-9; // seconds

/// The times at which each task of a program began and ended.
struct Times {
  std::vector<double> begin, end;
};

/// Accelerators with memory for so many bytes, on which a kernel takes 2 s, a copy 3 s.
class VirtualDevices {
public:
  VirtualDevices(int count, std::size_t bytes, VirtualAccelerator::Faults faults, Times &times, bool byArrival = false)
      : bus_(seconds.time, 1e12) {
    seconds.machine.byArrival = byArrival;
    for (int number = 0; number < count; ++number)
      devices_.push_back(std::make_unique<VirtualAccelerator>(
          VirtualDevice{.properties = {.name = "virtual:" + std::to_string(number),
                                       .memoryBytes = bytes,
                                       .granularity = 64,
                                       .kernelsInFlight = 3,
                                       .copiesInFlight = 2},
                        .has = [](const TaskClass &) { return true; },
                        .kernel =
                            [&times, this](const TaskClass &, const TaskView &view) {
                              times.begin[view.index(0)] = seconds.time.now();
                              times.end[view.index(0)] = seconds.time.now() + 2; // at least
                              return KernelDemand{.latency = 1, .work = 0.5, .share = 0.5};
                            },
                        .in = {1e12, 3},
                        .out = {1e12, 3},
                        .peer = {1e12, 3}},
          bus_, faults));
    seconds.machine.coreSeconds = [&times, this](const TaskClass &, const TaskView &view) {
      const double length = 1 + view.index(0) % 3;
      times.begin[view.index(0)] = seconds.time.now();
      times.end[view.index(0)] = seconds.time.now() + length;
      return length;
    };
  }
  std::vector<Accelerator *> list() const {
    std::vector<Accelerator *> all;
    for (const auto &device : devices_)
      all.push_back(device.get());
    return all;
  }
  Seconds seconds;

private:
  VirtualBus bus_;
  std::vector<std::unique_ptr<VirtualAccelerator>> devices_;
};

/// Each task began when those whose results it reads had ended: by the accesses alone, not by the runtime's lists.
void expectLegal(const Program &program, const Times &times) {
  using Half = std::tuple<int, int, int, int>;
  std::map<Half, std::size_t> writer;
  for (std::size_t task = 0; task < program.tasks.size(); ++task) {
    const auto forEachHalf = [&](auto visit) {
      for (const ProgramAccess &access : program.tasks[task].accesses)
        for (int half = 0; half < 2; ++half)
          if (!program.matrices[access.matrix].regions || access.region == Region::Full ||
              static_cast<int>(access.region) - 1 == half)
            visit(Half{access.matrix, access.row, access.column, half}, access.access);
    };
    forEachHalf([&](const Half &half, Access access) {
      const auto found = writer.find(half);
      if (access != Access::Write && found != writer.end() && found->second != task) {
        EXPECT_GE(times.begin[task] + rounding, times.end[found->second])
            << "task " << task << " reads what " << found->second;
      }
    });
    forEachHalf([&](const Half &half, Access access) {
      if (access != Access::Read)
        writer[half] = task;
    });
  }
}

Outcome runVirtually(const Program &program, int threads, int window, const VirtualDevices &devices) {
  ProgramData data(program, false);
  Executor executor({.threads = threads,
                     .window = window,
                     .accelerators = devices.list(),
                     .hostWeight = 1,
                     .virtualMachine = &devices.seconds.machine});
  return executor.run([&](Generator &generator) { generate(program, data, generator); });
}

std::vector<DeviceCounts> predicted(const Program &program, const VirtualDevices &devices) {
  std::vector<NodePlaces::Memory> memories;
  for (const Accelerator *device : devices.list())
    memories.push_back({device->properties().name, device->properties().memoryBytes, device->properties().granularity});
  const NodePlaces places(memories, {}, 1, Distribution(), 0);
  ProgramData data(program, false);
  const std::vector<DeviceCost> counts = countDevices(
      [&](TaskSink &sink) {
        Generator generator(sink);
        generate(program, data, generator);
      },
      places, nullptr, 0);
  return {counts.begin(), counts.end()};
}

constexpr std::size_t tight = 3000, ample = 1 << 20; // bytes; see accelerators_test.cpp

TEST(VirtualRun, KeepsTheOrderOfAnyProgramAndTheCountsOfARun) {
  for (int seed = 0; seed < seeds(60); ++seed)
    for (const int devices : {0, 1, 3})
      for (const int window : {1, 7, 8192}) {
        const std::size_t memory = seed % 2 ? tight : ample;
        SCOPED_TRACE("seed " + std::to_string(seed) + " devices " + std::to_string(devices) + " window " +
                     std::to_string(window));
        const Program program = makeProgram(seed, 20 + seed % 7 * 60);
        Times times{std::vector<double>(program.tasks.size()), std::vector<double>(program.tasks.size())};
        const bool byArrival = seed % 3 == 0;
        const VirtualDevices machine(devices, memory, {}, times, byArrival);
        const Outcome outcome = runVirtually(program, 1 + seed % 4, window, machine);
        ASSERT_EQ(outcome.kind, Outcome::Kind::Finished) << outcome.message;
        EXPECT_EQ(outcome.statistics.tasks, program.tasks.size());
        expectLegal(program, times);
        EXPECT_GE(outcome.statistics.seconds * (1 + 1e-9), *std::max_element(times.end.begin(), times.end.end()));
        const auto &counted = outcome.statistics.devices;
        double path = 0;
        for (const PathPart &part : outcome.statistics.criticalPath)
          path += part.seconds;
        EXPECT_NEAR(path, outcome.statistics.seconds, 1e-6 * path + rounding);
        if (devices) {
          EXPECT_EQ((std::vector<DeviceCounts>{counted.begin(), counted.end()}), predicted(program, machine));
        }
        Times again = times;
        const VirtualDevices same(devices, memory, {}, again, byArrival);
        EXPECT_EQ(runVirtually(program, 1 + seed % 4, window, same).statistics.seconds, outcome.statistics.seconds);
      }
}

TEST(VirtualRun, FaultsStopItAndNameTheDevice) {
  const Program program = makeProgram(4, 200);
  for (const auto &[faults, text] :
       {std::pair(VirtualAccelerator::Faults{.kernel = 5}, "injected fault of a kernel"),
        std::pair(VirtualAccelerator::Faults{.copy = 7}, "injected fault of a copy"),
        std::pair(VirtualAccelerator::Faults{.allocation = 3}, "out of memory for tile")}) {
    Times times{std::vector<double>(program.tasks.size()), std::vector<double>(program.tasks.size())};
    const VirtualDevices machine(1, ample, faults, times);
    const Outcome outcome = runVirtually(program, 2, 8192, machine);
    EXPECT_EQ(outcome.kind, Outcome::Kind::Fault);
    EXPECT_NE(outcome.message.find("virtual:0"), std::string::npos) << outcome.message;
    EXPECT_NE(outcome.message.find(text), std::string::npos) << outcome.message;
  }
}

} // namespace
