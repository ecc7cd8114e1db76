// What measured rates mean: weights, panels, the cut of a tile. All pure.
#include "runtime/predict/plan/cut_choice.hpp"
#include "runtime/predict/rates/link_measurement.hpp"
#include "runtime/predict/rates/measured_machine.hpp"
#include "runtime/predict/rates/probe_task.hpp"
#include "runtime/predict/rates/rates.hpp"

#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <set>

namespace tla::host {
namespace {
using runtime::AcceleratorProperties;

/// The same rate at all sizes: gemm's operations are 2 nb^3.
UnitRates steady(double gigaflops, const char *kernel = "gemm") {
  UnitRates unit;
  for (const int nb : {32, 256, 1024})
    unit.seconds[kernel][nb] = 2.0 * nb * nb * nb / gigaflops * 1e-9;
  return unit;
}

TEST(UnitRates, BetweenAndBeyondWhatWasMeasured) {
  UnitRates unit;
  unit.seconds["gemm"] = {{64, 1e-4}, {256, 3.2e-3}}; // half the rate at 64
  EXPECT_FALSE(unit.secondsOf("trsm", 64));
  EXPECT_DOUBLE_EQ(*unit.secondsOf("gemm", 64), 1e-4);
  EXPECT_DOUBLE_EQ(*unit.secondsOf("gemm", 16), 1e-4);
  EXPECT_DOUBLE_EQ(*unit.secondsOf("gemm", 512), 8 * 3.2e-3);
  EXPECT_DOUBLE_EQ(*unit.secondsOf("gemm", 128), 8e-4 * 0.75);
}

TEST(Weights, AreSmallAndNearTheRates) {
  using W = std::vector<int>;
  EXPECT_EQ(weightsOf({0, 4, 3.2, 2}), (W{0, 10, 8, 5}));
  EXPECT_EQ(weightsOf({0, 1, 1}), (W{0, 1, 1}));
  EXPECT_EQ(weightsOf({0, 1, 4}), (W{0, 1, 4}));
  EXPECT_EQ(weightsOf({0, 3, 3, 6}), (W{0, 1, 1, 2}));
  EXPECT_EQ(weightsOf({2, 4, 4}), (W{1, 2, 2}));
  EXPECT_EQ(weightsOf({0.01, 60, 60}), (W{0, 1, 1}));
  EXPECT_EQ(weightsOf({0, 7}), (W{0, 1}));
}

TEST(Weights, HoldStillWhenTheRatesTremble) {
  for (const double noise : {0.99, 0.995, 1.0, 1.005, 1.01}) {
    EXPECT_EQ(weightsOf({0, 4 * noise, 3.2, 2}), (std::vector{0, 10, 8, 5})) << noise;
    EXPECT_EQ(weightsOf({0, 1, noise}), (std::vector{0, 1, 1})) << noise;
    EXPECT_EQ(weightsOf({0, 1, 4 * noise}), (std::vector{0, 1, 4})) << noise;
  }
}

/// Nobody waits long for the slowest, even where rates are far apart.
TEST(Weights, KeepEveryoneBusy) {
  for (const std::vector<double> &rates :
       {std::vector{0.0, 1.0, 1.37, 2.9}, {0, 100, 3}, {0, 1, 1, 1, 33}, {7, 60, 50, 3.3}}) {
    const std::vector<int> weights = weightsOf(rates);
    double work = 0, speed = 0, longest = 0;
    for (std::size_t unit = 0; unit < rates.size(); ++unit) {
      work += weights[unit];
      speed += rates[unit];
      if (weights[unit] > 0)
        longest = std::max(longest, weights[unit] / rates[unit]);
    }
    EXPECT_GE(work / speed / longest, 0.9);
  }
}

TEST(Weights, AreEqualWhenNothingIsKnown) {
  EXPECT_EQ(weightsOf({0, 0, 0}), (std::vector{0, 1, 1}));
  EXPECT_EQ(weightsOf({5, 3, 0}), (std::vector{0, 1, 1}));
}

TEST(Shares, CountAllThreadsOfTheHost) {
  const NodeRates rates{steady(10), {steady(80), steady(40)}};
  const std::vector<AcceleratorProperties> devices(2);
  const runtime::DeviceShares shares = sharesOf(rates, devices, {"gemm", 256, 4});
  EXPECT_EQ(shares.hostWeight, 1);
  EXPECT_EQ(shares.weights, (std::vector{2, 1}));
}

TEST(Shares, LeaveTheHostToAcceleratorsOnIt) {
  const NodeRates rates{steady(10), {steady(4), steady(4)}};
  const std::vector<AcceleratorProperties> devices(2, AcceleratorProperties{.usesHost = true});
  const runtime::DeviceShares shares = sharesOf(rates, devices, {"gemm", 256, 4});
  EXPECT_EQ(shares.hostWeight, 0);
  EXPECT_EQ(shares.weights, (std::vector{1, 1}));
  EXPECT_FALSE(shares.runs.at(0));
}

/// A core takes 1 ms, the accelerator less or more, and 0.2 ms for the ways there and back.
TEST(Shares, SendPanelsWhereTheyTakeLess) {
  const auto runs = [](double seconds, const char *kernel, bool memoryBound = false) {
    NodeRates rates{steady(10), {steady(100)}};
    rates.core.seconds["potrf"] = {{256, 1e-3}};
    rates.accelerators[0].seconds["potrf"] = {{256, seconds}};
    rates.accelerators[0].latency = 0.05e-3;
    rates.accelerators[0].bandwidth = 256 * 256 * 8 / 0.05e-3;
    const auto shares = sharesOf(rates, {AcceleratorProperties{}}, {"gemm", 256, 1});
    return shares.runs.at(0)({kernel, "here", nullptr, nullptr, 0, memoryBound});
  };
  EXPECT_TRUE(runs(0.5e-3, "potrf"));
  EXPECT_TRUE(runs(1.05e-3, "potrf"));
  EXPECT_FALSE(runs(1.15e-3, "potrf"));
  EXPECT_FALSE(runs(0.1e-3, "geqrt")); // not measured
  EXPECT_TRUE(runs(9, "gemm"));
  EXPECT_FALSE(runs(0.1e-3, "omatcopy", true));
}

/// Five times as long on one tile, and less on a panel of eight.
TEST(Shares, LookAtWholePanels) {
  NodeRates rates{steady(10), {steady(100)}};
  rates.core.seconds["getrf"] = {{256, 1e-3}};
  rates.accelerators[0].seconds["getrf"] = {{256, 5e-3}};
  const auto runs = [&] {
    return sharesOf(rates, {AcceleratorProperties{}}, {"gemm", 256, 1})
        .runs.at(0)({"getrf", "here", nullptr, nullptr, 0, false});
  };
  EXPECT_FALSE(runs());
  rates.accelerators[0].tall["getrf"] = {{256, 10e-3}};
  EXPECT_TRUE(runs());
  rates.accelerators[0].tall["getrf"] = {{256, 11e-3}};
  EXPECT_FALSE(runs());
}

/// [Song12] 3.2's formula where a core is as fast on narrow tiles as on wide ones.
TEST(Cut, BalancesHostAndAccelerators) {
  for (const int cores : {2, 8, 16})
    for (const int accelerators : {1, 3})
      for (const double speed : {20.0, 100.0}) {
        NodeRates rates{steady(10), std::vector<UnitRates>(accelerators, steady(speed))};
        const int B = 1024;
        const double Bh = B * 10.0 * cores / (10.0 * cores + accelerators * speed);
        const CutChoice cut = cutFor(rates, "gemm", cores, B);
        EXPECT_NEAR(cut.hostColumns(), Bh, 4 * (cut.slices - 1)) << cores << " " << accelerators << " " << speed;
        EXPECT_EQ(cut.width % 8, 0);
        EXPECT_LT(cut.hostColumns(), B);
      }
}

/// Slices are as wide as cores like them.
TEST(Cut, SlicesSuitTheCores) {
  UnitRates core;
  for (const auto &[nb, gigaflops] : std::map<int, double>{{32, 4}, {64, 7}, {128, 9.5}, {256, 10}, {1024, 10}})
    core.seconds["gemm"][nb] = 2.0 * nb * nb * nb / gigaflops * 1e-9;
  const CutChoice cut = cutFor({core, {steady(40)}}, "gemm", 8, 768);
  EXPECT_GE(cut.width, 96);
  EXPECT_LE(cut.width, 176);
  EXPECT_GE(cut.slices, 4);
  EXPECT_NEAR(cut.hostColumns(), 768 * 2.0 / 3, 40);
}

TEST(Cut, IsNoneWithoutGain) {
  const CutChoice none;
  EXPECT_EQ(cutFor({steady(10), {}}, "gemm", 8, 512), none);
  EXPECT_EQ(cutFor({steady(10), {steady(100)}}, "trsm", 8, 512), none);
  EXPECT_EQ(cutFor({steady(10), {steady(100)}}, "gemm", 0, 512), none);
  EXPECT_EQ(cutFor({steady(1), {steady(60000)}}, "gemm", 2, 1024), none); // under a column
}

TEST(CutSearch, FindsTheBalance) {
  for (const int balance : {40, 104, 160, 240}) {
    int trials = 0;
    const CutChoice found = searchCut({3, 128}, 512, [&](CutChoice choice) {
      ++trials;
      EXPECT_EQ(choice.slices, 3);
      EXPECT_LT(choice.hostColumns(), 512);
      return std::optional(CutTrial{double(choice.width), double(balance)});
    });
    EXPECT_EQ(found.slices, 3);
    EXPECT_NEAR(found.width, balance, 8);
    EXPECT_LE(trials, 8);
  }
}

TEST(CutSearch, KeepsWhatItHasWhenATrialFails) {
  EXPECT_EQ(searchCut({3, 128}, 512, [](CutChoice) { return std::optional<CutTrial>(); }), (CutChoice{3, 128}));
  EXPECT_EQ(searchCut({1, 0}, 512, [](CutChoice) -> std::optional<CutTrial> { return CutTrial{1, 2}; }), CutChoice());
}

/// The times that a machine of these rates needs for a task on full tiles of nb.
class MeasuredMachine : public testing::Test {
protected:
  MeasuredMachine() {
    rates_.core.seconds["gemm"] = {{32, 1e-3 / 8}, {64, 1e-3}};
    rates_.accelerators[0].seconds["gemm"] = {{64, 2e-4}};
    rates_.accelerators[0].alone["gemm"] = {{64, 5e-4}};
  }

