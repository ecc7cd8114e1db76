#include "runtime/predict/plan/plan.hpp"

#include "dsl/base/hash.hpp"
#include "dsl/base/processor.hpp"
#include "dsl/base/text.hpp"
#include "runtime/host/problem/memory.hpp"
#include "runtime/host/problem/slices.hpp"
#include "runtime/host/problem/task_order.hpp"
#include "runtime/host/ranks/exit_code.hpp"
#include "runtime/host/ranks/packed_text.hpp"
#include "runtime/host/ranks/traits.hpp"
#include "runtime/host/starter/node_loops.hpp"
#include "runtime/predict/count/node_memory.hpp"
#include "runtime/predict/machine/virtual_node.hpp"
#include "runtime/predict/plan/cost_choice.hpp"
#include "runtime/predict/plan/cut_search.hpp"
#include "runtime/predict/plan/order_choice.hpp"
#include "runtime/predict/plan/plan_case.hpp"
#include "runtime/predict/plan/tile_search.hpp"
#include "runtime/predict/plan/tiles/tile_memory.hpp"
#include "runtime/predict/plan/tiles/tile_size.hpp"
#include "runtime/predict/plan/virtual_search.hpp"
#include "runtime/predict/rates/measured_machine.hpp"

#include <tla/kernels/traits.hpp>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdio>

#include <unistd.h>

namespace tla::host {
namespace {

constexpr const char *hostName = "host", *microseconds = "us"; // beside nb in tiles.json: whole columns there; time

/// Ends the process, as the Supervisor does in a run, where loops that are counted have not come back for so long.
runtime::LoopLimit processEndsAfter(double seconds) {
  return {seconds, [seconds](const std::string &text) {
            std::fputs(format("hetc: nothing has happened for %.3g s: %s\n", seconds, text.c_str()).c_str(), stderr);
            std::fflush(stderr);
            ::_exit(RuntimeFault);
          }};
}

/// The way of a plan: a guess, what is measured, what rank 0 chooses by that, what each rank adds.
class Planner {
public:
  Planner(const Problem &problem, const Machine &machine, const Settings &settings, Purpose purpose,
          const PlanEvents &events)
      : case_(problem, settings, machine.threads, machine.ranks.size()), problem_(problem), machine_(machine),
        settings_(settings), purpose_(purpose) {
    case_.kernels = machine.hostKernels;
    case_.devices = machine.devices;
    case_.events = events;
  }

  Plan run() {
    requireOneNode(machine_.ranks.size(), *problem_.algorithm);
    guess();
    if (purpose_ == Purpose::Run)
      requireMatrices(); // before anything is measured: a problem that fits with no tile size is refused at once
    measureRates();
    if (first())
      decide();
    send();
    plan_.shares = case_.sharesWith(plan_.nb, plan_.cut, case_.hostComputes);
    plan_.timing = case_.timing();
    if (purpose_ == Purpose::Run) {
      orderTasks();
      findLoops();
      requireMemory();
      requireSameShares();
    }
    plan_.scalars = case_.scalars;
    plan_.distribution = case_.distribution;
    return std::move(plan_);
  }

private:
  bool first() const { return machine_.ranks.first(); }
  bool alone() const { return machine_.ranks.alone(); }

  void guess() {
    std::vector<Extent> extents;
    for (const ProblemMatrix &matrix : problem_.matrices)
      extents.push_back(matrix.extent);
    plan_.algorithm = *problem_.algorithm;
    case_.distribution = settings_.distribution ? *settings_.distribution : squareDistribution(machine_.ranks.size());
    if (purpose_ == Purpose::Run)
      requireFit(case_.distribution, machine_.ranks.size());
    plan_.nb = settings_.nb ? *settings_.nb
                            : chooseTileSize(plan_.algorithm, extents, machine_.threads, machine_.ranks.size());
    plan_.cut = case_.cutBySettings(plan_.nb);
  }

  /// Measures rates for shares and for the tile search. At the tile size that was given or guessed: rates are known at
  /// several sizes.
  void measureRates() {
    if (alone() && machine_.devices.empty())
      return;
    case_.units = ratesRequest(*case_.on(plan_.nb, plan_.cut), settings_, machine_.hostKernels, machine_.devices);
    if (settings_.deviceWeights.empty() || (purpose_ == Purpose::Run && !settings_.nb))
      case_.rates = ratesOfThisMachine();
  }

