#include "runtime/predict/plan/virtual_run.hpp"

#include "runtime/host/problem/residence.hpp"
#include "runtime/predict/network/platform_network.hpp"
#include "runtime/predict/network/virtual_network.hpp"
#include "runtime/predict/plan/cost_choice.hpp"

namespace tla::host {
namespace {

/// Each tile its own, as if it had memory.
void giveAddresses(Storage &storage, std::uintptr_t &next) {
  for (int j = 0; j < storage.nt(); ++j)
    for (int i = 0; i < storage.mt(); ++i)
      if (storage.stores(i, j)) {
        storage.setTile(i, j, reinterpret_cast<void *>(next));
        next += static_cast<std::uintptr_t>(storage.tileRows(i)) * storage.tileCols(j) * storage.elementBytes() + 64;
      }
}

/// The call of a request, whose matrices nobody looks at.
class VirtualCall {
public:
  VirtualCall(const VirtualRunRequest &request, const runtime::Values &values)
      : call_(request.algorithm, values, request.scalars, request.nb, request.cut, 0) {
    std::uintptr_t next = std::uintptr_t(1) << 45;
    for (int matrix = 0; matrix < request.algorithm.matrixCount; ++matrix)
      giveAddresses(*call_.arguments().matrices[matrix], next);
  }
  runtime::Arguments arguments() const { return call_.arguments(); }

private:
  const DryCall call_;
};

runtime::Options optionsOf(const VirtualRunRequest &request, const runtime::VirtualNode &node) {
  runtime::Options options;
  options.threads = request.threads;
  options.window = request.window;
  options.trace = request.trace;
  options.traceTasks = mostTraced;
  options.virtualMachine = &node.machine();
  for (const auto &accelerator : node.accelerators())
    options.accelerators.push_back(accelerator.get());
  return options;
}

/// The machine with kernels that take so many times as long.
runtime::VirtualHardware slowed(runtime::VirtualHardware machine, double slowness) {
  machine.coreSeconds = [seconds = machine.coreSeconds, slowness](const auto &taskClass, const auto &view) {
    return slowness * seconds(taskClass, view);
  };
  for (runtime::VirtualDevice &device : machine.devices)
    device.kernel = [kernel = device.kernel, slowness](const auto &taskClass, const auto &view) {
      runtime::KernelDemand demand = kernel(taskClass, view);
      demand.work *= slowness;
      return demand;
    };
  return machine;
}

} // namespace

runtime::Outcome runVirtually(const VirtualRunRequest &request) {
  const VirtualCall call(request, request.values);
  runtime::VirtualTime time;
  const runtime::VirtualNode node(request.machine, time);
  runtime::Executor executor(optionsOf(request, node));
  if (!node.accelerators().empty())
    executor.share(request.shares);
  const auto watched = request.interruptible ? request.interruptible(executor) : nullptr;
  if (request.resident) // nobody asks for their content
    makeResident(executor, request.algorithm, call.arguments());
  return executor.run(request.algorithm, call.arguments());
}

runtime::MachineProfile::Network networkOf(const runtime::MachineProfile &profile, int nodes) {
  if (nodes == 1)
    return {};
  if (!profile.network)
    throw UsageError("the profile " + profile.name +
                     " says nothing of a network; add \"network\": {\"model\", \"portGBs\", \"latencyUs\"} to it, or "
                     "give one: --network 12.5GB/s:1.5us, or a platform of SimGrid");
  return *profile.network;
}

static std::unique_ptr<runtime::NetworkModel> networkBetween(int nodes, const runtime::MachineProfile::Network &network,
                                                             runtime::VirtualTime &time) {
  if (!network.platform.empty())
    return runtime::platformNetwork(time, network.platform, nodes);
  return std::make_unique<runtime::PortModel>(time, nodes, network.latency, network.bandwidth);
}

std::vector<runtime::Outcome> runClusterVirtually(const VirtualRunRequest &request, const Distribution &distribution,
                                                  const runtime::MachineProfile::Network &network) {
  const int nodes = distribution.nodes();
  const VirtualCall call(request, request.values);
  runtime::VirtualTime time;
  runtime::VirtualCluster cluster(time);
  const auto between = networkBetween(nodes, network, time);
  runtime::VirtualNetwork ranks(time, cluster, *between, nodes);
  std::vector<runtime::Outcome> outcomes(nodes);
  cluster.run(nodes, [&](int rank) {
    runtime::VirtualHardware own =
        request.slowness.empty() ? request.machine : slowed(request.machine, request.slowness[rank]);
    if (request.noiseSeed)
      own.noise = {request.noise, *request.noiseSeed, rank};
    const runtime::VirtualNode node(own, time, &cluster);
    runtime::Options options = optionsOf(request, node);
    options.transport = &ranks.endpoint(rank);
    options.traceTasks = mostTraced / nodes;
    options.watchdogSeconds = 0; // of a clock that stands for none of these ranks
    runtime::Executor executor(options);
    executor.distribute(distribution);
    if (!node.accelerators().empty())
      executor.share(request.shares);
    const auto watched = rank == 0 && request.interruptible ? request.interruptible(executor) : nullptr;
    if (request.resident)
      makeResident(executor, request.algorithm, call.arguments());
    outcomes[rank] = executor.run(request.algorithm, call.arguments());
  });
  return outcomes;
}

} // namespace tla::host