  template <typename Ask> auto ask(const char *kernel, int nb, Ask &&question) {
    const RateProbe probe = probesOf(runtime::ElementType::D, {kernel}).at(0);
    ProbeShape tiles(probe, nb, sizeof(double));
    const runtime::SingleTask task = taskOf(tiles);
    return question(probe.taskClass, runtime::TaskView(task.task()));
  }
  double onCore(const char *kernel, int nb) { return ask(kernel, nb, machine().coreSeconds); }
  runtime::KernelDemand onDevice(const char *kernel, int nb) { return ask(kernel, nb, machine().devices.at(0).kernel); }
  runtime::VirtualHardware machine() const { return measuredMachine(rates_, devices_, runtime::ElementType::D); }

  const std::vector<AcceleratorProperties> devices_{{.name = "one"}};
  NodeRates rates_{{}, std::vector<UnitRates>(1)};
};

double alone(const runtime::KernelDemand &demand) { return demand.latency + demand.work / demand.share; }

/// Only products, which are begun one by one or together, take the host's time for a launch; the times of other kernels
/// were measured with it.
TEST_F(MeasuredMachine, KnowsWhatALaunchTakesTheHost) {
  EXPECT_EQ(onDevice("gemm", 64).host, 0);
  rates_.accelerators[0].launch = 1e-5;
  EXPECT_EQ(onDevice("gemm", 64).host, 1e-5);
  EXPECT_EQ(onDevice("potrf", 64).host, 0);
}

TEST_F(MeasuredMachine, TakesWhatWasMeasured) {
  EXPECT_NEAR(onCore("gemm", 64), 1e-3, 1e-9);
  EXPECT_NEAR(onCore("gemm", 128), 8e-3, 1e-8);
  EXPECT_NEAR(onDevice("gemm", 64).work, 2e-4, 1e-10);
  EXPECT_NEAR(alone(onDevice("gemm", 64)), 5e-4, 1e-10);
  EXPECT_NEAR(onDevice("gemm", 128).work, 1.6e-3, 1e-9);
  EXPECT_NEAR(alone(onDevice("gemm", 128)), 4e-3, 1e-9);
  EXPECT_GE(alone(onDevice("gemm", 8)), 5e-4) << "a launch at least";
}

/// A panel of eight tiles, and what follows for five.
TEST_F(MeasuredMachine, KnowsTallPanels) {
  rates_.core.seconds["getrf"] = rates_.accelerators[0].seconds["getrf"] = {{64, 1e-3}};
  const auto ofPanel = [&](bool onDevice) {
    const RateProbe probe = panelProbesOf(runtime::ElementType::D, {"getrf"}).at(0);
    ProbeShape tiles(probe, 64, sizeof(double));
    const runtime::SingleTask task = taskOf(tiles);
    const runtime::TaskView view(task.task());
    return onDevice ? alone(machine().devices.at(0).kernel(probe.taskClass, view))
                    : machine().coreSeconds(probe.taskClass, view);
  };
  EXPECT_NEAR(ofPanel(false), 11.5e-3, 1e-6) << "in proportion to the operations";
  EXPECT_NEAR(ofPanel(true), 11.5e-3, 1e-6);
  rates_.accelerators[0].tall["getrf"] = {{64, 2.4e-3}};
  EXPECT_NEAR(ofPanel(true), 2.4e-3, 1e-6);
  EXPECT_NEAR(ofPanel(false), 11.5e-3, 1e-6);
  EXPECT_NEAR(*rates_.accelerators[0].panelSeconds("getrf", 64, 5), 1.8e-3, 1e-9);
  EXPECT_NEAR(*rates_.accelerators[0].panelSeconds("getrf", 64, 0.5), 1e-3, 1e-9);
  // Of 256 no tile was measured: 64 times what one of 64 takes, and the panel takes less.
  rates_.accelerators[0].tall["getrf"][256] = 9e-3;
  EXPECT_NEAR(*rates_.accelerators[0].panelSeconds("getrf", 256, 2), 9e-3, 1e-9);
}

/// Panels wait in proportion to their columns, whatever the rows.
TEST_F(MeasuredMachine, KnowsWhatPanelsWaitFor) {
  rates_.core.seconds["getrf"] = rates_.accelerators[0].seconds["getrf"] = {{64, 1e-3}};
  EXPECT_EQ(onDevice("getrf", 128).waits, 0);
  rates_.accelerators[0].waits["getrf"] = {{64, 1e-3}, {256, 5e-3}};
  EXPECT_NEAR(onDevice("getrf", 32).waits, 0.5e-3, 1e-9);
  EXPECT_NEAR(onDevice("getrf", 64).waits, 1e-3, 1e-9);
  EXPECT_NEAR(onDevice("getrf", 160).waits, 3e-3, 1e-9);
  EXPECT_NEAR(onDevice("getrf", 512).waits, 10e-3, 1e-9);
  EXPECT_EQ(onDevice("gemm", 64).waits, 0);
  rates_.accelerators[0].waits["larfb"] = {{64, 8e-3}}; // of eight tiles
  EXPECT_NEAR(onDevice("larfb", 64).waits, 1e-3, 1e-9);
}

TEST_F(MeasuredMachine, EstimatesTheRest) {
  EXPECT_NEAR(onCore("trsm", 64), 0.5e-3 / 0.7, 1e-5) << "half of gemm's operations";
  EXPECT_NEAR(onCore("potrf", 64), 1e-3 / 6 / 0.4, 1e-5) << "a panel";
  EXPECT_EQ(machine().devices[0].in.latency, 0);
  rates_.accelerators[0].bandwidth = 1e9;
  rates_.accelerators[0].latency = 1e-5;
  EXPECT_EQ(machine().devices[0].out.bytesPerSecond, 1e9);
  EXPECT_EQ(machine().devices[0].out.latency, 1e-5);
}

/// At the edge of a matrix, where one of the tiles is narrow: few operations, and not many launches.
TEST_F(MeasuredMachine, ANarrowTileIsNotManySmallOnes) {
  Storage narrow(8, 64, 8, 64, sizeof(double), Shape::General);
  runtime::TileTable table(narrow, "C", true, false);
  const runtime::TaskClass product{"gemm", "test:1", [](const runtime::TaskView &) { return 0; },
                                   [](const runtime::TaskView &) { return 2.0 * 8 * 64 * 64; }};
  const std::vector<runtime::SingleArgument> arguments{{&table, true}};
  const runtime::SingleTask task(product, arguments);
  EXPECT_NEAR(machine().devices[0].kernel(product, runtime::TaskView(task.task())).work, 2e-4, 1e-10);
  EXPECT_NEAR(machine().coreSeconds(product, runtime::TaskView(task.task())), 1e-3 / 8, 1e-8);
}

TEST(LinkSteps, HaveEachPairOnceAndNoRankTwiceAtATime) {
  for (const bool atOnce : {false, true})
    for (int ranks = 2; ranks < 70; ranks += 3)
      for (int distance = 1; distance < ranks; distance *= 2) {
        const LinkSteps steps(ranks, distance, atOnce);
        std::multiset<int> begun;
        for (int step = 0; step < steps.count(); ++step)
          for (int rank = 0; rank < ranks; ++rank) {
            const int partner = steps.partner(rank, step);
            if (partner < 0)
              continue;
            EXPECT_EQ(steps.partner(partner, step), rank) << ranks << " ranks, " << distance << " apart";
            EXPECT_EQ(std::abs(partner - rank), distance);
            begun.insert(std::min(rank, partner));
          }
        EXPECT_EQ(begun.size(), 2u * static_cast<unsigned>(ranks - distance)) << "both of each pair";
        EXPECT_EQ(std::set<int>(begun.begin(), begun.end()).size(), static_cast<unsigned>(ranks - distance));
      }
}

TEST_F(MeasuredMachine, NeedsGemmOfAll) {
  EXPECT_TRUE(canBeSimulated(rates_, devices_));
  EXPECT_FALSE(canBeSimulated({rates_.core, {}}, devices_));
  EXPECT_FALSE(canBeSimulated({{}, rates_.accelerators}, devices_));
  rates_.accelerators[0].seconds["gemm"].clear(); // known to be impossible
  EXPECT_FALSE(canBeSimulated(rates_, devices_));
}
} // namespace
} // namespace tla::host
