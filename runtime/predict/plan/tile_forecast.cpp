#include "runtime/predict/plan/tile_forecast.hpp"

#include "runtime/host/base/element_type.hpp"
#include "runtime/host/problem/layout.hpp"
#include "runtime/predict/plan/device_shares.hpp"
#include "runtime/predict/plan/tiles/part_of_problem.hpp"

#include <tla/kernels/traits.hpp>
#include <tla/runtime/error.hpp>

#include <algorithm>

namespace tla::host {
namespace {

constexpr std::size_t mostRecorded = 1'000'000;
constexpr std::size_t mostCounted = 200'000'000; // two seconds, of a run of minutes
constexpr double closeToLimit = 1.2;
constexpr double taskSeconds = 0.3e-6; // of an empty task: to make it, and on its worker
// From the end of a task on one rank to the start of one on another, without and with a tile: a fast network.
constexpr double hopSeconds = 20e-6, bytesPerSecond = 10e9;

/// The speed of a panel when so many idle threads help: of 100000 x 200 two threads take 0.59 of the time of one, so
/// 0.18 of it are no parts; a part has some 1024 rows, and a thread that is busy wakes two others.
double speedWithHelp(long rows, int idle) {
  constexpr double alone = 0.18;
  constexpr long rowsOfPart = 1024, mostHelpers = 3;
  const long helpers = std::clamp(std::min<long>(idle, rows / rowsOfPart - 1), 0L, mostHelpers);
  return 1 / (alone + (1 - alone) / static_cast<double>(1 + helpers));
}

/// The side of a square tile with as many elements as the last slice, the accelerators', has.
int sizeOfLast(int nb, Cut cut) {
  const double columns = nb - (cut.slices - 1.0) * cut.width;
  return static_cast<int>(std::lround(std::sqrt(nb * columns)));
}

bool isPanel(const runtime::TaskClass *taskClass) { return kernels::hasTrait(taskClass->kernel, kernels::Trait::Crew); }

/// The storages of a problem of these sizes, without memory.
std::vector<StorageRef> storagesOf(const PlanCase &plan, const TileTrial &trial, const runtime::Values &values) {
  std::vector<StorageRef> storages;
  for (int i = 0; i < plan.algorithm().matrixCount; ++i)
    storages.push_back(describeStorage(plan.algorithm().matrices[i], values, trial.nb, trial.cut));
  return storages;
}

} // namespace

runtime::Values valuesOf(const PlanCase &plan, const std::vector<runtime::ScalarValue> &scalars) {
  runtime::Values values = plan.problem.values;
  values.scalars = scalars.data();
  return values;
}

runtime::Arguments argumentsOf(const std::vector<StorageRef> &storages,
                               const std::vector<runtime::ScalarValue> &scalars, std::vector<Storage *> &pointers) {
  for (const StorageRef &storage : storages)
    pointers.push_back(&*storage);
  return {pointers.data(), scalars.data()};
}

std::optional<Cut> TileForecast::cutOf(int nb) const try { return plan_.cut(nb); } catch (const UsageError &) {
  return std::nullopt;
}

runtime::Values TileForecast::valuesWith(const TileTrial &trial, const Distribution &owners) const {
  runtime::Values values = valuesOf(plan_, trial.scalars);
  values.period = plan_.problem.period.value_or(owners.period());
  return values;
}

std::optional<RecordedTasks> TileForecast::record(const TileTrial &trial, const Distribution &owners) const {
  const runtime::Values whole = valuesWith(trial, owners);
  const auto all = countTasks(trial, whole);
  if (!all)
    return std::nullopt;
  runtime::Values values = whole;
  double share = 1;
  const auto limit = static_cast<double>(trial.limit);
  for (auto tasks = static_cast<double>(*all); tasks > closeToLimit * limit;) {
    share *= std::cbrt(limit / tasks); // soon where all sides are cut; later where one is, of a tall matrix
    const runtime::Values smaller = partOf(whole, trial.nb, share);
    const auto count = countTasks(trial, smaller);
    if (!count || static_cast<double>(*count) >= tasks) // all its sides are short
      break;
    values = smaller;
    tasks = static_cast<double>(*count);
  }
  auto graph = recordTasks(trial, owners, values);
  if (!graph || graph->tasks.empty())
    return std::nullopt;
  return RecordedTasks{*std::move(graph), share, *all};
}

/// Nothing beyond mostCounted, or where the program cannot be recorded.
std::optional<std::size_t> TileForecast::countTasks(const TileTrial &trial, const runtime::Values &values) const try {
  const std::vector<StorageRef> storages = storagesOf(plan_, trial, values);
  std::vector<Storage *> pointers;
  return runtime::countTasks(plan_.algorithm(), argumentsOf(storages, trial.scalars, pointers), mostCounted);
} catch (const Error &) {
  return std::nullopt;
}

/// Nothing beyond mostRecorded, or where the program cannot be recorded.
std::optional<runtime::TaskGraph> TileForecast::recordTasks(const TileTrial &trial, const Distribution &owners,
                                                            const runtime::Values &values) const try {
  const std::vector<StorageRef> storages = storagesOf(plan_, trial, values);
  std::vector<Storage *> pointers;
  std::vector<runtime::NodePlaces> nodes = nodePlaces(trial.nb, owners);
  std::vector<runtime::PlaceRule> rules(nodes.begin(), nodes.end());
  return runtime::recordTasks(
      plan_.algorithm(), argumentsOf(storages, trial.scalars, pointers), mostRecorded,
      plan_.ranks > 1 ? &owners : nullptr,
      {places(), [&](int node, const runtime::TaskClass &taskClass, const runtime::TileAccess *accesses, int count) {
         return rules[node].place(taskClass, accesses, count);
       }});
} catch (const Error &) {
  return std::nullopt;
}

double TileForecast::seconds(const RecordedTasks &recorded, const TileTrial &trial) const {
  const runtime::TaskGraph &graph = recorded.graph;
  const int last = sizeOfLast(trial.nb, trial.cut);
  double work = 0;
  const double seconds = runtime::simulate(
      graph,
      [&](const runtime::TaskGraph::Node &task) {
        const runtime::TaskClass &taskClass = *graph.classes[task.taskClass];
        const double kernel = trial.times.secondsOf(taskClass, task.accesses, task.slice, task.flops) /
                              speedup(taskClass.kernel, task.node % places(), last);
        work += kernel + taskSeconds;
        return kernel + taskSeconds;
      },
      {plan_.threads, plan_.ranks, messageSeconds(trial.nb), places(), copySeconds(last)},
      [&](const runtime::TaskGraph::Node &task, int idle) {
        return isPanel(graph.classes[task.taskClass]) ? speedWithHelp(static_cast<long>(task.accesses) * trial.nb, idle)
                                                      : 1;
      });
  const double workOfAll = work / (static_cast<double>(plan_.threads) * plan_.ranks);
  const double whole =
      secondsOfWhole({.seconds = seconds,
                      .work = places() == 1 ? workOfAll : seconds, // with accelerators: how they share it is not known
                      .share = recorded.share,
                      .tasksRatio = static_cast<double>(recorded.tasks) / static_cast<double>(graph.tasks.size()),
                      .panels = std::ranges::any_of(graph.classes, isPanel)});
  return std::max(whole, static_cast<double>(recorded.tasks) * taskSeconds / plan_.ranks);
}

double TileForecast::ownShare(int nb, long limit) const {
  const auto cut = cutOf(nb);
  if (!cut)
    return 0;
  const TileTrial sample{nb, *cut, plan_.scalars};
  runtime::Values values = valuesWith(sample, Distribution());
  for (long *const side : {&values.m, &values.n, &values.k})
    *side = std::min(*side, limit);
  const auto graph = recordTasks(sample, Distribution(), values);
  double own = 0, all = 0;
  for (const runtime::TaskGraph::Node &task : graph ? graph->tasks : std::vector<runtime::TaskGraph::Node>()) {
    const runtime::TaskClass &taskClass = *graph->classes[task.taskClass];
    all += task.flops;
    own += taskClass.userKernel && !taskClass.memoryBound ? task.flops : 0;
  }
  return all > 0 ? own / all : 0;
}

/// The places of each rank when tiles are nb wide; empty without accelerators.
std::vector<runtime::NodePlaces> TileForecast::nodePlaces(int nb, const Distribution &owners) const {
  std::vector<runtime::NodePlaces> nodes;
  if (places() == 1)
    return nodes;
  const runtime::DeviceShares shares = plan_.shares(nb);
  std::vector<runtime::NodePlaces::Memory> accelerators;
  for (std::size_t d = 0; d < plan_.devices.size(); ++d) {
    const runtime::AcceleratorProperties &device = plan_.devices[d];
    accelerators.push_back(
        {device.name, device.memoryBytes, device.granularity, device.runs, device.has, device.peers});
    if (d < shares.runs.size() && shares.runs[d])
      accelerators.back().runs = shares.runs[d];
  }
  for (int node = 0; node < plan_.ranks; ++node)
    nodes.emplace_back(accelerators, shares.weights, shares.hostWeight, owners, node, shares.gridRows);
  return nodes;
}

/// How many times faster a task of this kernel is at a place than on a core; of kernels without a measured rate as
/// many as of gemm, else 1.
double TileForecast::speedup(const std::string &kernel, int place, int nb) const {
  const NodeRates &rates = plan_.rates;
  if (place == runtime::hostPlace || rates.accelerators.empty())
    return 1;
  for (const std::string &known : {kernel, std::string(kernels::productKernel)}) {
    const auto here = rates.core.secondsOf(known, nb), there = rates.accelerators[place - 1].secondsOf(known, nb);
    if (here && there)
      return *here / *there;
  }
  return 1;
}

/// The time to copy an nb x nb tile between host and accelerator, by the slowest one.
double TileForecast::copySeconds(double nb) const {
  double seconds = 0;
  for (const UnitRates &unit : plan_.rates.accelerators)
    seconds = std::max(seconds, unit.copySeconds(nb * nb * static_cast<double>(elementBytes(plan_.algorithm().type))));
  return seconds;
}

double TileForecast::messageSeconds(double nb) const {
  return hopSeconds + nb * nb * static_cast<double>(elementBytes(plan_.algorithm().type)) / bytesPerSecond;
}

} // namespace tla::host
