#include "runtime/predict/rates/measured_machine.hpp"

#include "runtime/host/base/element_type.hpp"
#include "runtime/predict/rates/probe_task.hpp"

#include <tla/kernels/traits.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

namespace tla::host {
namespace {
using runtime::KernelShape;
using runtime::TaskClass;
using runtime::TaskView;

constexpr double panelEfficiency = 0.4, otherEfficiency = 0.7; // of gemm's rate, where nothing is known
constexpr double timesMoved = 3;          // what is bound by memory: read, written, and read besides
constexpr double flopsPerByte = 16;       // of an accelerator's product, for its memory's bandwidth
constexpr double leastTaskSeconds = 1e-7; // of a task that has nothing to do
constexpr double noLimit = 1e15;          // bytes per second of copies of which nothing is known

/// Tasks of one core or one accelerator. Seconds are those among others and alone.
class Unit {
public:
  Unit(UnitRates rates, runtime::ElementType type, double bandwidth)
      : rates_(withAllAlone(std::move(rates))), panels_{.seconds = rates_.tall},
        elementBytes_(static_cast<double>(elementBytes(type))), realPerOperation_(flopFactor(type)),
        bandwidth_(bandwidth) {
    std::vector<std::string> kernels;
    for (const auto &[kernel, sizes] : rates_.seconds)
      if (!sizes.empty())
        kernels.push_back(kernel);
    for (const RateProbe &probe : probesOf(type, kernels)) {
      constexpr int nb = 64;
      ProbeShape tiles(probe, nb, elementBytes(type));
      const runtime::SingleTask task = taskOf(tiles);
      flops_[probe.taskClass.kernel] = probe.taskClass.flops(TaskView(task.task())) / std::pow(nb, 3);
    }
    for (const RateProbe &probe : corePanelProbesOf(type))
      if (rates_.tall.contains(probe.taskClass.kernel)) {
        constexpr int nb = 64;
        ProbeShape tiles(probe, nb, elementBytes(type));
        const runtime::SingleTask task = taskOf(tiles);
        tallFlops_[probe.taskClass.kernel] = probe.taskClass.flops(TaskView(task.task())) / std::pow(nb, 3);
      }
    for (const auto &[kernel, sizes] : rates_.seconds)
      if (!sizes.empty())
        floor_ = std::min(floor_, *rates_.secondsAlone(kernel, sizes.begin()->first));
  }

  double together(const KernelShape &shape) const { return seconds(shape, &UnitRates::secondsOf); }
  double alone(const KernelShape &shape) const {
    return std::max(together(shape), seconds(shape, &UnitRates::secondsAlone));
  }
  /// The waiting time of larfb for each tile of its panel: 2 n k (2 m - k) operations on n columns of k reflectors.
  double waits(const KernelShape &shape) const {
    const double seconds = rates_.waitSeconds(std::string(shape.kernel), sideOf(std::min(shape.rows, shape.columns)));
    if (!kernels::hasTrait(shape.kernel, kernels::Trait::Reflectors) || seconds == 0)
      return seconds;
    const double n = std::max(1.0, shape.columns), k = std::max(1.0, shape.rows);
    return seconds * (shape.flops / realPerOperation_ / (4 * n * k * k) + 0.5) / UnitRates::tallPanel;
  }
  /// The time of the smallest task that was measured, alone.
  double floor() const { return floor_; }

private:
  /// With seconds alone of all sizes: where there are none tasks do not overlap (UnitRates::alone).
  static UnitRates withAllAlone(UnitRates rates) {
    for (auto &[kernel, sizes] : rates.alone)
      sizes.insert(rates.seconds[kernel].begin(), rates.seconds[kernel].end());
    return rates;
  }

  using Of = std::optional<double> (UnitRates::*)(const std::string &, int) const;

  double seconds(const KernelShape &shape, Of of) const {
    const std::string kernel(shape.kernel);
    if (shape.memoryBound || shape.flops == 0)
      return std::max(
          leastTaskSeconds,
          interchanges(kernel, shape).value_or(timesMoved * shape.rows * shape.columns * elementBytes_ / bandwidth_));
    if (const auto measured = scaled(kernel, shape, of))
      return *measured;
    return *scaled(kernels::productKernel, shape, of) /
           (kernels::hasTrait(kernel, kernels::Trait::Panel) ? panelEfficiency : otherEfficiency);
  }

  /// As many rows as the tile is wide, however tall the panel is; nothing: it is another kernel, or not known.
  std::optional<double> interchanges(const std::string &kernel, const KernelShape &shape) const {
    return kernels::hasTrait(kernel, kernels::Trait::Interchange)
               ? panels_.secondsOf(kernel, sideOf(std::min(shape.rows, shape.columns)))
               : std::nullopt;
  }

  static int sideOf(double nb) { return std::max(1, static_cast<int>(std::lround(nb))); }

