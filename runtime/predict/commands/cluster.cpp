#include "runtime/predict/commands/cluster.hpp"

#include "runtime/host/starter/node_loops.hpp"
#include "runtime/predict/machine/profile_choice.hpp"
#include "runtime/predict/plan/order_choice.hpp"
#include "runtime/predict/plan/virtual_run.hpp"
#include "runtime/predict/rates/measured_machine.hpp"

#include <tla/runtime/error.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace tla::host {

Settings scaledSettings(Settings settings, double factor) {
  if (factor < 1 && !settings.patterns.empty()) // a file has the tiles of one size
    return settings;
  for (std::optional<long> *const size : {&settings.m, &settings.n, &settings.k})
    if (*size)
      *size = std::max(1L, std::lround(static_cast<double>(**size) * factor));
  return settings;
}

ClusterPlan planCluster(const runtime::Algorithm &algorithm, const Settings &whole, const Settings &part,
                        const WantedOwners &owners, int nodes) {
  return planCluster(
      algorithm, whole, part, [&](const Problem &problem) { return resolveOwners(owners, problem, nodes); }, nodes);
}

ClusterPlan planCluster(const runtime::Algorithm &algorithm, const Settings &whole, const Settings &part,
                        const std::function<Distribution(const Problem &)> &choose, int nodes) {
  ClusterPlan cluster;
  cluster.plan = planCounting(*describeProblem(algorithm, part), whole, runtime::describeAnyDevices(whole.devices));
  cluster.problem = describeProblem(algorithm, whole);
  Problem &problem = *cluster.problem;
  problem.nb = cluster.plan.nb;
  requireOneNode(nodes, *problem.algorithm);
  problem.cut = cluster.plan.cut;
  cluster.plan.distribution = choose(problem);
  if (cluster.plan.distribution.nodes() != nodes)
    throw UsageError("--dist " + cluster.plan.distribution.name() + " has " +
                     std::to_string(cluster.plan.distribution.nodes()) + " nodes, --nodes says " +
                     std::to_string(nodes));
  cluster.plan.algorithm = algorithm;
  applyPlan(cluster.plan, problem);
  const runtime::CostOptions options =
      costOptions(runtime::describeAnyDevices(whole.devices), whole, cluster.plan.shares);
  cluster.plan.shares.order =
      chooseOrder(problem, cluster.plan.distribution, whole, options, cluster.plan.timing.get());
  return cluster;
}

ClusterPlan withOwners(const Plan &plan, const runtime::Algorithm &algorithm, const Settings &whole,
                       const Distribution &distribution) {
  ClusterPlan cluster{.problem = describeProblem(algorithm, whole), .plan = plan};
  cluster.plan.distribution = distribution;
  cluster.plan.algorithm = algorithm;
  applyPlan(cluster.plan, *cluster.problem);
  return cluster;
}

/// The slowness of each node, where the fastest node is the machine.
static std::vector<double> slownessOf(const std::vector<int> &weights, const Distribution &distribution) {
  if (!weights.empty() && weights.size() != static_cast<std::size_t>(distribution.nodes()))
    throw UsageError("--node-weights has " + std::to_string(weights.size()) + " nodes, " + distribution.name() +
                     " has " + std::to_string(distribution.nodes()));
  std::vector<double> slowness;
  for (const int weight : weights)
    slowness.push_back(static_cast<double>(*std::max_element(weights.begin(), weights.end())) / weight);
  return slowness;
}

/// Where the profile has none: of shared machines like those of BENCHMARKS.md, on which kernels of one size are 2%
/// apart, a core is 10 to 20% slower for seconds, and now and then stands still for 3 to 9 ms.
static constexpr runtime::NoiseFigures sharedMachine{.spread = 0.02,
                                                     .slowBy = 0.15,
                                                     .slowSeconds = 2,
                                                     .slowEvery = 20,
                                                     .leastStop = 3e-3,
                                                     .mostStop = 9e-3,
                                                     .stopEvery = 2};

SimRecord runCluster(ClusterPlan cluster, const Settings &settings, std::optional<std::uint64_t> noiseSeed) {
  const auto begin = std::chrono::steady_clock::now();
  Plan &plan = cluster.plan;
  Problem &problem = *cluster.problem;
  const runtime::VirtualOptions &machine = *settings.devices.machine;
  if (plan.shares.order.isProgramOrder())
    plan.algorithm = withNodeLoops(plan.algorithm, plan.distribution, settings, plan.distribution.nodes() > 1);
  SimRecord record;
  record.generator = generatorName(plan.algorithm, plan.distribution);
  record.policy = staticPolicy;
  record.machine = machine.profile.description;
  const runtime::MachineProfile::Network network = networkOf(machine.profile, plan.distribution.nodes());
  if (!network.platform.empty())
    record.machine += ", on the network of " + network.platform;
  record.threads = plannedThreads(settings, 0);
  record.shares = plan.shares;
  record.noiseSeed = noiseSeed;
  const runtime::VirtualHardware hardware = profileMachine(machine, plan.algorithm.type);
  const std::vector<runtime::Outcome> outcomes =
      runClusterVirtually({.algorithm = plan.algorithm,
                           .values = onDistribution(problem, problem.values, plan.distribution),
                           .scalars = problem.scalars,
                           .nb = problem.nb,
                           .cut = problem.cut,
                           .shares = plan.shares,
                           .machine = hardware,
                           .threads = record.threads,
                           .window = settings.window,
                           .trace = !settings.traceFile.empty(),
                           .resident = settings.resident,
                           .noiseSeed = noiseSeed,
                           .noise = machine.profile.noise.value_or(sharedMachine),
                           .slowness = slownessOf(settings.nodeWeights, plan.distribution)},
                          plan.distribution, network);
  for (const runtime::Outcome &outcome : outcomes) {
    if (outcome.kind != runtime::Outcome::Kind::Finished)
      throw Error(outcome.message);
    record.nodes.push_back(outcome.statistics);
  }
  record.wallSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  record.problem = std::move(cluster.problem);
  record.byTime = std::move(cluster.byTime);
  return record;
}

SimRecord runRival(ClusterPlan cluster, const Settings &settings, Rival rival) {
  const auto begin = std::chrono::steady_clock::now();
  const Problem &problem = *cluster.problem;
  const runtime::VirtualOptions &machine = *settings.devices.machine;
  SimRecord record;
  record.generator = "replay";
  record.policy = rivalName(rival);
  record.machine = machine.profile.description;
  record.threads = plannedThreads(settings, 0);
  const runtime::VirtualHardware hardware = profileMachine(machine, problem.algorithm->type);
  record.nodes =
      runAsRival({.algorithm = *problem.algorithm,
                  .values = problem.values,
                  .scalars = problem.scalars,
                  .nb = problem.nb,
                  .cut = problem.cut,
                  .shares = record.shares,
                  .machine = hardware,
                  .threads = record.threads},
                 rival, cluster.plan.distribution, networkOf(machine.profile, cluster.plan.distribution.nodes()));
  record.wallSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  record.problem = std::move(cluster.problem);
  return record;
}

} // namespace tla::host
