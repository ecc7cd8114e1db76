#include "runtime/host/plan/plan.hpp"

#include "dsl/base/hash.hpp"
#include "dsl/base/processor.hpp"
#include "dsl/base/text.hpp"
#include "runtime/host/plan/cost_choice.hpp"
#include "runtime/host/plan/cut_search.hpp"
#include "runtime/host/plan/node_loops.hpp"
#include "runtime/host/plan/tile_search.hpp"
#include "runtime/host/plan/tile_size.hpp"
#include "runtime/host/plan/virtual_search.hpp"
#include "runtime/host/problem/memory.hpp"
#include "runtime/host/problem/slices.hpp"
#include "runtime/host/ranks/traits.hpp"

#include <cmath>
#include <sstream>

namespace tla::host {

namespace {

/// The way of a plan: a guess, what is measured, what rank 0 chooses by that, what each rank adds.
class Planner {
public:
  Planner(const Problem &problem, const Machine &machine, const Settings &settings, Purpose purpose,
          const PlanEvents &events)
      : problem_(problem), machine_(machine), settings_(settings), purpose_(purpose), events_(events) {}

  Plan run() {
    Plan plan = guess();
    if (purpose_ == Purpose::Run)
      requireMemory(plan); // before anything is measured: a problem that fits with no tile size is refused at once
    measureRates(plan);
    if (first())
      decide(plan);
    send(plan);
    plan.shares = sharesOn(plan);
    if (purpose_ == Purpose::Run) {
      findLoops(plan);
      requireMemory(plan);
      requireSameShares(plan);
    }
    return plan;
  }

private:
  bool first() const { return machine_.ranks.first(); }
  bool alone() const { return machine_.ranks.alone(); }

  void checkpoint() const {
    if (events_.checkpoint)
      events_.checkpoint();
  }

  /// The plan's problem, without its data.
  std::unique_ptr<Problem> on(const Plan &plan) const {
    auto problem = onTiles(problem_, plan.nb, plan.cut);
    applyPlan(plan, *problem);
    return problem;
  }

  Plan guess() const {
    std::vector<Extent> extents;
    for (const ProblemMatrix &matrix : problem_.matrices)
      extents.push_back(matrix.extent);
    Plan plan;
    plan.algorithm = *problem_.algorithm;
    plan.scalars = problem_.scalars;
    plan.distribution = settings_.distribution ? *settings_.distribution : squareDistribution(machine_.ranks.size());
    if (purpose_ == Purpose::Run)
      requireFit(plan.distribution, machine_.ranks.size());
    plan.nb = settings_.nb ? *settings_.nb
                           : chooseTileSize(plan.algorithm, extents, machine_.threads * machine_.ranks.size());
    plan.cut = cutBySettings(plan.nb);
    return plan;
  }

  Cut cutBySettings(int nb) const {
    return chooseCut(*problem_.algorithm, settings_, nb, static_cast<int>(machine_.devices.size()));
  }

  /// For shares, and for the tile search. At the tile size that was given or guessed: rates are known at several sizes.
  void measureRates(const Plan &plan) {
    if (alone() && machine_.devices.empty())
      return;
    request_ = ratesRequest(*on(plan), settings_, machine_.hostKernels, machine_.devices);
    if (settings_.deviceWeights.empty() || (purpose_ == Purpose::Run && !settings_.nb))
      rates_ = ratesOfThisMachine();
  }

  /// The first rank of each machine measures, the others wait. Rank 0's count for all who have the same hardware, so
  /// that they come to the same shares.
  NodeRates ratesOfThisMachine() const {
    RatesRequest mine = request_;
    mine.remark = events_.remark;
    mine.checkpoint = events_.checkpoint;
    if (alone())
      return obtainRates(mine);
    Ranks &ranks = machine_.ranks;
    const int measuring = machine_.neighbours.first;
    const bool measures = measuring == ranks.rank() && !request_.devices.empty();
    const std::vector<std::string> all = ranks.exchange(measures ? ratesText(request_, obtainRates(mine)) : "");
    for (const int rank : {0, measuring})
      if (const auto rates = readRates(request_, all[rank]))
        return *rates;
    return NodeRates{{}, std::vector<UnitRates>(request_.devices.size())};
  }

