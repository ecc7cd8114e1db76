#include "runtime/predict/machine/profile_choice.hpp"
#include "runtime/predict/plan/plan.hpp"
#include "runtime/predict/plan/tile_search.hpp"
#include "runtime/predict/rates/measured_machine.hpp"
#include "tests/unit/runtime/host/on_ranks.hpp"
#include "tests/unit/runtime/host/test_algorithms.hpp"

#include <tla/runtime/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <mutex>
#include <set>

namespace tla::host {
namespace {

class Planning : public testing::Test {
protected:
  Planning() {
    ::setenv("HETC_CACHE_DIR", folder_.path("cache").c_str(), 1);
    kernels::installKernels("reference");
    settings_.n = 300;
  }
  ~Planning() override { ::unsetenv("HETC_CACHE_DIR"); }

  void takeDevices(const std::string &text) { settings_.devices = runtime::parseDevices(text, runtime::readProfile); }
  Machine machineWith(Ranks &ranks) const {
    return {.ranks = ranks,
            .threads = 2,
            .devices = runtime::describeAnyDevices(settings_.devices),
            .hostKernels = "reference"};
  }

  Settings settings_;
  test::TemporaryFolder folder_;
};

TEST_F(Planning, LeavesTheProblemAsItIs) {
  const runtime::Algorithm algorithm = test::cholesky<double>();
  const auto problem = describeProblem(algorithm, settings_);
  Ranks ranks;
  const Plan plan = planRun(*problem, machineWith(ranks), settings_, Purpose::Run);
  EXPECT_EQ(problem->nb, 0);
  EXPECT_GT(plan.nb, 0);
  EXPECT_GT(plan.bytes, 300 * 300 / 2 * sizeof(double));
  EXPECT_EQ(plan.generator(), "");
  const long *const m = &problem->values.m;
  applyPlan(plan, *problem);
  EXPECT_EQ(problem->nb, plan.nb);
  EXPECT_EQ(problem->values.scalars, problem->scalars.data());
  EXPECT_EQ(&problem->values.m, m);
}

TEST_F(Planning, IsTheSameForARunAndItsCost) {
  const runtime::Algorithm algorithm = test::slicedCholesky<double>(3);
  settings_.nb = 48;
  takeDevices("emulated:2");
  settings_.deviceWeights = {3, 1};
  const auto problem = describeProblem(algorithm, settings_);
  Ranks ranks;
  const Machine machine = machineWith(ranks);
  const Plan run = planRun(*problem, machine, settings_, Purpose::Run);
  const Plan cost = planRun(*problem, machine, settings_, Purpose::Count);
  EXPECT_EQ(run.nb, 48);
  EXPECT_EQ(run.cut.slices, 3);
  EXPECT_EQ(cost.nb, run.nb);
  EXPECT_EQ(cost.cut, run.cut);
  EXPECT_EQ(cost.shares.weights, run.shares.weights);
  EXPECT_EQ(run.shares.weights, (std::vector<int>{3, 1}));
}

TEST_F(Planning, IsTheSameOnAllRanks) {
  const runtime::Algorithm algorithm = test::cholesky<double>();
  std::mutex mutex;
  std::set<std::string> plans;
  test::onRanks(3, [&](Ranks &ranks) {
    auto problem = describeProblem(algorithm, settings_);
    problem->placement.rank = ranks.rank();
    Machine machine = machineWith(ranks);
    machine.neighbours = findNeighbours(ranks);
    machine.threads = 1 + ranks.rank(); // what rank 0 has counts
    const Plan plan = planRun(*problem, machine, settings_, Purpose::Run);
    EXPECT_EQ(plan.generator(), "replay");
    EXPECT_EQ(plan.distribution.nodes(), 3);
    const std::lock_guard lock(mutex);
    plans.insert(std::to_string(plan.nb) + " " + plan.distribution.name());
  });
  EXPECT_EQ(plans.size(), 1u) << *plans.begin() << ", " << *plans.rbegin();
}

TEST_F(Planning, NamesOfFilesGoWholeToAllRanks) {
  const runtime::Algorithm algorithm = test::cholesky<double>();
  for (const char *name : {"my grid.txt", " ", "a:b,c", "7 8 9"}) {
    settings_.distribution = parseDistribution("file:" + folder_.write(name, "0 1\n1 0\n"));
    test::onRanks(2, [&](Ranks &ranks) {
      auto problem = describeProblem(algorithm, settings_);
      problem->placement.rank = ranks.rank();
      Machine machine = machineWith(ranks);
      machine.neighbours = findNeighbours(ranks);
      const Plan plan = planRun(*problem, machine, settings_, Purpose::Count);
      EXPECT_EQ(plan.distribution.name(), settings_.distribution->name());
      EXPECT_GT(plan.nb, 0);
    });
  }
  settings_.distribution.reset();
}

TEST_F(Planning, RefusesWhatDoesNotFit) {
  const runtime::Algorithm algorithm = test::cholesky<double>();
  Ranks ranks;
  settings_.distribution = Distribution::blockCyclic(2, 2);
  const auto small = describeProblem(algorithm, settings_);
  EXPECT_THROW(planRun(*small, machineWith(ranks), settings_, Purpose::Run), UsageError);
  settings_.distribution.reset();
  settings_.n = 2'000'000'000;
  const auto huge = describeProblem(algorithm, settings_);
  const std::string error = test::usageError([&] { planRun(*huge, machineWith(ranks), settings_, Purpose::Run); });
  EXPECT_NE(error.find("available; use a smaller problem"), error.npos) << error;
  EXPECT_NO_THROW(planRun(*huge, machineWith(ranks), settings_, Purpose::Count)) << "nothing is allocated";
}

constexpr int sizes[] = {32, 64, 128, 256, 512, 1024, 2048};
const std::vector<std::string> kernels = {"gemm", "herk", "trsm", "potrf"};

/// Real operations of a kernel on nb x nb tiles, and the part of gemm's rate that it has.
double flopsOf(const std::string &kernel, double nb) {
  return (kernel == "gemm" ? 2.0 : kernel == "potrf" ? 1.0 / 3 : 1.0) * nb * nb * nb;
}
double partOf(const std::string &kernel) { return kernel == "gemm" ? 1 : kernel == "potrf" ? 0.4 : 0.85; }

/// Launches that wait for each other: of 10 columns of a factorization, of 64 of a solve.
double launchesOf(const std::string &kernel, double nb) {
  return kernel == "potrf" ? std::max(1.0, nb / 10) : kernel == "trsm" ? std::max(1.0, nb / 64) : 1;
}

/// Rates of a unit: that rate on large tiles, half of it on tiles of `half`, and never less than `floor` seconds a
/// launch.
UnitRates unitOf(double rate, double half, double floor) {
  UnitRates unit;
  for (const std::string &kernel : kernels)
    for (const int nb : sizes)
      unit.seconds[kernel][nb] =
          std::max(floor * launchesOf(kernel, nb), flopsOf(kernel, nb) * (nb + half) / (nb * rate * partOf(kernel)));
  return unit;
}

/// test::cholesky() with the operations of its kernels. Nothing of it is run.
struct CountedCholesky {
  using TaskClass = runtime::TaskClass;
  static int run(const runtime::TaskView &) { return 0; }
  /// The flops of a task, for tiles at the edges, too.
  template <int Kernel> static double flops(const runtime::TaskView &task) {
    const Tile<double> C = task.mainTile<double>(), A = task.tile<double>(0);
    return flopsOf(kernels[Kernel], std::cbrt(Kernel == 0   ? 1.0 * C.m() * C.n() * A.n()
                                              : Kernel == 1 ? 1.0 * C.n() * C.n() * A.n()
                                              : Kernel == 2 ? 1.0 * C.m() * C.n() * C.n()
                                                            : std::pow(C.n(), 3)));
  }
  static constexpr TaskClass gemm{"gemm", "cholesky.tla:19", run, flops<0>, 2},
      herk{"herk", "cholesky.tla:16", run, flops<1>, 1}, trsm{"trsm", "cholesky.tla:12", run, flops<2>, 1},
      potrf{"potrf", "cholesky.tla:9", run, flops<3>, 0};

