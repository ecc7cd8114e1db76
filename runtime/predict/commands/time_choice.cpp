#include "runtime/predict/commands/time_choice.hpp"

#include "runtime/interfaces/cost.hpp"
#include "runtime/predict/machine/profile_choice.hpp"

#include <tla/runtime/error.hpp>

#include <algorithm>
#include <cmath>

namespace tla::host {
namespace {

constexpr double moreBytes = 4;              // times the best's: such a one may have the shorter critical path
constexpr double tasksOfFirstRound = 40e3;   // of a simulation: a fraction of a second
constexpr double tasksOfSecondRound = 200e3; // more where nodes would have too few tiles
constexpr double mostOfFirstRound = 3;       // times as many, if nodes would have too few tiles
constexpr double fewestTilesOfFirst = 6;     // on a side of what a node has
constexpr double fewestTilesOfNode = 8;      // the same for a decision about large problems
constexpr std::size_t mostOfSecondRound = 3;
constexpr double nearBest = 1.15;    // of the first round's least time
constexpr double earlier = 0.99;     // of the time with fewest bytes
constexpr double mostReplayed = 4e6; // visits of tasks by nodes, thrice: a second; loops take seconds to compile

/// The number of tasks, from a smaller problem's; a task on a panel counts as often as its flops are those of a tile.
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
  const runtime::NodeCost total = cost.total();
  const double ofTile = 2.0 * problem.nb * problem.nb * problem.nb;
  return std::max(static_cast<double>(total.tasks), total.flops / ofTile) * all /
         std::max(largestTaskCount(*small), 1.0);
}

/// Tiles of the problem's longest side.
double tilesOf(const Problem &problem) {
  const long side = std::max({problem.values.m, problem.values.n, problem.values.k});
  return std::ceil(static_cast<double>(side) / problem.nb);
}

/// The part of each side that so many of its tiles are.
double partOf(const Problem &problem, double left) {
  const long side = std::max({problem.values.m, problem.values.n, problem.values.k});
  return 1 - (tilesOf(problem) - left) * problem.nb / static_cast<double>(side);
}

/// The part of the problem that the first round simulates; 0: too few tiles are left, or too many tasks.
double partOfFirst(const Problem &problem, double tasks, int nodes) {
  const double tiles = tilesOf(problem), side = std::sqrt(static_cast<double>(nodes));
  const double cheap = std::floor(tiles * std::cbrt(tasksOfFirstRound / tasks));
  const double left = std::min(tiles, std::max(cheap, std::ceil(fewestTilesOfFirst * side)));
  return tasks * std::pow(left / tiles, 3) > mostOfFirstRound * tasksOfFirstRound ? 0 : partOf(problem, left);
}

/// The part of the problem that the second round simulates: all, or so many tiles fewer that those that remain are at
/// the same places of square grids of the nodes; 0: too many tasks would be left.
double partOfSecond(const Problem &problem, double tasks, int nodes, double mostTasks) {
  const double tiles = tilesOf(problem), side = std::sqrt(static_cast<double>(nodes));
  const double step = 2 * std::ceil(side), fewest = fewestTilesOfNode * side;
  double left = tiles;
  while (left > fewest && tasks * std::pow(left / tiles, 3) > tasksOfSecondRound)
    left = std::max(left - step, fewest);
  return tasks * std::pow(left / tiles, 3) > mostTasks ? 0 : partOf(problem, std::round(left));
}

bool areEqual(const Distribution &a, const Distribution &b) { return a.name() == b.name(); }

class TimeChoice {
public:
  TimeChoice(const runtime::Algorithm &algorithm, const Settings &whole, const Settings &part, int nodes,
             double mostTasks)
      : algorithm_(algorithm), whole_(whole), part_(part), nodes_(nodes), mostTasks_(mostTasks) {
    whole_.traceFile.clear();
  }

  Distribution fastest(const Problem &problem) {
    const DistributionChoice choice = chooseDistribution(problem, nodes_, Effort::Thorough);
    const Distribution grid = chooseDistribution(problem, nodes_, Effort::Thorough, Family::Grid).distribution;
    whole_.nb = problem.nb;
    plan_ = planCounting(*describeProblem(algorithm_, part_), whole_, runtime::describeAnyDevices(whole_.devices));
    tasks_ = std::max(tasksOf(algorithm_, whole_, problem), 1.0);
    std::vector<Timed> list = candidatesOf(choice, grid);
    double part = partOfFirst(problem, tasks_, nodes_);
    if (part > 0)
      measure(list, part);
    else // too many nodes to try all
      std::erase_if(list, [&](const Timed &each) { return !isLineOrBest(each.distribution, choice, grid); });
    if (part < 1) {
      const double larger = partOfSecond(problem, tasks_, nodes_, mostTasks_);
      if (larger > part) {
        list = nearest(std::move(list), grid);
        measure(list, part = larger);
      }
    }
    return part > 0 ? best(list, part) : choice.distribution;
  }

