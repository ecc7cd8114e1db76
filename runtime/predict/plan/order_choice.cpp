#include "runtime/predict/plan/order_choice.hpp"

#include "runtime/predict/plan/cost_choice.hpp"

#include <tla/runtime/error.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace tla::host {
namespace {

using runtime::CostOptions;
using runtime::TaskBlocks;

constexpr double mostOrdered = 16e6; // tasks that are kept, at some 90 bytes each

/// Bytes to and from the devices of node 0, with several orders.
class OrderTrials {
public:
  OrderTrials(const Problem &problem, const Distribution &distribution, const CostOptions &options)
      : problem_(onTiles(problem, trialTile(problem, distribution), problem.cut)), distribution_(distribution),
        options_(options), call_(*problem_->algorithm, onDistribution(*problem_, problem_->values, distribution),
                                 problem_->scalars, problem_->nb, problem_->cut, 0) {
    options_.window = 1; // of memory nothing is asked
    options_.deviceNode = 0;
    for (runtime::DeviceDescription &device : options_.devices)
      device.memoryBytes /= distribution.nodes() > 1 ? 2 : 1;
  }

  double bytes(const TaskBlocks &order) const { return bytesWith(order, options_); }
  /// Whether the program's order evicts nothing.
  bool isWithinMemory(double bytesOfProgram) const {
    CostOptions ample = options_;
    for (runtime::DeviceDescription &device : ample.devices)
      device.memoryBytes = std::size_t(1) << 60;
    return bytesWith({}, ample) >= bytesOfProgram;
  }
  /// Rows and columns of tiles of the largest matrix that is written, and the blocks into which it has to be cut for
  /// one of them to fit into all devices.
  struct Extents {
    int rows = 1, columns = 1;
    double blocks = 1;
  };
  Extents extents() const {
    Extents extents;
    double most = 0, devices = 0;
    for (const ProblemMatrix &matrix : problem_->matrices) {
      const double bytes = static_cast<double>(matrix.extent.rows) * static_cast<double>(matrix.extent.columns) * 8;
      if (!matrix.parameter->written || bytes <= most)
        continue;
      most = bytes;
      extents.rows = static_cast<int>((matrix.extent.rows + problem_->nb - 1) / problem_->nb);
      extents.columns = static_cast<int>((matrix.extent.columns + problem_->nb - 1) / problem_->nb);
    }
    for (const runtime::DeviceDescription &device : options_.devices)
      devices += static_cast<double>(device.memoryBytes);
    extents.blocks = std::max(1.0, most / (devices * distribution_.nodes()));
    return extents;
  }

private:
  /// Wider tiles than the problem's, where it has many.
  static int trialTile(const Problem &problem, const Distribution &distribution) {
    const double most = distribution.nodes() == 1 ? 40e3 : 200e3;
    const double factor = std::max(1.0, std::floor(std::cbrt(largestTaskCount(problem) / most) + 0.999));
    return static_cast<int>(std::min(problem.nb * factor, 1048576.0));
  }

  double bytesWith(const TaskBlocks &order, CostOptions options) const {
    options.order = order;
    const runtime::Cost cost = runtime::predictCost(*problem_->algorithm, call_.arguments(), distribution_, options);
    double sum = 0;
    for (const runtime::DeviceCost &device : cost.nodes[0].devices)
      for (const runtime::CopyCounts &copies : {device.in, device.out, device.peer})
        sum += static_cast<double>(copies.bytes);
    return sum;
  }

  const std::unique_ptr<Problem> problem_;
  const Distribution distribution_;
  CostOptions options_;
  const DryCall call_;
};

/// Columns of blocks, rows and squares: as few as fit, and some more.
std::vector<TaskBlocks> candidatesFor(const OrderTrials::Extents &extents) {
  std::vector<TaskBlocks> candidates;
  const auto add = [&](double rows, double columns, bool bySteps) {
    const TaskBlocks blocks{.rows = std::clamp(static_cast<int>(std::ceil(rows)), 1, extents.rows),
                            .columns = std::clamp(static_cast<int>(std::ceil(columns)), 1, extents.columns),
                            .bySteps = bySteps};
    if (std::ranges::find(candidates, blocks) == candidates.end())
      candidates.push_back(blocks);
  };
  for (const double more : {1.0, 1.3, 1.7, 2.3, 3.2}) {
    const double blocks = extents.blocks * more, side = std::sqrt(blocks);
    add(side, side, true);
    add(1, blocks, true);
    add(1, blocks, false);
    add(blocks, 1, true);
  }
  return candidates;
}

} // namespace

CostOptions costOptions(const std::vector<runtime::AcceleratorProperties> &devices, const Settings &settings,
                        const runtime::DeviceShares &shares) {
  CostOptions options{.window = settings.window,
                      .deviceWeights = shares.weights,
                      .hostWeight = shares.hostWeight,
                      .deviceGridRows = shares.gridRows,
                      .taskMap = shares.taskMap,
                      .order = shares.order,
                      .resident = settings.resident};
  for (std::size_t d = 0; d < devices.size(); ++d) {
    const bool measured = d < shares.runs.size() && shares.runs[d];
    options.devices.push_back({devices[d].name, devices[d].memoryBytes, devices[d].granularity,
                               measured ? shares.runs[d] : devices[d].runs, devices[d].has, devices[d].peers});
  }
  return options;
}

TaskBlocks chooseOrder(const Problem &problem, const Distribution &distribution, const Settings &settings,
                       const CostOptions &options) {
  constexpr double worthIt = 0.9;
  const bool byNodes = settings.generator == GeneratorChoice::Nodes && distribution.nodes() > 1;
  if (settings.order && !settings.order->isProgramOrder()) {
    const auto refuse = [](bool given, const char *what) {
      if (given)
        throw UsageError(std::string("--order with blocks is for tiles that come to devices and go: ") + what);
    };
    refuse(options.devices.empty(), "give --devices");
    refuse(options.resident, "leave out --resident");
    refuse(byNodes, "leave out --generator nodes, as the whole program is replayed");
  }
  if (settings.order)
    return *settings.order;
  if (options.devices.empty() || options.resident || byNodes)
    return {};
  if (problem.algorithm->stages || problem.cut.slices > 1 || problem.patterns ||
      largestTaskCount(problem) > mostOrdered)
    return {};
  try {
    const OrderTrials trials(problem, distribution, options);
    const double program = trials.bytes({});
    if (trials.isWithinMemory(program))
      return {};
    TaskBlocks best;
    double least = worthIt * program;
    for (const TaskBlocks &candidate : candidatesFor(trials.extents()))
      if (const double bytes = trials.bytes(candidate); bytes < least) {
        least = bytes;
        best = candidate;
      }
    return best;
  } catch (const Error &) { // wider tiles do not fit into a device's memory, for instance
    return {};
  }
}

} // namespace tla::host