  /// On rank 0: what is the same for all.
  void decide(Plan &plan) {
    std::string owners;
    if (settings_.devices.machine)
      searchVirtually(plan);
    else if (purpose_ == Purpose::Run)
      owners = searchTiles(plan);
    plan.cut = cutByRates(plan.nb);
    plan.shares = sharesOn(plan);
    plan.cut = refineCut({.problem = *on(plan),
                          .settings = settings_,
                          .devices = request_,
                          .shares = plan.shares,
                          .threads = machine_.threads,
                          .remark = events_.remark,
                          .checkpoint = events_.checkpoint});
    if (alone() || purpose_ == Purpose::Count)
      return;
    std::string error;
    plan.distribution = owners.empty() ? possibleOwners(plan).front() : *parseDistribution(owners, error);
  }

  /// For a machine of a profile: tile size, and what the host computes, by runs in its time.
  void searchVirtually(Plan &plan) {
    const VirtualChoice choice = host::searchVirtually(
        {.problem = problem_,
         .nb = settings_.nb.value_or(0),
         .seconds = [&](int nb, bool hostComputes) { return virtualSeconds(plan, nb, hostComputes); },
         .checkpoint = [this] { checkpoint(); }});
    plan.nb = choice.nb;
    hostComputes_ = choice.hostComputes;
  }

  double virtualSeconds(const Plan &plan, int nb, bool hostComputes) {
    Plan other = plan;
    other.nb = nb;
    other.cut = cutByRates(nb);
    hostComputes_ = hostComputes;
    const runtime::DeviceShares shares = sharesOn(other);
    const runtime::Outcome outcome = runVirtually({.algorithm = *problem_.algorithm,
                                                   .values = problem_.values,
                                                   .scalars = other.scalars,
                                                   .nb = nb,
                                                   .cut = other.cut,
                                                   .shares = shares,
                                                   .machine = *settings_.devices.machine,
                                                   .threads = machine_.threads,
                                                   .window = settings_.window,
                                                   .interruptible = events_.interruptible});
    if (outcome.kind == runtime::Outcome::Kind::Interrupted)
      throw Interrupted{};
    return outcome.kind == runtime::Outcome::Kind::Finished ? outcome.statistics.seconds : HUGE_VAL;
  }

  /// The name of the distribution that was found to be the fastest; empty: none was looked for.
  std::string searchTiles(Plan &plan) {
    std::vector<std::string> given;
    for (const Assignment &assignment : settings_.scalars)
      given.push_back(assignment.name);
    const auto candidate = [&](int nb) {
      Plan other = plan;
      other.nb = nb;
      other.cut = cutByRates(nb);
      return other;
    };
    TileChoice choice = chooseTiles({.algorithm = *problem_.algorithm,
                                     .values = problem_.values,
                                     .scalars = problem_.scalars,
                                     .tunable = tunableScalars(*problem_.algorithm, given),
                                     .threads = machine_.threads,
                                     .ranks = machine_.ranks.size(),
                                     .distribution = settings_.distribution ? settings_.distribution->name() : "",
                                     .period = problem_.period,
                                     .owners = [&](int nb) { return possibleOwners(candidate(nb)); },
                                     .devices = {.properties = machine_.devices,
                                                 .rates = rates_,
                                                 .shares = [&](int nb) { return sharesOn(candidate(nb)); }},
                                     .cut = [this](int nb) { return cutByRates(nb); },
                                     .kernels = machine_.hostKernels,
                                     .nb = settings_.nb.value_or(0),
                                     .executor = events_.measuring,
                                     .checkpoint = [this] { checkpoint(); }});
    if (!choice.problem.empty() && events_.remark)
      events_.remark("the tile size was not searched (" + choice.problem + ")");
    plan.nb = choice.nb;
    plan.scalars = std::move(choice.scalars);
    plan.searched = choice.searched;
    plan.searchSeconds = choice.searched ? choice.seconds : 0;
    return choice.distribution;
  }

  /// As rates have it: trials are for the tile size that is chosen.
  Cut cutByRates(int nb) const {
    const auto problem = onTiles(problem_, nb, cutBySettings(nb));
    return balanceCut(*problem, settings_, request_, rates_, machine_.threads);
  }

