#include "runtime/predict/plan/plan.hpp"

#include "dsl/base/hash.hpp"
#include "dsl/base/processor.hpp"
#include "dsl/base/text.hpp"
#include "runtime/host/problem/memory.hpp"
#include "runtime/host/problem/slices.hpp"
#include "runtime/host/ranks/packed_text.hpp"
#include "runtime/host/ranks/traits.hpp"
#include "runtime/host/starter/node_loops.hpp"
#include "runtime/predict/machine/virtual_node.hpp"
#include "runtime/predict/plan/cost_choice.hpp"
#include "runtime/predict/plan/cut_search.hpp"
#include "runtime/predict/plan/task_map_choice.hpp"
#include "runtime/predict/plan/tile_memory.hpp"
#include "runtime/predict/plan/tile_search.hpp"
#include "runtime/predict/plan/tile_size.hpp"
#include "runtime/predict/plan/virtual_search.hpp"
#include "runtime/predict/rates/measured_machine.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>

namespace tla::host {

namespace {

/// In tiles.json, beside the tile size: whether the host computes whole columns, and what the run is going to take.
constexpr const char *hostName = "host", *microseconds = "us";

/// The way of a plan: a guess, what is measured, what rank 0 chooses by that, what each rank adds.
class Planner {
public:
  Planner(const Problem &problem, const Machine &machine, const Settings &settings, Purpose purpose,
          const PlanEvents &events)
      : problem_(problem), machine_(machine), settings_(settings), purpose_(purpose), events_(events) {}

