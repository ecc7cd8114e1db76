#include "runtime/predict/plan/order_choice.hpp"

#include "runtime/host/problem/layout.hpp"
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
constexpr double hidden = 0.4;       // of the devices' time: copies that take less are hidden behind kernels
constexpr double worthIt = 0.9;      // of the bytes of the program's order
constexpr double nearlyAmple = 1.1;  // times the bytes with memory for all tiles: a better order is not looked for
constexpr double partForTiles = 0.9; // of a device's memory, at most: the rest is for tiles on the way

double bytesOf(const std::vector<runtime::DeviceCost> &devices) {
  double sum = 0;
  for (const runtime::DeviceCost &device : devices)
    for (const runtime::CopyCounts &copies : {device.in, device.out, device.peer})
      sum += static_cast<double>(copies.bytes);
  return sum;
}

double evictedBytesOf(const std::vector<runtime::DeviceCost> &devices) {
  double sum = 0;
  for (const runtime::DeviceCost &device : devices)
    sum += static_cast<double>(device.comingAgain.bytes + device.makingRoom.bytes);
  return sum;
}

/// The time of the node's copies as a part of that of its devices' kernels. On tiles that are `wider` times as wide as
/// the problem's, tiles come again that many times less often: for each step of an update once.
double partOfCopies(const std::vector<runtime::DeviceCost> &devices, const runtime::VirtualHardware &machine,
                    double wider) {
  double kernels = 0, copies = 0, in = 0, out = 0;
  for (std::size_t d = 0; d < devices.size(); ++d) {
    const runtime::DeviceCost &device = devices[d];
    const double here =
        static_cast<double>(device.in.bytes) + (wider - 1) * static_cast<double>(device.comingAgain.bytes);
    const double back =
        static_cast<double>(device.out.bytes) + (wider - 1) * static_cast<double>(device.makingRoom.bytes);
    in += here;
    out += back;
    kernels = std::max(kernels, device.seconds);
    copies =
        std::max({copies, here / machine.devices[d].in.bytesPerSecond, back / machine.devices[d].out.bytesPerSecond});
  }
  if (machine.busBytesPerSecond > 0)
    copies = std::max(copies, std::max(in, out) / machine.busBytesPerSecond);
  return kernels > 0 ? copies / kernels : HUGE_VAL;
}

/// Whether no tile of the problem is ever evicted, as each device has room for all of them.
bool fitsIntoEach(const Problem &problem, const CostOptions &options) {
  double bytes = workspaceBytes(problem);
  for (const ProblemMatrix &matrix : problem.matrices)
    bytes += storageBytes(*matrix.parameter, problem.values, problem.nb, {}, problem.cut);
  return std::ranges::all_of(options.devices, [bytes](const runtime::DeviceDescription &device) {
    return bytes <= partForTiles * static_cast<double>(device.memoryBytes);
  });
}

/// Counts of the copies to and from the devices of node 0, with several orders.
class OrderTrials {
public:
  OrderTrials(const Problem &problem, const Distribution &distribution, const CostOptions &options)
      : problem_(onTiles(problem, trialTile(problem, distribution), problem.cut)), distribution_(distribution),
        options_(options), wider_(static_cast<double>(problem_->nb) / problem.nb),
        call_(*problem_->algorithm, onDistribution(*problem_, problem_->values, distribution), problem_->scalars,
              problem_->nb, problem_->cut, 0) {
    options_.deviceNode = 0;
    for (runtime::DeviceDescription &device : options_.devices)
      device.memoryBytes /= distribution.nodes() > 1 ? 2 : 1;
  }

  /// Asks for the seconds of kernels, too, by that machine.
  void ask(const runtime::VirtualHardware &machine) {
    options_.deviceSeconds = [&machine](int device, const runtime::TaskClass &taskClass,
                                        const runtime::TaskView &view) {
      return machine.devices[device].kernel(taskClass, view).work;
    };
  }
  std::vector<runtime::DeviceCost> count(const TaskBlocks &order) const {
    CostOptions options = options_;
    options.order = order;
    return runtime::predictCost(*problem_->algorithm, call_.arguments(), distribution_, options).nodes[0].devices;
  }
  /// The width of the tiles that are counted, in the problem's.
  double wider() const { return wider_; }
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

  const std::unique_ptr<Problem> problem_;
  const Distribution distribution_;
  CostOptions options_;
  const double wider_;
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
                       const CostOptions &options, const runtime::VirtualHardware *machine) {
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
  if (distribution.nodes() == 1 && fitsIntoEach(problem, options))
    return {};
  try {
    OrderTrials trials(problem, distribution, options);
    const bool isTimed = machine && distribution.nodes() == 1;
    if (isTimed)
      trials.ask(*machine);
    const std::vector<runtime::DeviceCost> program = trials.count({});
    const double evicted = evictedBytesOf(program);
    if (evicted == 0 || (isTimed && partOfCopies(program, *machine, trials.wider()) < hidden))
      return {};
    const double enough = nearlyAmple * (bytesOf(program) - evicted);
    TaskBlocks best;
    double least = worthIt * bytesOf(program);
    for (const TaskBlocks &candidate : candidatesFor(trials.extents()))
      if (const double bytes = least > enough ? bytesOf(trials.count(candidate)) : HUGE_VAL; bytes < least) {
        least = bytes;
        best = candidate;
      }
    return best;
  } catch (const Error &) { // wider tiles do not fit into a device's memory, for instance
    return {};
  }
}

} // namespace tla::host
