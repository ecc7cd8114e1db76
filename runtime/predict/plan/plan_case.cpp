#include "runtime/predict/plan/plan_case.hpp"

#include "runtime/host/problem/slices.hpp"
#include "runtime/predict/plan/cost_choice.hpp"
#include "runtime/predict/plan/task_map_choice.hpp"
#include "runtime/predict/rates/measured_machine.hpp"

#include <algorithm>
#include <cmath>

namespace tla::host {

PlanCase::PlanCase(const Problem &problem, const Settings &settings, int threads, int ranks)
    : problem(problem), settings(settings), threads(threads), ranks(ranks), scalars(problem.scalars) {}

std::unique_ptr<Problem> PlanCase::on(int nb, Cut cut) const {
  auto tiled = onTiles(problem, nb, cut);
  tiled->placement.distribution = distribution;
  tiled->values = onDistribution(*tiled, tiled->values, distribution);
  for (std::size_t s = 0; s < scalars.size(); ++s)
    tiled->scalars[s].integer = scalars[s].integer;
  return tiled;
}

Cut PlanCase::cutBySettings(int nb) const {
  return chooseCut(algorithm(), settings, nb, static_cast<int>(devices.size()));
}

Cut PlanCase::cut(int nb) const {
  return balanceCut(*onTiles(problem, nb, cutBySettings(nb)), settings, units, rates, threads);
}

runtime::DeviceShares PlanCase::sharesWith(int nb, Cut cut, bool host) const {
  const auto count = static_cast<int>(devices.size());
  if (count == 0)
    return onGrid({}, settings, algorithm(), 0);
  const auto tiled = on(nb, cut);
  runtime::DeviceShares shares =
      onGrid(chooseShares(*tiled, settings, units, rates, threads), settings, algorithm(), count);
  if (!host)
    shares.hostWeight = 0;
  shares.taskMap = chooseTaskMap(*tiled, settings, units, rates, threads, shares);
  return shares;
}

bool PlanCase::hostMay(int nb) const {
  return chooseShares(*on(nb, cut(nb)), settings, units, rates, threads).hostWeight > 0;
}

std::vector<Distribution> PlanCase::owners(int nb) const {
  if (settings.distribution)
    return {*settings.distribution};
  const Effort effort = settings.nb ? Effort::Thorough : Effort::Quick; // a search asks for every tile size
  const DistributionChoice choice = chooseDistribution(*on(nb, cut(nb)), ranks, effort);
  return settings.nb ? std::vector{choice.distribution} : contenders(choice);
}

runtime::VirtualHardware PlanCase::hardware() const {
  return settings.devices.machine ? profileMachine(*settings.devices.machine, algorithm().type)
                                  : measuredMachine(rates, devices, algorithm().type);
}

std::shared_ptr<const runtime::VirtualHardware> PlanCase::timing() const try {
  const bool areHosts = std::ranges::any_of(devices, [](const auto &device) { return device.usesHost; });
  if (devices.empty() || areHosts || (!settings.devices.machine && !canBeSimulated(rates, devices)))
    return nullptr;
  return std::make_shared<const runtime::VirtualHardware>(hardware());
} catch (const UsageError &) { // the profile has no rates for the type
  return nullptr;
}

double PlanCase::virtualSeconds(const runtime::VirtualHardware &hardware, int nb, bool host) const try {
  const Cut cutOfTiles = cut(nb);
  const runtime::DeviceShares given = sharesWith(nb, cutOfTiles, host);
  const runtime::Outcome outcome = runVirtually({.algorithm = algorithm(),
                                                 .values = problem.values,
                                                 .scalars = scalars,
                                                 .nb = nb,
                                                 .cut = cutOfTiles,
                                                 .shares = given,
                                                 .machine = hardware,
                                                 .threads = threads,
                                                 .window = settings.window,
                                                 .resident = settings.resident,
                                                 .interruptible = events.interruptible});
  if (outcome.kind == runtime::Outcome::Kind::Interrupted)
    throw Interrupted{};
  return outcome.kind == runtime::Outcome::Kind::Finished ? outcome.statistics.seconds : HUGE_VAL;
} catch (const UsageError &) { // a device's memory is less than one task needs
  return HUGE_VAL;
}

} // namespace tla::host
