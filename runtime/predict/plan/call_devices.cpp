#include <tla/runtime/call_devices.hpp>

#include "runtime/host/ranks/device_dealing.hpp"
#include "runtime/interfaces/launch.hpp"
#include "runtime/predict/machine/profile_choice.hpp"
#include "runtime/predict/plan/plan.hpp"
#include "runtime/predict/plan/tiles/tile_size.hpp"
#include "runtime/transport/transport.hpp"

#include <tla/runtime/error.hpp>

namespace tla::host {

struct CallDevices::Opened {
  runtime::DeviceChoice choice;
  std::vector<std::unique_ptr<runtime::Accelerator>> devices;
};

static runtime::DeviceChoice realDevices(const std::string &name) try {
  runtime::DeviceChoice choice = runtime::parseDevices(name, runtime::readProfile);
  if (choice.machine)
    throw UsageError("on '" + name + "', a machine that is known by its profile, nothing is computed");
  return choice;
} catch (const UsageError &error) {
  throw UsageError(std::string("devices: ") + error.what());
}

CallDevices::CallDevices(const std::string &choice) : opened_(new Opened{realDevices(choice), {}}) {
  opened_->devices = runtime::openDevices(opened_->choice);
}
CallDevices::CallDevices(const std::string &choice, runtime::Transport &transport) {
  Ranks ranks(std::shared_ptr<runtime::Transport>(&transport, [](runtime::Transport *) {}));
  onAllRanks(ranks, [&] {
    opened_.reset(new Opened{realDevices(choice), {}});
    dealDevices(opened_->choice, ranks, findNeighbours(ranks));
    opened_->devices = runtime::openDevices(opened_->choice);
  });
}
CallDevices::~CallDevices() = default;

RankOnDevices makeRank(int communicator, const std::string &distribution, const std::string &devices,
                       runtime::Options options) {
  std::shared_ptr<runtime::Transport> transport(runtime::join(communicator));
  auto opened = std::make_unique<CallDevices>(devices, *transport);
  options.accelerators = opened->accelerators();
  if (options.accelerators.empty())
    opened.reset();
  return {std::move(opened), std::make_unique<runtime::RankExecutor>(std::move(transport), distribution, options)};
}

std::vector<runtime::Accelerator *> CallDevices::accelerators() const {
  std::vector<runtime::Accelerator *> list;
  for (const auto &device : opened_->devices)
    list.push_back(device.get());
  return list;
}

const CallPlan &CallDevices::plan(const runtime::Algorithm &algorithm, const runtime::Values &values,
                                  const std::vector<runtime::ScalarValue> &scalars, int tile, int threads,
                                  const kernels::KernelStatus &kernels) {
  const runtime::Values rounded{roundedUp(values.m), roundedUp(values.n), roundedUp(values.k), scalars.data()};
  std::vector<long> key{reinterpret_cast<long>(&algorithm), rounded.m, rounded.n, rounded.k, tile, threads};
  for (const runtime::ScalarValue &scalar : scalars)
    key.push_back(scalar.integer);
  const auto [known, isNew] = known_.try_emplace(std::move(key));
  if (!isNew)
    return known->second;
  try {
    Settings settings;
    settings.devices = opened_->choice;
    settings.threads = threads;
    if (tile > 0)
      settings.nb = tile;
    for (int s = 0; s < algorithm.scalarCount; ++s) // the caller's: none is searched
      settings.scalars.push_back({algorithm.scalars[s].name, ""});
    Ranks ranks;
    Machine machine{.ranks = ranks,
                    .threads = threads,
                    .cores = runtime::defaultThreads(),
                    .hostKernels = hostKernelsText(kernels)};
    for (const auto &device : opened_->devices)
      machine.devices.push_back(device->properties());
    const Plan plan =
        planRun(*makeProblem(algorithm, scalars, rounded), machine, settings, Purpose::Count); // matrices are there
    known->second = {plan.nb, plan.shares};
  } catch (...) {
    known_.erase(known);
    throw;
  }
  return known->second;
}

} // namespace tla::host