  runtime::DeviceShares sharesOn(const Plan &plan) const {
    if (machine_.devices.empty())
      return {};
    runtime::DeviceShares shares = chooseShares(*on(plan), settings_, request_, rates_, machine_.threads);
    if (!hostComputes_)
      shares.hostWeight = 0;
    return shares;
  }

  /// The one that was given, or the best for the tile size. While that is being searched also others: with a tile size
  /// that was given owners do not depend on measurements.
  std::vector<Distribution> possibleOwners(const Plan &plan) const {
    if (settings_.distribution)
      return {*settings_.distribution};
    const Effort effort = settings_.nb ? Effort::Thorough : Effort::Quick; // the search asks for every tile size
    const DistributionChoice choice = chooseDistribution(*on(plan), machine_.ranks.size(), effort);
    return settings_.nb ? std::vector{choice.distribution} : contenders(choice);
  }

  /// Rank 0's decisions, as text. Tuning parameters are integers.
  void send(Plan &plan) const {
    std::ostringstream text;
    text << plan.nb << " " << plan.cut.width << " " << plan.distribution.name();
    for (const runtime::ScalarValue &scalar : plan.scalars)
      text << " " << scalar.integer;
    std::istringstream words(machine_.ranks.broadcast(text.str()));
    std::string distribution, error;
    words >> plan.nb >> plan.cut.width >> distribution;
    if (!first())
      plan.distribution = *parseDistribution(distribution, error);
    for (runtime::ScalarValue &scalar : plan.scalars)
      words >> scalar.integer;
    checkpoint();
  }

  void findLoops(Plan &plan) const {
    if (alone())
      return;
    plan.algorithm =
        withNodeLoops(*problem_.algorithm, plan.distribution, settings_, machine_.ranks, machine_.neighbours);
    checkpoint();
  }

  void requireMemory(Plan &plan) const {
    if (settings_.devices.machine) // no tile has memory
      return;
    const auto problem = on(plan);
    const double onDevices = acceleratorBytes(*problem, machine_.devices);
    plan.bytes = problemBytes(*problem, settings_, machine_.threads) + onDevices;
    host::requireMemory(plan.bytes, availableBytes() / machine_.neighbours.onMachine,
                        onDevices > 0 ? "use a smaller problem (-n), emulated accelerators with less memory (mem=), or "
                                        "a machine with more memory"
                                      : "use a smaller problem (-n) or a machine with more memory");
  }

  /// Ranks with other cores or accelerators have shares of their own.
  void requireSameShares(const Plan &plan) const {
    if (alone())
      return;
    std::string hardware = processorModel() + format(", %d threads", machine_.threads);
    for (const runtime::AcceleratorProperties &device : machine_.devices)
      hardware += ", " + device.model + " " + device.library;
    const std::string rates = machine_.devices.empty() ? "" : ratesText(request_, rates_);
    requireSameTraits(
        machine_.ranks,
        {{"share of columns for each device", sharesText(plan.shares) + " (hash of rates " + hashOf(rates) + ")",
          "remove " + ratesFile().string() + " there, or give --device-weights"}},
        hardware);
  }

  const Problem &problem_;
  const Machine &machine_;
  const Settings &settings_;
  const Purpose purpose_;
  const PlanEvents &events_;
  RatesRequest request_;
  NodeRates rates_;          ///< of what the request says; nothing when weights and tile size were given
  bool hostComputes_ = true; ///< its share of whole tile columns is by rates; else none
};

} // namespace

int plannedThreads(const Settings &settings) {
  if (settings.threads)
    return settings.threads;
  return settings.devices.machine ? runtime::virtualThreads(*settings.devices.machine) : runtime::defaultThreads();
}

Plan planRun(const Problem &problem, const Machine &machine, const Settings &settings, Purpose purpose,
             const PlanEvents &events) {
  return Planner(problem, machine, settings, purpose, events).run();
}

void applyPlan(const Plan &plan, Problem &problem) {
  problem.nb = plan.nb;
  problem.cut = plan.cut;
  problem.placement.distribution = plan.distribution;
  problem.values = onDistribution(problem, problem.values, plan.distribution);
  for (std::size_t s = 0; s < plan.scalars.size(); ++s)
    problem.scalars[s].integer = plan.scalars[s].integer;
}

std::string Plan::generator() const { return distribution.nodes() == 1 ? "" : generatorName(algorithm, distribution); }

} // namespace tla::host
