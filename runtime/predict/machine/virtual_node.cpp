#include "runtime/predict/machine/virtual_node.hpp"

#include "runtime/device/option_text.hpp"
#include "runtime/device/panel_kernels.hpp"

#include <tla/runtime/error.hpp>

#include <algorithm>

namespace tla::runtime {
namespace {

constexpr std::size_t granularity = 512;
/// As the CUDA back-end has it: the rest is the kernels' scratch.
constexpr double partForTiles = 0.85;

bool setFault(std::string_view text, VirtualOptions &options) {
  const std::string_view kind = option::cut(text, ':'), number = option::cut(text, '@');
  const auto count = option::number<int>(number, 1, 1'000'000'000);
  const auto device = text.empty() ? std::optional(0) : option::number<int>(text, 0, 62);
  int *const fault = kind == "kernel"   ? &options.faults.kernel
                     : kind == "copy"   ? &options.faults.copy
                     : kind == "memory" ? &options.faults.allocation
                                        : nullptr;
  if (!fault || !count || !device)
    return false;
  *fault = *count;
  options.faultyDevice = *device;
  return true;
}

/// "10:8:5": as many devices.
bool setSpeeds(std::string_view text, VirtualOptions &options) {
  constexpr int most = 63;
  options.speeds.clear();
  if (options.counted || text.ends_with(':'))
    return false;
  while (!text.empty()) {
    const auto speed = option::number<int>(option::cut(text, ':'), 1, 10000);
    if (!speed)
      return false;
    options.speeds.push_back(*speed);
  }
  options.profile.device.count = static_cast<int>(options.speeds.size());
  return !options.speeds.empty() && options.speeds.size() <= most && !options.profile.device.model.empty();
}

bool setOption(std::string_view word, VirtualOptions &options) {
  const std::string_view name = option::cut(word, '=');
  if (name == "n") {
    const auto count = option::number<int>(word, 0, 63);
    options.profile.device.count = count.value_or(0);
    options.counted = true;
    return options.speeds.empty() && count && (*count == 0 || !options.profile.device.model.empty());
  }
  if (name == "speed")
    return setSpeeds(word, options);
  if (name == "mem") {
    const auto bytes = option::byteSize(word);
    options.memoryBytes = bytes.value_or(0);
    return bytes.has_value();
  }
  if (name == "order") {
    options.byArrival = word == "arrival";
    return options.byArrival || word == "priority";
  }
  return name == "fail" && setFault(word, options);
}

} // namespace

/// Describes a machine that has another number of devices than its profile says: "4 x NVIDIA H200 and 16 cores".
static std::string describeWithDevices(const MachineProfile &profile) {
  const std::string cores = std::to_string(profile.host.cores) + " cores";
  return profile.device.count == 0
             ? cores + " of " + profile.name
             : std::to_string(profile.device.count) + " x " + profile.device.model + " and " + cores;
}

VirtualOptions parseVirtual(const std::string &text) {
  std::string_view rest(text);
  option::cut(rest, ':');
  VirtualOptions options{findProfile(std::string(option::cut(rest, ',')))};
  const int devices = options.profile.device.count;
  while (!rest.empty())
    if (const std::string_view word = option::cut(rest, ','); !setOption(word, options))
      throw UsageError("'" + std::string(word) +
                       "' is no option of a profile: n=DEVICES or speed=W:W..., mem=SIZE, order=priority|arrival, "
                       "fail=kernel|copy|memory:n");
  if (options.profile.device.count != devices)
    options.profile.description = describeWithDevices(options.profile);
  const bool faulty = options.faults.kernel || options.faults.copy || options.faults.allocation;
  if (faulty && options.faultyDevice >= options.profile.device.count)
    throw UsageError("there is no device " + std::to_string(options.faultyDevice) + " to fail");
  return options;
}

static std::string speedText(const VirtualOptions &options, int device) {
  return options.speeds.empty()
             ? ""
             : " at " + std::to_string(options.speeds[device]) + "/" + std::to_string(options.speeds.front());
}

static Together togetherOf(const MachineProfile::Device::Together &figures) {
  const auto fits = [figures](char type, int m, int n, int k) {
    constexpr double most = 1.03;
    const auto padded = [](int size, int part) { return static_cast<double>((size + part - 1) / part) * part; };
    const auto [smallest, largest] = std::minmax({m, n, k});
    return figures.types.find(type) != figures.types.npos && figures.from <= smallest && largest <= figures.to &&
           padded(m, figures.blockRows) * padded(n, figures.blockColumns) <= most * m * n;
  };
  return {.tasks = figures.tasks, .operations = figures.operations, .seconds = figures.task, .products = fits};
}

std::vector<AcceleratorProperties> describeVirtual(const VirtualOptions &options) {
  const MachineProfile::Device &device = options.profile.device;
  std::vector<AcceleratorProperties> all;
  for (int number = 0; number < device.count; ++number)
    all.push_back({.name = options.profile.name + ":" + std::to_string(number),
                   .model = device.model + speedText(options, number),
                   .library = "profile " + options.profile.name,
                   .memoryBytes = options.memoryBytes ? options.memoryBytes
                                                      : static_cast<std::size_t>(device.memory * partForTiles),
                   .granularity = granularity,
                   .runs = isWorthADevice,
                   .has = [kernels = device.kernels](
                              const TaskClass &taskClass) { return kernels.contains(std::string(taskClass.kernel)); },
                   .peers = options.profile.links.peer > 0,
                   .kernelsInFlight = device.streams,
                   .copiesInFlight = 2,
                   .together = togetherOf(device.together)});
  return all;
}

int virtualThreads(const VirtualOptions &options) {
  return std::max(1, options.profile.host.cores - options.profile.device.count - 1);
}

VirtualHardware hardwareOf(const VirtualOptions &options, char letter) {
  const auto model = std::make_shared<const KernelModel>(options.profile, letter);
  const MachineProfile::Links &links = options.profile.links;
  VirtualHardware hardware{
      .coreSeconds = [model](const TaskClass &taskClass,
                             const TaskView &view) { return model->coreSeconds(shapeOf(taskClass, view)); },
      .devices = {},
      .busBytesPerSecond = links.together,
      .faults = options.faults,
      .faultyDevice = options.faultyDevice,
      .byArrival = options.byArrival};
  const std::vector<AcceleratorProperties> devices = describeVirtual(options);
  for (int number = 0; number < static_cast<int>(devices.size()); ++number)
    hardware.devices.push_back(
        {.properties = devices[number],
         .has = devices[number].has,
         .kernel =
             [model, speed = options.speedOf(number)](const TaskClass &taskClass, const TaskView &view) {
               KernelDemand demand = model->demand(shapeOf(taskClass, view));
               demand.work /= speed;
               return demand;
             },
         .in = {links.in, links.latency},
         .out = {links.out, links.latency},
         .peer = {links.peer, links.peerLatency},
         .priorities = options.profile.device.priorities,
         .joins = productsTogether(devices[number], letter)});
  return hardware;
}

VirtualNode::VirtualNode(const VirtualHardware &hardware, VirtualTime &time, VirtualTurns *turns)
    : bus_(time, hardware.busBytesPerSecond), machine_{.time = time,
                                                       .coreSeconds = hardware.coreSeconds,
                                                       .turns = turns,
                                                       .byArrival = hardware.byArrival} {
  if (hardware.noise)
    machine_.disturbed = [this, noise = *hardware.noise](int thread, double seconds) {
      while (static_cast<int>(noise_.size()) <= thread)
        noise_.emplace_back(noise.figures, noise.seed, noise.node, static_cast<int>(noise_.size()));
      return noise_[thread].seconds(machine_.time.now(), seconds);
    };
  for (const VirtualDevice &device : hardware.devices)
    accelerators_.push_back(std::make_unique<VirtualAccelerator>(
        device, bus_,
        static_cast<int>(accelerators_.size()) == hardware.faultyDevice ? hardware.faults
                                                                        : VirtualAccelerator::Faults{}));
}

} // namespace tla::runtime