  /// The first rank of each machine measures, the others wait. Rank 0's count for all who have the same hardware, so
  /// that they come to the same shares.
  NodeRates ratesOfThisMachine() const {
    const RatesRequest &units = case_.units;
    RatesRequest mine = units;
    mine.remark = case_.events.remark;
    mine.checkpoint = case_.events.checkpoint;
    if (alone())
      return obtainRates(mine);
    Ranks &ranks = machine_.ranks;
    const int measuring = machine_.neighbours.first;
    const bool measures = measuring == ranks.rank() && !units.devices.empty();
    const std::vector<std::string> all = ranks.exchange(measures ? ratesText(units, obtainRates(mine)) : "");
    for (const int rank : {0, measuring})
      if (const auto rates = readRates(units, all[rank]))
        return *rates;
    return NodeRates{{}, std::vector<UnitRates>(units.devices.size())};
  }

  /// On rank 0: what is the same for all.
  void decide() {
    std::optional<Distribution> owners;
    if (settings_.devices.machine)
      take(host::searchVirtually(case_, settings_.nb.value_or(0), false));
    else if (isKnownAsNumbers())
      searchByRates();
    else if (purpose_ == Purpose::Run)
      owners = searchTiles(settings_.nb.value_or(0));
    plan_.cut = case_.cut(plan_.nb);
    plan_.cut =
        refineCut(case_, *case_.on(plan_.nb, plan_.cut), case_.sharesWith(plan_.nb, plan_.cut, case_.hostComputes));
    if (alone() || purpose_ == Purpose::Count)
      return;
    case_.distribution = owners ? *std::move(owners) : case_.owners(plan_.nb).front();
  }

  /// Whether a run on this machine can be had in virtual time: one node with accelerators, whose rates are known.
  bool isKnownAsNumbers() const {
    return alone() && !machine_.devices.empty() && canBeSimulated(case_.rates, machine_.devices);
  }

  /// Tile size, and what the host computes, by runs in the machine's time.
  void take(const VirtualChoice &choice) {
    plan_.nb = choice.nb;
    case_.hostComputes = choice.hostComputes;
  }

  /// Searches on a machine of measured rates, once for a problem; then the parameters that kernels alone decide, if the
  /// run is long enough to time them.
  void searchByRates() {
    const double seconds = isWorthASearch() ? searchOnce() : 0;
    if (purpose_ == Purpose::Run && (settings_.nb || hasTimeForSample(plan_.nb, seconds)))
      searchTiles(plan_.nb);
  }

  /// Something is open, and the problem takes longer than to find it.
  bool isWorthASearch() const {
    return isWorthSearching(case_) && (!settings_.nb || (settings_.deviceWeights.empty() &&
                                                         case_.sharesWith(plan_.nb, plan_.cut, true).hostWeight > 0));
  }

  /// The seconds that a run is going to take with what is chosen; 0: nothing is known of any.
  double searchOnce() {
    TileMemory memory(deviceSearchKey());
    if (const auto known = memory.find();
        known && known->parameters.contains(hostName) && known->parameters.contains(microseconds)) {
      take({known->nb, known->parameters.at(hostName) > 0});
      return known->parameters.at(microseconds) * 1e-6;
    }
    const auto begin = std::chrono::steady_clock::now();
    const VirtualChoice choice = trySearch();
    plan_.searched = choice.seconds > 0 && std::isfinite(choice.seconds);
    plan_.searchSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (choice.tooLarge) // devices have use for large tiles
      plan_.nb = choice.nb;
    if (!plan_.searched)
      return 0;
    take(choice);
    const int remembered = static_cast<int>(std::clamp(choice.seconds * 1e6, 1.0, 2e9));
    memory.remember({plan_.nb, {{hostName, choice.hostComputes}, {microseconds, remembered}}});
    return choice.seconds;
  }

  /// Without seconds: it failed, of which the run will tell more.
  VirtualChoice trySearch() const try {
    return host::searchVirtually(case_, settings_.nb.value_or(0), true);
  } catch (const Interrupted &) {
    throw;
  } catch (const std::exception &error) {
    remarkNoSearch(error.what());
    return {};
  }

