#include "runtime/predict/commands/plan_problem.hpp"

#include "runtime/host/base/element_type.hpp"
#include "runtime/host/problem/nominal_flops.hpp"
#include "runtime/predict/commands/cluster.hpp"
#include "runtime/predict/commands/cost_count.hpp"
#include "runtime/predict/commands/time_choice.hpp"
#include "runtime/predict/machine/virtual_node.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace tla::host {
namespace {

/// Tasks that are run in virtual time for each number of nodes, at most: a fraction of a second. Of a larger problem
/// two smaller ones are run.
constexpr double mostSimulated = 150e3;
/// Tasks where two smaller problems have not told enough: some seconds.
constexpr double mostSimulatedOnce = 1e6;

class Stopwatch {
public:
  /// Seconds since the last time.
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(now - std::exchange(last_, now)).count();
  }

private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

double flopsOf(const Problem &problem, const runtime::Cost &cost) {
  const double nominal = nominalFlops(problem);
  return nominal > 0 ? nominal : cost.total().flops;
}

/// Whether the devices' memory is too small for some node's tiles.
bool evicts(const runtime::Cost &cost) {
  return std::ranges::any_of(cost.total().devices, [](const runtime::DeviceCost &device) {
    return device.comingAgain.bytes + device.makingRoom.bytes > 0;
  });
}

std::size_t deviceBytesOf(const Settings &settings) {
  return runtime::describeVirtual(*settings.devices.machine).front().memoryBytes;
}

/// The settings with devices of so much memory, room for some tasks at least.
Settings withDeviceMemory(Settings settings, double bytes, const Problem &problem) {
  constexpr double tiles = 64;
  const double tile = static_cast<double>(elementBytes(problem.algorithm->type)) * problem.nb * problem.nb;
  const double most = static_cast<double>(deviceBytesOf(settings));
  runtime::VirtualOptions machine = *settings.devices.machine;
  machine.memoryBytes = static_cast<std::size_t>(std::max(bytes, std::min(most, tiles * tile)));
  settings.devices.machine = std::make_shared<const runtime::VirtualOptions>(std::move(machine));
  return settings;
}

/// Extrapolates the time of a problem that is too large to be run in virtual time: seconds per flop approach their
/// limit with the inverse of the side, as the distribution's unevenness and the ends of the run do (cost_choice.hpp);
/// two sizes show how.
class Extrapolation {
public:
  Extrapolation(const runtime::Algorithm &algorithm, const Settings &settings, const PlanRecord &record)
      : algorithm_(algorithm), settings_(settings), problem_(*record.problem), distribution_(record.cost.distribution),
        evicts_(evicts(record.cost.cost)) {
    settings_.nb = record.problem->nb;
  }

  /// Nothing: the smaller ones are too far from the limit to say where it is.
  std::optional<PlannedTime> carry(double flops, double part) const {
    const double near = secondsPerFlop(part), far = secondsPerFlop(part / 2);
    if (far > mostAbove * near)
      return std::nullopt;
    const double limit = std::min(2 * near - far, near);
    const double seconds = flops * (limit + (near - limit) * part);
    return PlannedTime{seconds, flops / seconds * 1e-9, part};
  }

private:
  static constexpr double mostAbove = 1.5;

  /// Shares are chosen for each size, as what is best for a large one leaves devices idle on a small one.
  double secondsPerFlop(double part) const {
    Settings smaller = scaledSettings(settings_, part);
    if (evicts_) // as much of the matrices as of the whole
      smaller = withDeviceMemory(smaller, part * part * static_cast<double>(deviceBytesOf(settings_)), problem_);
    const int nodes = distribution_.nodes();
    const SimRecord record =
        runCluster(planCluster(algorithm_, smaller, scaledSettings(smaller, 1 / std::sqrt(static_cast<double>(nodes))),
                               distribution_, nodes),
                   smaller);
    return record.seconds() / record.flops();
  }

  const runtime::Algorithm &algorithm_;
  Settings settings_;
  const Problem &problem_;
  const Distribution distribution_;
  const bool evicts_;
};

std::optional<PlannedTime> timeOf(const runtime::Algorithm &algorithm, const Settings &settings, ClusterPlan cluster,
                                  const PlanRecord &record) {
  const auto tasks = static_cast<double>(record.cost.cost.total().tasks);
  const double flops = flopsOf(*record.problem, record.cost.cost);
  if (tasks > mostSimulated) {
    const Extrapolation extrapolation(algorithm, settings, record);
    const double part = std::cbrt(mostSimulated / tasks);
    const std::optional<PlannedTime> time = extrapolation.carry(flops, part);
    // Far from the whole there is a second chance, of some seconds.
    if (time || part > 0.9)
      return time;
    if (tasks > mostSimulatedOnce)
      return extrapolation.carry(flops, std::cbrt(mostSimulatedOnce / tasks));
  }
  const double seconds = runCluster(std::move(cluster), settings).seconds();
  return PlannedTime{seconds, flops / seconds * 1e-9, 1};
}

/// Times of runs on devices with half and twice the memory.
std::vector<PlanRecord::OtherMemory> otherMemoriesOf(const runtime::Algorithm &algorithm, const Settings &settings,
                                                     const Settings &part, const PlanRecord &record) {
  std::vector<PlanRecord::OtherMemory> others;
  for (const double factor : {0.5, 2.0}) {
    const Settings other =
        withDeviceMemory(settings, factor * static_cast<double>(deviceBytesOf(settings)), *record.problem);
    const auto time =
        timeOf(algorithm, other, planCluster(algorithm, other, part, record.cost.distribution, record.nodes()), record);
    if (time)
      others.push_back({deviceBytesOf(other), time->seconds});
  }
  return others;
}

/// Returns what is counted for a plan. Its devices take the longest, and a node's memory does not depend on them.
runtime::CostOptions countedOptions(const Settings &settings, const Plan &plan, Timed timed) {
  runtime::CostOptions options = costOptions(settings, plan.shares);
  if (timed == Timed::No)
    options.devices.clear();
  return options;
}

} // namespace

PlanRecord planProgram(const runtime::Algorithm &algorithm, const Settings &settings, const WantedOwners &owners,
                       int nodes, Timed timed) {
  const Settings part = scaledSettings(settings, 1 / std::sqrt(static_cast<double>(nodes)));
  Stopwatch stopwatch;
  PlanRecord record;
  const bool isTimed = timed == Timed::Yes && settings.devices.machine;
  ClusterPlan cluster = isTimed ? planFastestCluster(algorithm, settings, part, owners, nodes, mostTasksOfPlannedTrial)
                                : planCluster(algorithm, settings, part, owners, nodes);
  record.byTime = cluster.byTime;
  record.choiceSeconds = stopwatch.lap();
  record.cost = countCost(*cluster.problem, settings, cluster.plan.distribution,
                          countedOptions(settings, cluster.plan, timed), cluster.plan.timing.get());
  record.bytesPerNode = bytesOfNode(record.cost.cost);
  record.countSeconds = stopwatch.lap();
  record.problem = describeProblem(algorithm, settings);
  applyPlan(cluster.plan, *record.problem);
  record.window = settings.window;
  if (isTimed)
    record.time = timeOf(algorithm, settings, std::move(cluster), record);
  if (record.time && evicts(record.cost.cost))
    record.otherMemories = otherMemoriesOf(algorithm, settings, part, record);
  record.timeSeconds = stopwatch.lap();
  return record;
}

} // namespace tla::host