  /// The outcome of the last round; nothing: there was none.
  std::optional<OwnersByTime> tried() const { return tried_; }

private:
  struct Timed {
    Distribution distribution;
    double seconds = HUGE_VAL;
  };

  /// The distribution that sends least is the first.
  static std::vector<Timed> candidatesOf(const DistributionChoice &choice, const Distribution &grid) {
    std::vector<Timed> list = {{choice.distribution}};
    double least = HUGE_VAL;
    for (const DistributionChoice::Candidate &each : choice.candidates)
      if (areEqual(each.distribution, choice.distribution))
        least = std::min(least, each.bytes);
    const auto add = [&list](const Distribution &candidate) {
      if (std::ranges::none_of(list, [&](const Timed &other) { return areEqual(other.distribution, candidate); }))
        list.push_back({candidate});
    };
    for (const DistributionChoice::Candidate &each : choice.candidates)
      if (each.bytes <= moreBytes * least)
        add(whollyReflected(each.distribution));
    add(grid);
    return list;
  }

  /// A grid that is reflected so that it suits one number of tiles does not suit the smaller problem's. In place of it
  /// the one that is reflected throughout, except on so few nodes that each tile counts.
  static Distribution whollyReflected(const Distribution &each) {
    constexpr int few = 4;
    const std::size_t at = each.name().find(",reflected=");
    const bool isPartly = each.nodes() > few && each.name().starts_with("2dbc:") && at != std::string::npos;
    return isPartly ? parseDistribution(each.name().substr(0, at) + ",reflected") : each;
  }

  static bool isLineOrBest(const Distribution &each, const DistributionChoice &choice, const Distribution &grid) {
    const std::string count = std::to_string(each.nodes());
    return areEqual(each, choice.distribution) || areEqual(each, grid) || each.name() == "2dbc:1x" + count ||
           each.name() == "2dbc:" + count + "x1";
  }

  /// The first, the grid, and of the others those that come near the best, a few; the first stays the first.
  static std::vector<Timed> nearest(std::vector<Timed> list, const Distribution &grid) {
    std::stable_sort(list.begin() + 1, list.end(),
                     [](const Timed &a, const Timed &b) { return a.seconds < b.seconds; });
    const double least = list.size() > 1 ? std::min(list[0].seconds, list[1].seconds) : list[0].seconds;
    std::vector<Timed> result = {list.front()};
    std::size_t others = 0;
    for (std::size_t i = 1; i < list.size(); ++i)
      if (areEqual(list[i].distribution, grid) ||
          ((list[i].seconds <= nearBest * least || std::isinf(least)) && ++others <= mostOfSecondRound))
        result.push_back(list[i]);
    return result;
  }

  void measure(std::vector<Timed> &list, double part) const {
    Settings settings = part < 1 ? scaledSettings(whole_, part) : whole_;
    if (settings.generator == GeneratorChoice::Auto && tasks_ * std::pow(part, 3) * nodes_ <= mostReplayed)
      settings.generator = GeneratorChoice::Replay;
    if (list.size() > 1)
      for (Timed &each : list)
        each.seconds = secondsOf(settings, each.distribution);
  }

  /// Infinite where the problem does not fit, or the distribution does not.
  double secondsOf(const Settings &settings, const Distribution &distribution) const {
    try {
      return runCluster(withOwners(*plan_, algorithm_, settings, distribution), settings).seconds();
    } catch (const Error &) {
      return HUGE_VAL;
    }
  }

  Distribution best(const std::vector<Timed> &list, double part) {
    const Timed *best = &list.front();
    for (const Timed &each : list)
      if (each.seconds < (best == &list.front() ? earlier : 1) * best->seconds)
        best = &each;
    if (list.size() > 1)
      tried_ = {static_cast<int>(list.size()), list.front().distribution.name(),
                std::isfinite(list.front().seconds) ? 1 - best->seconds / list.front().seconds : 1, part};
    return best->distribution;
  }

  const runtime::Algorithm &algorithm_;
  Settings whole_;
  const Settings &part_;
  const int nodes_;
  const double mostTasks_;
  std::optional<Plan> plan_; ///< plan of each node, whatever the distribution
  double tasks_ = 1;         ///< number of the problem's tasks, about
  std::optional<OwnersByTime> tried_;
};

} // namespace

ClusterPlan planFastestCluster(const runtime::Algorithm &algorithm, const Settings &whole, const Settings &part,
                               const WantedOwners &owners, int nodes, double mostTasks) {
  const auto *const family = std::get_if<Family>(&owners);
  if (!family || *family != Family::Any || nodes == 1 || !whole.nodeWeights.empty() ||
      !networkOf(whole.devices.machine->profile, nodes).platform.empty())
    return planCluster(algorithm, whole, part, owners, nodes);
  TimeChoice choice(algorithm, whole, part, nodes, mostTasks);
  const auto choose = [&](const Problem &problem) { return choice.fastest(problem); };
  ClusterPlan cluster = planCluster(algorithm, whole, part, choose, nodes);
  cluster.byTime = choice.tried();
  return cluster;
}

} // namespace tla::host
