#include "runtime/predict/rates/profile_rates.hpp"

#include "runtime/host/base/element_type.hpp"
#include "runtime/predict/machine/virtual_node.hpp"
#include "runtime/predict/rates/measured_machine.hpp"
#include "runtime/predict/rates/probe_task.hpp"

#include <algorithm>

namespace tla::host {

static constexpr int sizes[] = {32, 64, 128, 256, 512, 1024, 2048, 4096};

NodeRates profileRates(const RatesRequest &request) {
  const runtime::MachineProfile &profile = request.machine->profile;
  const runtime::KernelModel model(profile, static_cast<char>(request.type));
  const UnitRates measured = measuredCore(profile, request.type);
  NodeRates rates;
  rates.accelerators.assign(
      request.devices.size(),
      {.seconds = {}, .latency = profile.links.latency, .bandwidth = std::min(profile.links.in, profile.links.out)});
  for (const RateProbe &probe : probesOf(request.type, request.kernels)) {
    const std::string kernel = probe.taskClass.kernel;
    for (const int nb : sizes) {
      ProbeShape tiles(probe, nb, elementBytes(request.type));
      const runtime::SingleTask task = taskOf(tiles);
      const runtime::KernelShape shape = runtime::shapeOf(probe.taskClass, runtime::TaskView(task.task()));
      rates.core.seconds[kernel][nb] = measured.secondsOf(kernel, nb).value_or(model.coreSeconds(shape));
      if (!model.has(kernel))
        continue;
      const runtime::KernelDemand demand = model.demand(shape);
      for (int device = 0; device < static_cast<int>(rates.accelerators.size()); ++device) {
        const double work = demand.work / request.machine->speedOf(device);
        rates.accelerators[device].seconds[kernel][nb] =
            std::max(work, (demand.latency + work / demand.share) / profile.device.streams);
      }
    }
  }
  return rates;
}

} // namespace tla::host
