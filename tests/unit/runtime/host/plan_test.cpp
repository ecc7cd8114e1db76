#include "runtime/host/plan/plan.hpp"
#include "tests/unit/runtime/host/on_ranks.hpp"
#include "tests/unit/runtime/host/test_algorithms.hpp"

#include <tla/runtime/error.hpp>

#include <cstdlib>
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

  void takeDevices(const std::string &text) {
    std::string error;
    settings_.devices = runtime::parseDevices(text, error).value();
  }
  Machine machineWith(Ranks &ranks) const {
    return {.ranks = ranks,
            .threads = 2,
            .devices = runtime::describeDevices(settings_.devices),
            .hostKernels = "reference"};
  }

  Settings settings_;

private:
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

} // namespace
} // namespace tla::host