  /// Nothing: the kernel's rate is not known.
  std::optional<double> scaled(const std::string &kernel, const KernelShape &shape, Of of) const {
    const auto flops = flops_.find(kernel);
    if (flops == flops_.end())
      return std::nullopt;
    const auto ofTall = tallFlops_.find(kernel);
    const bool panel = kernels::hasTrait(kernel, kernels::Trait::Panel) || ofTall != tallFlops_.end();
    // As many reflectors as a narrow C does not say: flops are 2 w k (2 m - k) for k of them on m x w elements.
    const bool reflectors = kernels::hasTrait(kernel, kernels::Trait::Reflectors) && panel;
    const double m = shape.rows, w = std::max(1.0, shape.columns);
    const double k = m - std::sqrt(std::max(0.0, m * m - shape.flops / (2 * w)));
    const double wider = reflectors ? w / std::max(1.0, k) : 1; // than the vectors are many
    const double cube = shape.flops / flops->second / wider;
    const int side = sideOf(reflectors ? k : panel ? std::min(m, w) : std::cbrt(cube));
    const auto seconds = (rates_.*of)(kernel, side);
    if (!seconds)
      return std::nullopt;
    if (!panel)
      return std::max(leastTaskSeconds, *seconds);
    const double times = cube / std::pow(side, 3); // the operations of one tile
    std::optional<double> ofPanel;
    if (ofTall != tallFlops_.end()) // operations grow with the tiles on a line, which does not begin at 0
      ofPanel = rates_.panelSeconds(
          kernel, side, 1 + (UnitRates::tallPanel - 1) * (times - 1) / (ofTall->second / flops->second - 1));
    const double ratio = ofPanel ? *ofPanel / *rates_.secondsAlone(kernel, side) : times;
    return std::max(leastTaskSeconds, *seconds * ratio * wider);
  }

  const UnitRates rates_, panels_;                  // of tiles; of tall panels
  std::map<std::string, double> flops_, tallFlops_; // over nb^3, by kernel
  double elementBytes_, realPerOperation_, bandwidth_, floor_ = HUGE_VAL;
};

/// Bytes per second of an accelerator's memory, about.
double bandwidthOf(const UnitRates &rates) {
  const auto &[nb, seconds] = *rates.seconds.at(kernels::productKernel).rbegin();
  return std::max(coreBandwidth, 2 * std::pow(nb, 3) / seconds / flopsPerByte);
}

runtime::KernelDemand demandOf(const Unit &unit, const KernelShape &shape) {
  const double work = unit.together(shape), alone = std::max(unit.alone(shape), unit.floor());
  const double latency = std::min(unit.floor(), alone - work);
  return {
      .latency = latency, .waits = unit.waits(shape), .work = work, .share = std::min(1.0, work / (alone - latency))};
}

runtime::VirtualDevice deviceOf(const UnitRates &rates, const runtime::AcceleratorProperties &properties,
                                runtime::ElementType type) {
  const auto unit = std::make_shared<const Unit>(rates, type, bandwidthOf(rates));
  const runtime::VirtualLink link{rates.bandwidth > 0 ? rates.bandwidth : noLimit, rates.latency};
  return {.properties = properties,
          .has = properties.has ? properties.has : [](const TaskClass &) { return true; },
          .kernel =
              [unit, launch = rates.launch](const TaskClass &taskClass, const TaskView &view) {
                runtime::KernelDemand demand = demandOf(*unit, runtime::shapeOf(taskClass, view));
                if (kernels::hasTrait(taskClass.kernel,
                                      kernels::Trait::Product)) // what others take was measured one by one
                  demand.host = launch;
                return demand;
              },
          .in = link,
          .out = link,
          .peer = properties.peers ? link : runtime::VirtualLink{},
          .priorities = !properties.usesHost,
          .joins = runtime::productsTogether(properties, static_cast<char>(type))};
}

bool isKnown(const UnitRates &rates) {
  const auto found = rates.seconds.find(kernels::productKernel);
  return found != rates.seconds.end() && !found->second.empty();
}

} // namespace

runtime::VirtualHardware measuredMachine(const NodeRates &rates,
                                         const std::vector<runtime::AcceleratorProperties> &devices,
                                         runtime::ElementType type) {
  runtime::VirtualHardware hardware;
  const auto core = std::make_shared<const Unit>(rates.core, type, coreBandwidth);
  hardware.coreSeconds = [core](const TaskClass &taskClass, const TaskView &view) {
    return core->together(runtime::shapeOf(taskClass, view));
  };
  for (std::size_t d = 0; d < devices.size(); ++d) {
    hardware.devices.push_back(deviceOf(rates.accelerators[d], devices[d], type));
    hardware.busBytesPerSecond += hardware.devices.back().in.bytesPerSecond;
  }
  return hardware;
}

UnitRates measuredCore(const runtime::MachineProfile &profile, runtime::ElementType type) {
  const auto found = profile.host.seconds.find(static_cast<char>(type));
  const auto panels = profile.host.panelSeconds.find(static_cast<char>(type));
  return {.seconds = found == profile.host.seconds.end() ? runtime::SecondsTable() : found->second,
          .tall = panels == profile.host.panelSeconds.end() ? runtime::SecondsTable() : panels->second};
}

runtime::VirtualHardware profileMachine(const runtime::VirtualOptions &machine, runtime::ElementType type) {
  runtime::VirtualHardware hardware = runtime::hardwareOf(machine, static_cast<char>(type));
  if (const UnitRates core = measuredCore(machine.profile, type); isKnown(core))
    hardware.coreSeconds = measuredMachine({core, {}}, {}, type).coreSeconds;
  return hardware;
}

bool canBeSimulated(const NodeRates &rates, const std::vector<runtime::AcceleratorProperties> &devices) {
  return isKnown(rates.core) && rates.accelerators.size() == devices.size() &&
         std::all_of(rates.accelerators.begin(), rates.accelerators.end(), isKnown);
}

} // namespace tla::host