  static void generate(runtime::Generator &generator, const runtime::Arguments &arguments) {
    const int nt = arguments.matrices[0]->nt();
    runtime::TileTable &A = generator.matrix(*arguments.matrices[0], "A");
    const auto add = [&](const TaskClass &taskClass, std::vector<std::pair<int, int>> tiles) {
      std::vector<runtime::TileAccess> accesses;
      for (const auto &[i, j] : tiles)
        accesses.push_back({&A, i, j, runtime::Access::Read});
      accesses.back().access = runtime::Access::ReadWrite;
      generator.append({taskClass, 0, nullptr, 0, accesses.data(), static_cast<int>(accesses.size())});
    };
    for (int k = 0; k < nt; ++k) {
      add(potrf, {{k, k}});
      for (int i = k + 1; i < nt; ++i)
        add(trsm, {{k, k}, {i, k}});
      for (int j = k + 1; j < nt; ++j) {
        add(herk, {{j, k}, {j, j}});
        for (int i = j + 1; i < nt; ++i)
          add(gemm, {{i, k}, {j, k}, {i, j}});
      }
    }
  }
  static runtime::Algorithm algorithm() {
    runtime::Algorithm algorithm = test::cholesky<double>();
    algorithm.generate = generate;
    return algorithm;
  }
};

/// A machine of which the file of rates knows everything: nothing is opened, nothing measured.
class PlanningByRates : public Planning {
protected:
  PlanningByRates() { settings_.devices = {}; }

