#include "runtime/predict/commands/time_choice.hpp"

#include "runtime/interfaces/cost.hpp"

#include <tla/runtime/error.hpp>

#include <algorithm>
#include <cmath>

namespace tla::host {
namespace {

constexpr double moreBytes = 4;            // times the best's: such a one may have the shorter critical path
constexpr double mostTasksOfTrial = 800e3; // of a simulation; some seconds
constexpr double fewestTilesOfNode = 8;    // on a side of what a node has: fewer say nothing of large problems
constexpr double earlier = 0.97;           // of the time with fewest bytes

/// The number of tasks, from a smaller problem's.
double tasksOf(const runtime::Algorithm &algorithm, const Settings &whole, const Problem &problem) {
  constexpr double visits = 50e3;
  const double all = largestTaskCount(problem);
  const auto small =
      describeProblem(algorithm, scaledSettings(whole, std::min(1.0, std::cbrt(visits / std::max(all, 1.0)))));
  small->nb = problem.nb;
  small->cut = problem.cut;
  const Distribution one;
  const DryCall call(*small->algorithm, onDistribution(*small, small->values, one), small->scalars, small->nb,
                     small->cut, 0);
  const runtime::Cost cost = runtime::predictCost(*small->algorithm, call.arguments(), one, {.isBrief = true});
  return static_cast<double>(cost.total().tasks) * all / std::max(largestTaskCount(*small), 1.0);
}

/// Bytes that a problem's nodes send.
double bytesOf(const Problem &problem, const Distribution &distribution) {
  const DryCall call(*problem.algorithm, onDistribution(problem, problem.values, distribution), problem.scalars,
                     problem.nb, problem.cut, 0);
  return static_cast<double>(runtime::predictCost(*problem.algorithm, call.arguments(), distribution, {.isBrief = true})
                                 .total()
                                 .transfers.bytes);
}

/// Lists what may be fastest: the distribution with fewest bytes, which is first, the best grid, and one row and one
/// column of nodes where they do not send too much of the smaller problem.
std::vector<Distribution> candidatesOf(const Distribution &fewestBytes, const Distribution &grid,
                                       const Problem &smaller) {
  std::vector<Distribution> result = {fewestBytes};
  const auto add = [&](const Distribution &candidate) {
    if (std::ranges::none_of(result, [&](const Distribution &each) { return each.name() == candidate.name(); }))
      result.push_back(candidate);
  };
  add(grid);
  const double most = moreBytes * bytesOf(smaller, fewestBytes);
  const std::string count = std::to_string(fewestBytes.nodes());
  for (const std::string &name : {"2dbc:1x" + count, "2dbc:" + count + "x1"})
    if (const Distribution line = distributionNamed(name); bytesOf(smaller, line) <= most)
      add(line);
  return result;
}

/// The part of the problem that is simulated, in tiles of its longest side: all, or as many fewer as leave its tiles at
/// the same places of every grid of the nodes; 0: too few are left.
double partOf(const Problem &problem, double tasks, int nodes) {
  const long side = std::max({problem.values.m, problem.values.n, problem.values.k});
  const double tiles = std::ceil(static_cast<double>(side) / problem.nb);
  double left = tiles;
  while (left > 0 && tasks * std::pow(left / tiles, 3) > mostTasksOfTrial)
    left -= nodes;
  if (left < tiles && left < fewestTilesOfNode * std::sqrt(static_cast<double>(nodes)))
    return 0;
  return 1 - (tiles - left) * problem.nb / static_cast<double>(side);
}

class TimeChoice {
public:
  TimeChoice(const runtime::Algorithm &algorithm, const Settings &whole, const Settings &part, int nodes)
      : algorithm_(algorithm), whole_(whole), part_(part), nodes_(nodes) {
    whole_.traceFile.clear();
  }

  /// The fastest on a smaller problem; the one with fewest bytes where they cannot be compared.
  Distribution fastest(const Problem &problem) const {
    const Distribution fewestBytes = chooseDistribution(problem, nodes_, Effort::Thorough).distribution;
    const double part = partOf(problem, std::max(tasksOf(algorithm_, whole_, problem), 1.0), nodes_);
    if (part <= 0)
      return fewestBytes;
    const Settings smaller = scaledSettings(whole_, part);
    const auto reduced = describeProblem(algorithm_, smaller);
    reduced->nb = problem.nb;
    reduced->cut = problem.cut;
    const std::vector<Distribution> candidates = candidatesOf(
        fewestBytes, chooseDistribution(problem, nodes_, Effort::Thorough, Family::Grid).distribution, *reduced);
    if (candidates.size() == 1)
      return fewestBytes;
    double least = HUGE_VAL;
    const Distribution *best = &candidates.front();
    for (const Distribution &candidate : candidates) {
      const double seconds = secondsOf(smaller, candidate);
      if (seconds < (best == &candidate ? least : earlier * least)) {
        least = seconds;
        best = &candidate;
      }
    }
    return *best;
  }

private:
  /// Infinite where the problem does not fit, or the distribution does not.
  double secondsOf(const Settings &settings, const Distribution &distribution) const {
    try {
      return runCluster(planCluster(algorithm_, settings, part_, distribution, nodes_), settings).seconds();
    } catch (const Error &) {
      return HUGE_VAL;
    }
  }

  const runtime::Algorithm &algorithm_;
  Settings whole_;
  const Settings &part_;
  const int nodes_;
};

} // namespace

ClusterPlan planFastestCluster(const runtime::Algorithm &algorithm, const Settings &whole, const Settings &part,
                               const WantedOwners &owners, int nodes) {
  const auto *const family = std::get_if<Family>(&owners);
  if (!family || *family != Family::Any || nodes == 1 || !whole.nodeWeights.empty() ||
      !networkOf(whole.devices.machine->profile, nodes).platform.empty())
    return planCluster(algorithm, whole, part, owners, nodes);
  const auto choose = [&](const Problem &problem) {
    return TimeChoice(algorithm, whole, part, nodes).fastest(problem);
  };
  return planCluster(algorithm, whole, part, choose, nodes);
}

} // namespace tla::host
