#include "runtime/predict/commands/plan_search.hpp"

#include "dsl/base/text.hpp"
#include "runtime/host/base/element_type.hpp"
#include "runtime/predict/commands/cluster.hpp"
#include "runtime/predict/commands/copies_choice.hpp"
#include "runtime/predict/commands/cost_count.hpp"
#include "runtime/predict/machine/profile_choice.hpp"

#include <tla/runtime/error.hpp>

#include <algorithm>
#include <climits>
#include <cmath>

namespace tla::host {
namespace {

/// Windows that are tried, the smallest last: with fewer tasks in flight nodes wait for each other's tiles.
constexpr int windows[] = {8192, 4096, 2048, 1024, 512, 256, 128};
/// The window with which the largest problem is looked for first: smaller ones may be slower.
constexpr int windowOfLargest = 512;
// Problems of more tasks, by largestTaskCount(), take seconds to count, and a search counts some ten; where smaller
// tiles are tried, some three. Tiles that are given may be smaller.
constexpr double mostTasks = 4e6, mostTasksOfSmaller = 1.6e7;
constexpr int leastTile = 128;
constexpr double worthSmallerTiles = 1.04;  // n is so much larger with tiles of half the size
constexpr double worthSmallerWindow = 1.08; // n is so much larger with the smallest window

CopiesCandidate candidateOf(const PlanRecord &record) {
  CopiesCandidate candidate = host::candidateOf(record.cost.cost);
  if (record.time)
    candidate.seconds = record.time->seconds;
  return candidate;
}

/// Plans as a run would be without further options; with memory to spare also in copies of the nodes.
PlanRecord planUsual(const runtime::Algorithm &algorithm, const PlanRequest &request, int nodes) {
  PlanRecord best = planProgram(algorithm, request.settings, request.owners, nodes, Timed::Yes);
  if (!request.memory || request.owners != WantedOwners(Family::Any) || algorithm.copies() > 1)
    return best;
  for (const runtime::Algorithm *const program : programsInCopies(algorithm, nodes)) {
    PlanRecord record = planProgram(*program, request.settings, request.owners, nodes, Timed::Yes);
    if (record.cost.distribution.copies() > 1 && isBetter(candidateOf(record), candidateOf(best), *request.memory))
      best = std::move(record);
  }
  return best;
}

bool fits(const PlanRecord &record, const PlanRequest &request) { return record.bytesPerNode <= *request.memory; }

/// The owners that are worth a look: those of the first plan, then those that may have less memory on the fullest node.
std::vector<WantedOwners> ownersToTry(const PlanRequest &request, const PlanRecord &first) {
  std::vector<WantedOwners> owners = {first.cost.distribution.copies() == 1 ? WantedOwners(first.cost.distribution)
                                                                            : request.owners};
  if (request.owners == WantedOwners(Family::Any))
    owners.insert(owners.end(), {Family::Grid, Family::Symmetric});
  return owners;
}

/// Plans without times; nothing where the nodes have no owners of this kind, as sbc of most numbers.
std::optional<PlanRecord> tryPlan(const runtime::Algorithm &algorithm, const Settings &settings,
                                  const WantedOwners &owners, int nodes) try {
  return planProgram(algorithm, settings, owners, nodes, Timed::No);
} catch (const UsageError &) {
  return std::nullopt;
}

/// The largest of the windows that fits, if any does. The owners are chosen once, for the first that is tried.
std::optional<int> windowThatFits(const runtime::Algorithm &algorithm, Settings settings, WantedOwners owners,
                                  const PlanRequest &request, int nodes) {
  std::vector<int> tried(std::begin(windows), std::end(windows));
  if (request.windowGiven)
    tried = {settings.window};
  const auto isFitting = [&](int window) {
    settings.window = window;
    const auto record = tryPlan(algorithm, settings, owners, nodes);
    if (record)
      owners = record->cost.distribution;
    return record && fits(*record, request);
  };
  if (!isFitting(tried.back()))
    return std::nullopt;
  return *std::partition_point(tried.begin(), tried.end() - 1, [&](int window) { return !isFitting(window); });
}

/// A plan that fits by a smaller window, smaller tiles or other owners, in this order; nothing: there is none.
std::optional<PlanRecord> planSmaller(const runtime::Algorithm &algorithm, const PlanRequest &request, int nodes,
                                      const PlanRecord &first) {
  const int usual = first.problem->nb;
  Settings settings = request.settings;
  for (int nb = usual; nb == usual || (!request.settings.nb && nb >= leastTile && nb >= usual / 4); nb /= 2)
    for (const WantedOwners &owners : ownersToTry(request, first)) {
      settings.nb = nb;
      if (const auto window = windowThatFits(algorithm, settings, owners, request, nodes)) {
        settings.window = *window;
        return planProgram(algorithm, settings, owners, nodes, Timed::Yes);
      }
    }
  return std::nullopt;
}

/// Bytes of a node that do not depend on the problem, if it is large.
double fixedBytes(int nodes) {
  const runtime::NodeCost large{.transfers = {.receivedBytes = UINT64_MAX}};
  return memoryOf(large, 0, nodes).forwarded;
}

Settings withSize(Settings settings, long n) {
  settings.n = n;
  return settings;
}

/// The n whose matrices alone would take all memory of the nodes.
long mostOf(const runtime::Algorithm &algorithm, const PlanRequest &request, int nodes) {
  constexpr long sample = 10000;
  const auto problem = describeProblem(algorithm, withSize(request.settings, sample));
  double bytes = 0;
  for (const ProblemMatrix &matrix : problem->matrices)
    bytes += static_cast<double>(matrix.extent.rows) * static_cast<double>(matrix.extent.columns) *
             static_cast<double>(elementBytes(matrix.parameter->type)) /
             (matrix.parameter->shape == Shape::General ? 1 : 2);
  const double n = sample * std::sqrt(*request.memory * nodes / std::max(1.0, bytes));
  return static_cast<long>(std::clamp(n, 1.0, 1e9));
}

double tasksOf(const runtime::Algorithm &algorithm, Settings settings, long n, int nb) {
  settings.nb = nb;
  const auto problem = describeProblem(algorithm, withSize(settings, n));
  problem->nb = nb;
  return largestTaskCount(*problem);
}

/// The tile size that a run of so large a problem has; larger where it would have too many tasks.
int tileOfLargest(const runtime::Algorithm &algorithm, const Settings &settings, long n, int nodes) {
  if (settings.nb)
    return *settings.nb;
  const Settings whole = withSize(settings, n);
  const Settings part = scaledSettings(whole, 1 / std::sqrt(static_cast<double>(nodes)));
  int nb = planCounting(*describeProblem(algorithm, part), whole, runtime::describeAnyDevices(settings.devices)).nb;
  while (tasksOf(algorithm, settings, n, nb) > mostTasks)
    nb += std::max(8, nb / 8 / 8 * 8);
  return nb;
}

PlanRecord planLargest(const runtime::Algorithm &algorithm, const PlanRequest &request, int nodes) {
  Settings settings = request.settings;
  if (!request.windowGiven)
    settings.window = windowOfLargest;
  const long most = mostOf(algorithm, request, nodes);
  const auto largestOf = [&](int nb, long first) {
    settings.nb = nb;
    WantedOwners owners = request.owners; // those of the first problem, which is near the largest
    const auto bytes = [&](long n) {
      const PlanRecord record = planProgram(algorithm, withSize(settings, n), owners, nodes, Timed::No);
      owners = record.cost.distribution;
      return record.bytesPerNode;
    };
    return largestFitting(bytes, *request.memory, fixedBytes(nodes), first, nb);
  };
  int nb = tileOfLargest(algorithm, settings, most, nodes);
  long n = largestOf(nb, most * 2 / 3);
  const auto isWorth = [&n](long larger, double part) {
    const bool is = static_cast<double>(larger) >= part * static_cast<double>(n) && larger > n;
    n = is ? larger : n;
    return is;
  };
  if (!request.windowGiven && nodes > 1) {
    settings.window = std::end(windows)[-1];
    if (!isWorth(largestOf(nb, std::max<long>(n, nb)), worthSmallerWindow))
      settings.window = windowOfLargest;
  }
  while (!request.settings.nb && nb / 2 >= leastTile && tasksOf(algorithm, settings, n, nb / 2) <= mostTasksOfSmaller &&
         isWorth(largestOf(nb / 2, std::max<long>(n, nb)), worthSmallerTiles))
    nb /= 2;
  settings.nb = nb;
  if (n == 0)
    throw UsageError("--memory: not even one tile of " + std::to_string(nb) + " for each side fits into the " +
                     formatBytes(*request.memory) + " of a node");
  settings.n = n;
  settings.window = windowThatFits(algorithm, settings, request.owners, request, nodes).value_or(settings.window);
  return planProgram(algorithm, settings, request.owners, nodes, Timed::Yes);
}

} // namespace

long largestFitting(const std::function<double(long)> &bytes, double memory, double fixed, long first, long step) {
  constexpr int mostCounts = 12;
  constexpr double fine = 0.01;
  long good = 0, bad = INT_MAX / step + 1; // in steps: fits, does not fit
  const auto near = [&](long steps) { return std::clamp(steps, good + 1, bad - 1); };
  long next = near(std::max(1L, first / step));
  for (int count = 0; count < mostCounts && bad - good > 1 && static_cast<double>(bad - good) > fine * bad; ++count) {
    const double taken = bytes(next * step);
    (taken <= memory ? good : bad) = next;
    // What depends on the problem grows with the square. A little below, so that the next one mostly fits.
    const double factor = std::sqrt(std::max(0.0, memory - fixed) / std::max(1.0, taken - fixed));
    const long guess = std::lround(static_cast<double>(next) * factor * (taken <= memory ? 0.997 : 0.993));
    const bool isOpen = bad > INT_MAX / step;
    if (good > 0 && isOpen && guess <= good + std::max(1L, std::lround(fine * 0.5 * static_cast<double>(good))))
      next = near(good + std::max(1L, std::lround(fine * static_cast<double>(good))));
    else
      next = guess > good && guess < bad ? guess : near(isOpen ? 2 * good : (good + bad) / 2);
  }
  return good * step;
}

PlanRecord planNodes(const runtime::Algorithm &algorithm, const PlanRequest &request, int nodes) {
  if (request.largest)
    return planLargest(algorithm, request, nodes);
  PlanRecord first = planUsual(algorithm, request, nodes);
  if (!request.memory || fits(first, request))
    return first;
  std::optional<PlanRecord> smaller = planSmaller(algorithm, request, nodes, first);
  if (!smaller)
    return first;
  smaller->usual = "--window " + std::to_string(first.window) + " and tiles of " + std::to_string(first.problem->nb) +
                   " it would be " + formatBytes(first.bytesPerNode - *request.memory) + " short";
  return std::move(*smaller);
}

} // namespace tla::host
