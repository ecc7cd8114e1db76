#include "dsl/base/text.hpp"
#include "runtime/interfaces/launch.hpp"
#include "runtime/predict/machine/profile_choice.hpp"
#include "runtime/predict/plan/device_shares.hpp"
#include "runtime/predict/plan/named_devices.hpp"
#include "runtime/predict/rates/link_measurement.hpp"
#include "runtime/predict/rates/machine_measurement.hpp"
#include "runtime/transport/transport.hpp"

#include <tla/kernels/table.hpp>
#include <tla/kernels/traits.hpp>
#include <tla/runtime/devices.hpp>
#include <tla/runtime/error.hpp>

#include <algorithm>
#include <unistd.h>

namespace tla::host {
namespace {

constexpr int badInput = 2, runtimeFault = 4;

/// Throws UsageError for what nobody can measure.
runtime::DeviceChoice measurable(const std::string &choice) {
  runtime::DeviceChoice devices = namedDevices(choice);
  if (devices.machine)
    throw UsageError("--measure: " + choice + " is known as numbers: 'hetc cost --machine' takes its name");
  return devices;
}

/// The numbers of this rank, with its part of the cores.
MachineNumbers measureNode(const runtime::DeviceChoice &devices, int sharers) {
  const std::string hostKernels = hostKernelsText(kernels::installKernels("auto"));
  const std::vector<runtime::AcceleratorProperties> properties = runtime::describeAnyDevices(devices);
  const int threads = std::max(1, threadsBeside(devices, properties) / sharers);
  MachineNumbers machine{"measured",
                         format("%d cores with %s, %zu accelerators", threads, hostKernels.c_str(), properties.size()),
                         true,
                         {}};
  machine.elements.push_back(measureCores(threads));
  std::vector<std::map<char, UnitRates>> rates(properties.size());
  for (const char type : {'s', 'd', 'c', 'z'}) {
    const NodeRates measured =
        obtainRates({.type = static_cast<runtime::ElementType>(type),
                     .kernels = {kernels::productKernel},
                     .hostKernels = hostKernels,
                     .devices = properties,
                     .open = [faultless = devices.forMeasuring()] { return runtime::openDevices(faultless); },
                     .machine = nullptr});
    for (std::size_t d = 0; d < properties.size(); ++d)
      rates[d][type] = measured.accelerators[d];
  }
  for (std::size_t d = 0; d < properties.size(); ++d)
    machine.elements.push_back(
        deviceElement(properties[d].name, static_cast<double>(properties[d].memoryBytes), rates[d]));
  return machine;
}

/// Cores and accelerators as one, with a link and a part of the memory of its own.
ComputeElement asOne(const MachineNumbers &node, const Link &link, const std::string &name, int sharers) {
  ComputeElement all{.name = name,
                     .rates = {},
                     .bandwidth = link.bandwidth,
                     .latency = link.latency,
                     .memory = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) *
                               static_cast<double>(::sysconf(_SC_PAGESIZE)) / sharers};
  for (const ComputeElement &element : node.elements)
    for (const auto &[type, rate] : element.rates)
      all.rates[type] += rate * element.count;
  return all;
}

std::string nameOfHost() {
  char name[256] = {};
  ::gethostname(name, sizeof name - 1);
  return name;
}

/// Measures the nodes of all ranks; the first rank returns the text of all.
std::string measureNodes(const runtime::DeviceChoice &devices, Ranks &ranks) {
  const Neighbours neighbours = findNeighbours(ranks);
  const MachineNumbers node = measureNode(devices, neighbours.onTheseCores);
  const Link link = measureLink(ranks);
  MachineNumbers mine{"measured", "", false, {}};
  mine.elements.push_back(
      asOne(node, link, format("rank %d on %s", ranks.rank(), nameOfHost().c_str()), neighbours.onMachine));
  const std::vector<std::string> texts = ranks.gather(machineText(mine));
  MachineNumbers machine{"measured", format("%d ranks", ranks.size()), false, {}};
  for (const std::string &text : texts)
    try {
      machine.elements.push_back(parseMachine(text).elements.front());
    } catch (const UsageError &error) {
      throw Error(std::string("a rank's numbers: ") + error.what());
    }
  return texts.empty() ? "" : machineText(machine);
}

} // namespace

std::string measureMachine(const std::string &choice) {
  const runtime::ProcessLaunch launch = runtime::detectLaunch();
  if (launch.size == 1)
    return machineText(measureNode(measurable(choice), 1));
  Ranks ranks(runtime::connect(launch));
  Failure failure;
  try {
    return measureNodes(measurable(choice), ranks);
  } catch (const RankFailure &others) {
    failure = others;
  } catch (const UsageError &error) {
    failure = ranks.settle({badInput, error.what()});
  } catch (const std::exception &error) {
    failure = ranks.settle({runtimeFault, error.what()});
  }
  if (!ranks.first())
    return "";
  if (failure.code == badInput)
    throw UsageError(failure.message);
  throw Error(failure.message);
}

} // namespace tla::host
