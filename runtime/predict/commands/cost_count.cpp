#include "runtime/predict/commands/cost_count.hpp"

#include "runtime/host/problem/residence.hpp"
#include "runtime/host/starter/node_loops.hpp"
#include "runtime/predict/machine/profile_choice.hpp"
#include "runtime/predict/plan/order_choice.hpp"

namespace tla::host {
namespace {
/// Visits, by largestTaskCount(), which is up to six times the tasks. By replay they take about two seconds; loops for
/// nodes take the compiler as long or longer, and save a fifth of the count on one core.
constexpr double tasksWorthLoops = 2e7;
} // namespace

DryCall dryCall(const Problem &problem, const runtime::Algorithm &algorithm, const Distribution &distribution) {
  const bool loops = runtime::hasNodeLoops(algorithm, distribution);
  return {algorithm,       onDistribution(problem, problem.values, distribution),
          problem.scalars, problem.nb,
          problem.cut,     loops ? 0 : distribution.nodes()};
}

runtime::CostOptions costOptions(const Settings &settings, const runtime::DeviceShares &shares) {
  const std::vector<runtime::AcceleratorProperties> devices = runtime::describeAnyDevices(settings.devices);
  if (settings.resident && devices.empty())
    throw UsageError(noDeviceForResidents);
  return costOptions(devices, settings, shares);
}

NodeMemory memoryOf(const runtime::Cost &cost, const runtime::NodeCost &node) {
  return memoryOf(node, static_cast<double>(node.ownedBytes), static_cast<int>(cost.nodes.size()));
}

double leastBytesOfNode(const runtime::Cost &cost) {
  double most = 0;
  for (const runtime::NodeCost &node : cost.nodes)
    most = std::max(most, memoryOf(cost, node).leastBytes());
  return most;
}

double bytesOfNode(const runtime::Cost &cost) {
  double most = 0;
  for (const runtime::NodeCost &node : cost.nodes)
    most = std::max(most, memoryOf(cost, node).bytes());
  return most;
}

CostRecord countCost(const Problem &problem, const Settings &settings, const Distribution &distribution,
                     const runtime::CostOptions &options, const runtime::VirtualHardware *machine) {
  runtime::CostOptions ordered = options;
  ordered.order = chooseOrder(problem, distribution, settings, options, machine);
  const bool ask = settings.generator == GeneratorChoice::Nodes || largestTaskCount(problem) >= tasksWorthLoops;
  const runtime::Algorithm algorithm = ordered.order.isProgramOrder()
                                           ? withNodeLoops(*problem.algorithm, distribution, settings, ask)
                                           : *problem.algorithm;
  const DryCall call = dryCall(problem, algorithm, distribution);
  if (problem.patterns)
    requireStoredTiles(algorithm, call.arguments());
  return {distribution, generatorName(algorithm, distribution),
          runtime::predictCost(algorithm, call.arguments(), distribution, ordered), ordered.order};
}

} // namespace tla::host
