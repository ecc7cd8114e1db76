#include "runtime/predict/machine/kernel_model.hpp"

#include "runtime/device/panel_kernels.hpp"

#include <tla/runtime/error.hpp>

#include <algorithm>
#include <cmath>

namespace tla::runtime {
namespace {

constexpr double leastSeconds = 1e-7; // of a task that has nothing to do
constexpr double timesMoved = 3;      // what is bound by memory: read, written, and what it reads besides

double rateOf(const std::map<char, double> &rates, char letter, const std::string &whose) {
  const auto found = rates.find(letter);
  if (found == rates.end())
    throw UsageError(whose + " has no rate for elements of type " + letter);
  return found->second;
}

double bytesOf(char letter) { return letter == 's' ? 4 : letter == 'z' ? 16 : 8; }

double stepsOf(const KernelFigures &figures, double columns) {
  return figures.columnsPerStep ? std::max(1.0, std::ceil(columns / figures.columnsPerStep)) : 1;
}

/// Kernels of the device that a task of so many multiplications and additions consists of, where it matters; else 0.
double severalKernels(const KernelFigures &figures, const KernelShape &shape, double operations) {
  const double columns = std::max(1.0, shape.columns), reflectors = std::max(1.0, shape.rows);
  const double tiles = operations / (4 * columns * reflectors * reflectors) + 0.5; // 2 n k (2 m - k) of them
  return (figures.columnsPerKernel ? std::ceil(columns / figures.columnsPerKernel) : 0) +
         figures.kernelsPerTile * tiles;
}

} // namespace

KernelShape shapeOf(const TaskClass &taskClass, const TaskView &view) {
  const Tile<char> main = view.mainTile<char>();
  const double flops = taskClass.flops ? taskClass.flops(view) : 0;
  return {taskClass.kernel, flops > 0 && std::isfinite(flops) ? flops : 0, static_cast<double>(main.m()),
          static_cast<double>(main.n()), taskClass.memoryBound};
}

std::function<bool(const TaskClass &, const TaskSize &)> productsTogether(const AcceleratorProperties &properties,
                                                                          char letter) {
  if (properties.together.tasks <= 1 || !properties.together.products)
    return nullptr;
  return [together = properties.together, letter](const TaskClass &taskClass, const TaskSize &size) {
    return isProductOfTiles(taskClass) && isTakenTogether(together, letter, size);
  };
}

KernelModel::KernelModel(const MachineProfile &profile, char letter)
    : profile_(profile), elementBytes_(bytesOf(letter)), realPerOperation_(letter == 'c' || letter == 'z' ? 4 : 1),
      coreRate_(rateOf(profile.host.rates, letter, "the host of profile " + profile.name)),
      deviceRate_(profile.device.model.empty()
                      ? 0
                      : rateOf(profile.device.rates, letter, "the device of profile " + profile.name)) {}

double KernelModel::coreSeconds(const KernelShape &shape) const {
  const MachineProfile::Host &host = profile_.host;
  const double moved = timesMoved * shape.rows * shape.columns * elementBytes_ / host.bandwidth;
  if (shape.memoryBound || shape.flops == 0)
    return std::max(leastSeconds, moved);
  const auto found = host.kernels.find(std::string(shape.kernel));
  const KernelFigures &figures = found != host.kernels.end() ? found->second : host.kernels.at("other");
  const double side = std::max(1.0, std::min(shape.rows, shape.columns));
  return std::max(leastSeconds, shape.flops / (coreRate_ * figures.efficiency * side / (side + host.halfSize)));
}

KernelDemand KernelModel::demand(const KernelShape &shape) const {
  KernelDemand demand = onDevice(shape);
  demand.host = profile_.device.task;
  demand.waits = profile_.device.wait * severalKernels(profile_.device.kernels.at(std::string(shape.kernel)), shape,
                                                       shape.flops / realPerOperation_);
  return demand;
}

KernelDemand KernelModel::onDevice(const KernelShape &shape) const {
  const MachineProfile::Device &device = profile_.device;
  const KernelFigures &figures = device.kernels.at(std::string(shape.kernel));
  const double m = std::max(1.0, shape.rows), n = std::max(1.0, shape.columns), steps = stepsOf(figures, n);
  if (shape.memoryBound || shape.flops == 0)
    return {.latency = device.launch * steps, .work = timesMoved * m * n * elementBytes_ / device.bandwidth};
  if (!figures.innerBlock) {
    const double depth =
        figures.kernelsPerTile ? m : shape.flops / realPerOperation_ / (2 * m * n); // of one of its products
    const Use use = productOf(m, n, depth, shape.flops, figures.efficiency);
    return {.latency = device.launch * steps, .work = use.work, .share = use.work / use.alone};
  }
  return reflectors(shape.flops, m, n, figures);
}

KernelDemand KernelModel::reflectors(double flops, double m, double n, const KernelFigures &figures) const {
  constexpr double operations = 5, copies = 2;
  const double count = std::max(1.0, flops / realPerOperation_ / (4 * m * n)),
               inner = std::min<double>(figures.innerBlock, count);
  const double times = std::ceil(count / inner);
  const double moved = times * copies * timesMoved * inner * n * elementBytes_ / profile_.device.bandwidth;
  Use all{moved, moved};
  for (const Use &use : {productOf(inner, n, m, flops / 2, figures.efficiency),
                         productOf(inner, n, inner, times * 2 * inner * inner * n, figures.efficiency),
                         productOf(m, n, inner, flops / 2, figures.efficiency)})
    all = {all.work + use.work, all.alone + use.alone};
  return {.latency = times * operations * profile_.device.launch, .work = all.work, .share = all.work / all.alone};
}

KernelModel::Use KernelModel::productOf(double m, double n, double depth, double flops, double efficiency) const {
  const MachineProfile::Device &device = profile_.device;
  const double block = device.block, processors = device.multiprocessors;
  const double blocks = std::ceil(m / block) * std::ceil(n / block), waves = std::ceil(blocks / processors);
  const double rate = deviceRate_ * efficiency * depth / (depth + device.halfDepth);
  const double padded = blocks * block * block / (m * n); // blocks at the edge take as long as others
  const double work = flops * padded / rate;
  return {work, work * waves * processors / blocks};
}

} // namespace tla::runtime