  void remarkNoSearch(const std::string &why) const { case_.remark("the tile size was not searched (" + why + ")"); }

  /// Everything that the search depends on.
  std::string deviceSearchKey() const {
    std::string key = "devices: " + tileSearchKey(case_, settings_.nb.value_or(0));
    constexpr std::size_t ample = std::size_t(8) << 30; // any tile fits many times over; what is free there varies
    for (const runtime::AcceleratorProperties &device : machine_.devices)
      key +=
          ", " + std::to_string(device.memoryBytes < ample ? device.memoryBytes : std::bit_floor(device.memoryBytes));
    key += settings_.resident ? ", resident" : "";
    return key + format(", window %d, rates ", settings_.window) + hashOf(ratesText(case_.units, case_.rates));
  }

  /// Whether a search of tuning parameters is cheap beside such a run: it begins with three by three tiles of the
  /// host's, some dozen tasks.
  bool hasTimeForSample(int nb, double seconds) const {
    constexpr double tasks = 14;
    const auto product = case_.rates.core.secondsOf(kernels::productKernel, nb);
    return product && tasks * *product < briefSeconds(seconds);
  }

  /// Not 0: the tile size is nb, and parameters are searched. The distribution that was found to be the fastest, if
  /// any was looked for.
  std::optional<Distribution> searchTiles(int nb) {
    TileChoice choice = chooseTiles(case_, nb);
    if (!choice.problem.empty())
      remarkNoSearch(choice.problem);
    plan_.nb = choice.nb;
    case_.scalars = std::move(choice.scalars);
    plan_.searched |= choice.searched;
    plan_.searchSeconds += choice.seconds; // 0 where it was not searched
    return choice.distribution;
  }

  /// Rank 0's decisions. Tuning parameters are integers; the name of a distribution may have blanks, as a file's has.
  void send() {
    std::string packed;
    for (const int number : {plan_.nb, plan_.cut.width})
      appendPart(packed, std::to_string(number));
    appendPart(packed, case_.distribution.name());
    for (const runtime::ScalarValue &scalar : case_.scalars)
      appendPart(packed, std::to_string(scalar.integer));
    const std::vector<std::string> parts = partsOf(machine_.ranks.broadcast(packed));
    const auto numberAt = [&parts](std::size_t i) { return parseInteger(parts.at(i)).value(); };
    plan_.nb = static_cast<int>(numberAt(0));
    plan_.cut.width = static_cast<int>(numberAt(1));
    if (!first())
      case_.distribution = parseDistribution(parts.at(2)); // a file may be missing on this machine
    for (std::size_t s = 0; s < case_.scalars.size(); ++s)
      case_.scalars[s].integer = numberAt(3 + s);
    case_.checkpoint();
  }

  /// Rank 0 chooses for all: the order of all ranks is the same, whatever their devices.
  void orderTasks() {
    std::string order;
    if (first())
      order = nameOf(chooseOrder(*case_.on(plan_.nb, plan_.cut), case_.distribution, settings_,
                                 costOptions(machine_.devices, settings_, plan_.shares), plan_.timing.get()));
    plan_.shares.order = parseTaskOrder(machine_.ranks.broadcast(order)).value();
    case_.checkpoint();
  }

  void findLoops() {
    if (alone() || !plan_.shares.order.isProgramOrder())
      return;
    plan_.algorithm =
        withNodeLoops(*problem_.algorithm, case_.distribution, settings_, machine_.ranks, machine_.neighbours);
    case_.checkpoint();
  }

  /// The bytes of this rank that do not depend on when tasks run, beside `more`, and how many there are; throws
  /// UsageError when these are fewer.
  struct Room {
    double taken, available;
  };
  Room requireRoomFor(double more) const {
    const auto problem = case_.on(plan_.nb, plan_.cut);
    const double onDevices = acceleratorBytes(*problem, machine_.devices);
    const double itself = settings_.memory ? residentBytes() : 0;
    const Room room{problemBytes(*problem, settings_, machine_.threads) + onDevices + itself,
                    settings_.memory.value_or(availableBytes() / machine_.neighbours.onMachine)};
    if (settings_.memory && room.taken + more > room.available)
      throw UsageError("needs at least " + formatBytes(room.taken + more) + " of a rank, " + formatBytes(itself) +
                       " of them for the program itself; --memory says " + formatBytes(room.available) +
                       "; give more, use a smaller problem (-n), smaller tiles (--nb) or more ranks");
    host::requireMemory(room.taken + more, room.available,
                        onDevices > 0 ? "use a smaller problem (-n), emulated accelerators with less memory (mem=), or "
                                        "a machine with more memory"
                                      : "use a smaller problem (-n) or a machine with more memory");
    return room;
  }