  Plan run() {
    requireOneNode(machine_.ranks.size(), *problem_.algorithm);
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
      searchVirtually(plan, false);
    else if (isKnownAsNumbers())
      searchByRates(plan);
    else if (purpose_ == Purpose::Run)
      owners = searchTiles(plan, settings_.nb.value_or(0));
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

  /// Whether a run on this machine can be had in virtual time: one node with accelerators, whose rates are known.
  bool isKnownAsNumbers() const {
    return alone() && !machine_.devices.empty() && canBeSimulated(rates_, machine_.devices);
  }

  /// The machine of a profile, or of measured rates.
  runtime::VirtualHardware hardware() const {
    const runtime::ElementType type = problem_.algorithm->type;
    return settings_.devices.machine ? profileMachine(*settings_.devices.machine, type)
                                     : measuredMachine(rates_, machine_.devices, type);
  }

  /// Tile size, and what the host computes, by runs in the machine's time; the seconds of the best.
  double searchVirtually(Plan &plan, bool brief) {
    const runtime::VirtualHardware machine = hardware();
    const VirtualChoice choice = host::searchVirtually(
        {.problem = problem_,
         .nb = settings_.nb.value_or(0),
         .others = brief ? tileSizes(tileRequest(plan, 0)) : std::vector<int>(),
         .brief = brief,
         .hostMay = [&](int nb) { return sharesByRates(onTilesOf(plan, nb)).hostWeight > 0; },
         .seconds = [&](int nb, bool hostComputes) { return virtualSeconds(machine, plan, nb, hostComputes); },
         .checkpoint = [this] { checkpoint(); }});
    plan.nb = choice.nb;
    hostComputes_ = choice.hostComputes;
    return choice.seconds;
  }

  /// The same on a machine of measured rates, once for a problem; then what kernels alone decide, if the run is long
  /// enough to time them.
  void searchByRates(Plan &plan) {
    const double seconds = isWorthASearch(plan) ? searchOnce(plan) : 0;
    if (purpose_ == Purpose::Run && (settings_.nb || hasTimeForSample(plan.nb, seconds)))
      searchTiles(plan, plan.nb);
  }

  /// Something is open, and the problem takes longer than to find it.
  bool isWorthASearch(const Plan &plan) const {
    return isWorthSearching(tileRequest(plan, 0)) &&
           (!settings_.nb || (settings_.deviceWeights.empty() && sharesOn(plan).hostWeight > 0));
  }

  /// The seconds that a run is going to take with what is chosen; 0: nothing is known of any.
  double searchOnce(Plan &plan) {
    TileMemory memory(deviceSearchKey(plan));
    if (const auto known = memory.find();
        known && known->parameters.contains(hostName) && known->parameters.contains(microseconds)) {
      plan.nb = known->nb;
      hostComputes_ = known->parameters.at(hostName) > 0;
      return known->parameters.at(microseconds) * 1e-6;
    }
    const int guess = plan.nb;
    const auto begin = std::chrono::steady_clock::now();
    const double seconds = trySearch(plan);
    plan.searched = seconds > 0 && std::isfinite(seconds);
    plan.searchSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (!plan.searched) {
      plan.nb = guess;
      hostComputes_ = true;
      return 0;
    }
    const int remembered = static_cast<int>(std::clamp(seconds * 1e6, 1.0, 2e9));
    memory.remember({plan.nb, {{hostName, hostComputes_}, {microseconds, remembered}}});
    return seconds;
  }

  /// 0: it failed, of which the run will tell more.
  double trySearch(Plan &plan) try { return searchVirtually(plan, true); } catch (const Interrupted &) {
    throw;
  } catch (const std::exception &error) {
    remarkNoSearch(error.what());
    return 0;
  }

  void remarkNoSearch(const std::string &why) const {
    if (events_.remark)
      events_.remark("the tile size was not searched (" + why + ")");
  }

  /// Everything that the search depends on.
  std::string deviceSearchKey(const Plan &plan) const {
    std::string key = "devices: " + tileSearchKey(tileRequest(plan, settings_.nb.value_or(0)));
    constexpr std::size_t ample = std::size_t(8) << 30; // any tile fits many times over; what is free there varies
    for (const runtime::AcceleratorProperties &device : machine_.devices)
      key +=
          ", " + std::to_string(device.memoryBytes < ample ? device.memoryBytes : std::bit_floor(device.memoryBytes));
    key += settings_.resident ? ", resident" : "";
    return key + format(", window %d, rates ", settings_.window) + hashOf(ratesText(request_, rates_));
  }

  /// Whether a search of tuning parameters is cheap beside such a run: it begins with three by three tiles of the
  /// host's, some dozen tasks.
  bool hasTimeForSample(int nb, double seconds) const {
    constexpr double tasks = 14;
    const auto product = rates_.core.secondsOf("gemm", nb);
    return product && tasks * *product < briefSeconds(seconds);
  }

  /// Infinite: it cannot run on such tiles.
  double virtualSeconds(const runtime::VirtualHardware &machine, const Plan &plan, int nb, bool hostComputes) try {
    hostComputes_ = hostComputes;
    const Plan other = onTilesOf(plan, nb);
    const runtime::DeviceShares shares = sharesOn(other);
    const runtime::Outcome outcome = runVirtually({.algorithm = *problem_.algorithm,
                                                   .values = problem_.values,
                                                   .scalars = other.scalars,
                                                   .nb = nb,
                                                   .cut = other.cut,
                                                   .shares = shares,
                                                   .machine = machine,
                                                   .threads = machine_.threads,
                                                   .window = settings_.window,
                                                   .resident = settings_.resident,
                                                   .interruptible = events_.interruptible});
    if (outcome.kind == runtime::Outcome::Kind::Interrupted)
      throw Interrupted{};
    return outcome.kind == runtime::Outcome::Kind::Finished ? outcome.statistics.seconds : HUGE_VAL;
  } catch (const UsageError &) { // a device's memory is less than one task needs
    return HUGE_VAL;
  }

  Plan onTilesOf(const Plan &plan, int nb) const {
    Plan other = plan;
    other.nb = nb;
    other.cut = cutByRates(nb);
    return other;
  }

  TileRequest tileRequest(const Plan &plan, int nb) const {
    std::vector<std::string> given;
    for (const Assignment &assignment : settings_.scalars)
      given.push_back(assignment.name);
    return {.algorithm = *problem_.algorithm,
            .values = problem_.values,
            .scalars = problem_.scalars,
            .tunable = tunableScalars(*problem_.algorithm, given),
            .threads = machine_.threads,
            .ranks = machine_.ranks.size(),
            .distribution = settings_.distribution ? settings_.distribution->name() : "",
            .period = problem_.period,
            .owners = [this, plan](int nb) { return possibleOwners(onTilesOf(plan, nb)); },
            .devices = {.properties = machine_.devices,
                        .rates = rates_,
                        .shares = [this, plan](int nb) { return sharesOn(onTilesOf(plan, nb)); }},
            .cut = [this](int nb) { return cutByRates(nb); },
            .kernels = machine_.hostKernels,
            .nb = nb,
            .executor = events_.measuring,
            .checkpoint = [this] { checkpoint(); }};
  }

  /// Not 0: the tile size is nb, and parameters are searched. The name of the distribution that was found to be the
  /// fastest; empty: none was looked for.
  std::string searchTiles(Plan &plan, int nb) {
    TileChoice choice = chooseTiles(tileRequest(plan, nb));
    if (!choice.problem.empty())
      remarkNoSearch(choice.problem);
    plan.nb = choice.nb;
    plan.scalars = std::move(choice.scalars);
    plan.searched |= choice.searched;
    plan.searchSeconds += choice.searched ? choice.seconds : 0;
    return choice.distribution;
  }

  /// As rates have it: trials are for the tile size that is chosen.
  Cut cutByRates(int nb) const {
    const auto problem = onTiles(problem_, nb, cutBySettings(nb));
    return balanceCut(*problem, settings_, request_, rates_, machine_.threads);
  }

  runtime::DeviceShares sharesByRates(const Plan &plan) const {
    return chooseShares(*on(plan), settings_, request_, rates_, machine_.threads);
  }

  runtime::DeviceShares sharesOn(const Plan &plan) const {
    const auto count = static_cast<int>(machine_.devices.size());
    if (count == 0)
      return onGrid({}, settings_, *problem_.algorithm, 0);
    runtime::DeviceShares shares = onGrid(sharesByRates(plan), settings_, *problem_.algorithm, count);
    if (!hostComputes_)
      shares.hostWeight = 0;
    shares.taskMap = chooseTaskMap(*on(plan), settings_, request_, rates_, machine_.threads, shares);
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

  /// Rank 0's decisions. Tuning parameters are integers; the name of a distribution may have blanks, as a file's has.
  void send(Plan &plan) const {
    std::string packed;
    for (const long number : {static_cast<long>(plan.nb), static_cast<long>(plan.cut.width)})
      appendPart(packed, std::to_string(number));
    appendPart(packed, plan.distribution.name());
    for (const runtime::ScalarValue &scalar : plan.scalars)
      appendPart(packed, std::to_string(scalar.integer));
    const std::vector<std::string> parts = partsOf(machine_.ranks.broadcast(packed));
    const auto numberAt = [&parts](std::size_t i) { return parseInteger(parts.at(i)).value(); };
    plan.nb = static_cast<int>(numberAt(0));
    plan.cut.width = static_cast<int>(numberAt(1));
    if (!first())
      plan.distribution = distributionNamed(parts.at(2));
    for (std::size_t s = 0; s < plan.scalars.size(); ++s)
      plan.scalars[s].integer = numberAt(3 + s);
    checkpoint();
  }

  /// What rank 0 could read this rank has to read, too: a file may be missing on its machine.
  static Distribution distributionNamed(const std::string &name) {
    std::string error;
    if (auto distribution = parseDistribution(name, error))
      return *std::move(distribution);
    throw UsageError(error);
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

int plannedThreads(const Settings &settings, std::size_t accelerators) {
  if (settings.threads)
    return settings.threads;
  return settings.devices.machine ? runtime::virtualThreads(*settings.devices.machine)
                                  : runtime::threadsBeside(runtime::defaultThreads(), static_cast<int>(accelerators));
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