  Machine machineWith(Ranks &ranks, const NodeRates &rates, std::vector<runtime::AcceleratorProperties> devices) {
    const auto problem = describeProblem(algorithm_, settings_);
    problem->nb = 64;
    std::filesystem::create_directories(ratesFile().parent_path());
    std::ofstream(ratesFile()) << ratesText(ratesRequest(*problem, settings_, "reference", devices), rates);
    return {.ranks = ranks, .threads = 16, .cores = 18, .devices = std::move(devices), .hostKernels = "reference"};
  }
  Plan plan(const Machine &machine) {
    return planRun(*describeProblem(algorithm_, settings_), machine, settings_, Purpose::Count);
  }
  /// The time of a run in that machine's time.
  double secondsOn(const Machine &machine, const NodeRates &rates, int nb, const runtime::DeviceShares &shares) {
    const auto problem = describeProblem(algorithm_, settings_);
    const runtime::VirtualHardware hardware = measuredMachine(rates, machine.devices, algorithm_.type);
    return runVirtually({.algorithm = algorithm_,
                         .values = problem->values,
                         .scalars = problem->scalars,
                         .nb = nb,
                         .cut = {},
                         .shares = shares,
                         .machine = hardware,
                         .threads = machine.threads})
        .statistics.seconds;
  }