  void requireMatrices() const {
    if (!settings_.devices.machine)
      requireRoomFor(0);
  }

  void requireMemory() {
    if (settings_.devices.machine) { // no tile has memory
      if (settings_.memory)
        throw UsageError("--memory: with --devices " + settings_.devices.name + " no tile has memory; leave it out");
      return;
    }
    const Room room = requireRoomFor(0);
    NodeMemory memory = temporaryMemory(room.available - room.taken);
    requireRoomFor(memory.leastBytes());
    memory.fixed = room.taken;
    plan_.lookaheadBytes = lookaheadWithin(memory, room.available).value_or(0);
    plan_.bytes = std::min(memory.bytes(), room.available);
  }

  /// The memory of tiles that do not have some all the time. It is counted by the program's loops, except where that
  /// takes longer than a moment and a bound from the sizes is small enough.
  NodeMemory temporaryMemory(double room) const {
    constexpr double mostCounted = 1e7, replayed = 5; // tasks, at some 30 ns each; by replay so many times as long
    const auto problem = case_.on(plan_.nb, plan_.cut);
    const int ranks = machine_.ranks.size();
    double matrices = 0;
    for (const ProblemMatrix &matrix : problem->matrices)
      matrices += storageBytes(*matrix.parameter, problem->values, problem->nb, problem->placement, problem->cut);
    runtime::NodeCost bound;
    bound.temporaryBytes = static_cast<std::uint64_t>(workspaceBytes(*problem) + matrices * (ranks - 1));
    bound.leastTemporaryBytes = bound.temporaryBytes;
    bound.renamedBytes = static_cast<std::uint64_t>(matrices);
    bound.transfers.receivedBytes = bound.temporaryBytes;
    const runtime::Options options = memoryOptions(settings_);
    const NodeMemory bySizes = memoryOf(bound, 0, ranks, options);
    if (bound.temporaryBytes == 0) // loops that do not end are the supervisor's, who watches a run
      return bySizes;
    const bool loops = runtime::hasNodeLoops(plan_.algorithm, case_.distribution);
    const double tasks = largestTaskCount(*problem) * (alone() ? 1 : loops ? 1.0 / ranks : replayed);
    if (tasks > mostCounted && bySizes.bytes() <= room)
      return bySizes;
    try {
      const runtime::Values values = onDistribution(*problem, problem->values, case_.distribution);
      const DryCall call(plan_.algorithm, values, case_.scalars, plan_.nb, plan_.cut, loops ? 0 : ranks);
      return memoryOf(runtime::predictMemory(plan_.algorithm, call.arguments(), case_.distribution,
                                             machine_.ranks.rank(),
                                             {.window = settings_.window, .order = plan_.shares.order},
                                             processEndsAfter(settings_.watchdogSeconds)),
                      0, ranks, options);
    } catch (const std::exception &) { // the run comes to it as well, and says so with its place
      return bySizes;
    }
  }

  /// Ranks with other cores or accelerators have shares of their own.
  void requireSameShares() const {
    if (alone())
      return;
    std::string hardware = processorModel() + format(", %d threads", machine_.threads);
    for (const runtime::AcceleratorProperties &device : machine_.devices)
      hardware += ", " + device.model + " " + device.library;
    const std::string rates = machine_.devices.empty() ? "" : ratesText(case_.units, case_.rates);
    requireSameTraits(
        machine_.ranks,
        {{"share of columns for each device", sharesText(plan_.shares) + " (hash of rates " + hashOf(rates) + ")",
          "remove " + ratesFile().string() + " there, or give --device-weights"}},
        hardware);
  }

  PlanCase case_;
  const Problem &problem_;
  const Machine &machine_;
  const Settings &settings_;
  const Purpose purpose_;
  Plan plan_; ///< scalars and distribution are the case's until the end
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

bool isFirstSearch() { return rememberedTiles().size() <= 1; }

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