  const runtime::Algorithm algorithm_ = CountedCholesky::algorithm();
  const runtime::AcceleratorProperties h200_{.name = "cuda:0 NVIDIA H200",
                                             .model = "NVIDIA H200",
                                             .library = "cublas 13.0.0",
                                             .memoryBytes = std::size_t(120) << 30,
                                             .granularity = 512,
                                             .kernelsInFlight = 8,
                                             .copiesInFlight = 4};
};

TEST_F(PlanningByRates, ADeviceOfTodayGetsLargeTilesAndNearlyAll) {
  NodeRates rates{unitOf(75e9, 12, 0), {unitOf(57e12, 250, 12e-6)}};
  rates.accelerators[0].latency = 8e-6;
  rates.accelerators[0].bandwidth = 50e9;
  Ranks ranks;
  for (const long n : {16000, 32000}) {
    settings_.n = n;
    const Plan chosen = plan(machineWith(ranks, rates, {h200_}));
    EXPECT_GE(chosen.nb, n == 32000 ? 1024 : 768) << n;
    EXPECT_LE(20 * chosen.shares.hostWeight, chosen.shares.weights.at(0)) << n;
    EXPECT_TRUE(chosen.searched);
  }
}

TEST_F(PlanningByRates, TheSearchIsRemembered) {
  const NodeRates rates{unitOf(75e9, 12, 0), {unitOf(20e12, 250, 12e-6)}};
  settings_.n = 16000;
  Ranks ranks;
  const Machine machine = machineWith(ranks, rates, {h200_});
  const Plan first = plan(machine), second = plan(machine);
  EXPECT_TRUE(first.searched);
  EXPECT_FALSE(second.searched);
  EXPECT_EQ(second.nb, first.nb);
  EXPECT_EQ(second.shares.weights, first.shares.weights);
  EXPECT_EQ(second.shares.hostWeight, first.shares.hostWeight);
  const Plan other = plan(machineWith(ranks, {rates.core, {unitOf(2e12, 250, 12e-6)}}, {h200_}));
  EXPECT_TRUE(other.searched) << "other rates are another machine";
}

/// The times of kernels on a core, as a sample on tiles of nb would give them.
KernelTimes timesOf(const UnitRates &core, int nb) {
  runtime::Statistics statistics;
  const char *const locations[] = {"cholesky.tla:19", "cholesky.tla:16", "cholesky.tla:12", "cholesky.tla:9"};
  for (std::uint32_t k = 0; k < kernels.size(); ++k) {
    statistics.classes.push_back({kernels[k], locations[k], 1});
    statistics.trace.push_back({k, 0, 0, 0,
                                kernels[k] == "gemm"    ? 3
                                : kernels[k] == "potrf" ? 1
                                                        : 2,
                                0, *core.secondsOf(kernels[k], nb)});
  }
  KernelTimes times;
  times.add(statistics);
  return times;
}

/// The case of a search by kernels that are timed on the host.
struct TimedOnTheHost final : PlanCase {
  using PlanCase::PlanCase;
  runtime::DeviceShares shares(int nb) const override { return sharesOf(rates, devices, {"gemm", nb, threads}); }
  std::optional<KernelTimes> times(int nb, const std::vector<runtime::ScalarValue> &) const override {
    return timesOf(rates.core, nb);
  }
};

/// Beside slow devices the search is nowhere worse than that by kernels timed on the host. Beside one that is nearly as
/// fast as all cores it passes over tiles so small that to try them would take longer than the run, for 3% of that.
TEST_F(PlanningByRates, SlowDevicesBesideFastCoresDoNotDelayTheRun) {
  settings_.n = 4000;
  for (const bool usesHost : {true, false})
    for (const double rate : {0.5e9, 20e9, 500e9}) {
      runtime::AcceleratorProperties device = h200_;
      device.model += std::to_string(rate);
      device.usesHost = usesHost;
      device.kernelsInFlight = 1;
      const NodeRates rates{unitOf(40e9, 20, 0), {unitOf(rate, 1, 0)}};
      Ranks ranks;
      const Machine machine = machineWith(ranks, rates, {device});
      const auto problem = describeProblem(algorithm_, settings_);
      const auto shares = [&](int nb) { return sharesOf(rates, machine.devices, {"gemm", nb, machine.threads}); };
      TimedOnTheHost timed(*problem, settings_, machine.threads);
      timed.devices = machine.devices;
      timed.rates = rates;
      timed.kernels = std::to_string(rate) + (usesHost ? "h" : "");
      const int before = chooseTiles(timed).nb;
      const Plan chosen = plan(machine);
      EXPECT_LE(secondsOn(machine, rates, chosen.nb, chosen.shares),
                (rate > 100e9 ? 1.03 : 1.001) * secondsOn(machine, rates, before, shares(before)))
          << rate << " " << usesHost << ": " << chosen.nb << " in place of " << before;
    }
}

TEST_F(PlanningByRates, SaysHowManyCoresCompute) {
  Ranks ranks;
  const NodeRates rates{unitOf(75e9, 12, 0), {unitOf(57e12, 250, 12e-6)}};
  settings_.n = 4000;
  const Machine machine = machineWith(ranks, rates, {h200_});
  const Plan chosen = plan(machine);
  const auto problem = describeProblem(algorithm_, settings_);
  EXPECT_NE(planText(*problem, chosen, machine).find("threads   16 of 18 cores\n"), std::string::npos);
  EXPECT_NE(planJson(*problem, chosen, machine).find("\"threads\":16,\"cores\":18,"), std::string::npos);
}

} // namespace
} // namespace tla::host
