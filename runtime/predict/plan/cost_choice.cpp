#include "runtime/predict/plan/cost_choice.hpp"

#include "dsl/base/text.hpp"
#include "runtime/core/passes/in_parallel.hpp"
#include "runtime/distribution/generalized.hpp"
#include "runtime/host/problem/layout.hpp"
#include "runtime/host/problem/memory.hpp"

#include <algorithm>
#include <climits>
#include <cmath>
#include <functional>

namespace tla::host {
namespace {
using runtime::Values;

constexpr double mostVisits = 3e9;         // tasks at most, at some 100 ns each
constexpr double bytesPerTile = 256;       // tables of storages, protocol, paths, copies
constexpr double visitsOfChoice = 200e3;   // tasks, for all candidates together
constexpr double mostVisitsOfChoice = 2e6; // for each, however many nodes
constexpr double mostTasksOfChoice = 2e6;  // of a thorough one, at some 400 ns each
constexpr double nearby = 1.25;            // of the best: may be better when counted on the problem itself
constexpr double mostOfContenders = 1.125; // bytes, in those of the choice

struct Grid {
  double down, across;
  bool workspace;
};

std::vector<Grid> gridsOf(const runtime::Algorithm &algorithm, const Values &values, int nb) {
  std::vector<Grid> grids;
  for (int i = 0; i < algorithm.matrixCount; ++i) {
    const runtime::MatrixParameter &parameter = algorithm.matrices[i];
    if (const runtime::WorkspaceShape *const shape = parameter.workspace)
      grids.push_back({double(shape->tilesDown(values, nb)), double(shape->tilesAcross(values, nb)), true});
    else
      grids.push_back(
          {std::ceil(double(parameter.rows(values)) / nb), std::ceil(double(parameter.cols(values)) / nb), false});
  }
  return grids;
}

double tilesOf(const std::vector<Grid> &grids) {
  double tiles = 0;
  for (const Grid &grid : grids)
    tiles += grid.down * grid.across;
  return tiles;
}

/// The tile counts of the caller's matrix that has most. An algorithm without one has no tiles.
TileCounts mostTiles(const std::vector<Grid> &grids) {
  Grid most{0, 0, false};
  for (const Grid &grid : grids)
    if (!grid.workspace && grid.down * grid.across > most.down * most.across)
      most = grid;
  const auto bounded = [](double tiles) { return static_cast<int>(std::min<double>(tiles, INT_MAX)); };
  return {bounded(most.down), bounded(most.across)};
}

/// No algorithm here has more than a few tasks per tile and step, nor more steps than the shorter side of a matrix. On
/// slices there are as many times more tiles, and steps.
double visitsOf(const std::vector<Grid> &grids, int slices) {
  double steps = 1;
  for (const Grid &grid : grids)
    steps = std::max(steps, std::min(grid.down, grid.across));
  return tilesOf(grids) * steps * slices * slices;
}

/// The sizes in so many tiles per `whole` tiles of the problem, but no size below one tile or what it is.
Values scaled(const Values &values, int nb, double part) {
  const auto size = [&](long elements) {
    const double tiles = std::ceil(double(elements) / nb);
    return std::min(elements, static_cast<long>(std::max(1.0, std::round(tiles * part))) * nb);
  };
  Values result = values;
  result.m = size(values.m);
  result.n = size(values.n);
  result.k = size(values.k);
  return result;
}

/// The largest problem of these proportions with no more visits than the budget; the problem itself if it can be.
Values reducedValues(const Problem &problem, double budget) {
  const auto fits = [&](const Values &values) {
    return visitsOf(gridsOf(*problem.algorithm, values, problem.nb), problem.cut.slices) <= budget;
  };
  if (fits(problem.values))
    return problem.values;
  double low = 0, high = 1; // part of the problem's tiles
  for (int step = 0; step < 20; ++step) {
    const double middle = (low + high) / 2;
    (fits(scaled(problem.values, problem.nb, middle)) ? low : high) = middle;
  }
  return scaled(problem.values, problem.nb, low);
}

/// The visits that a quick choice makes for each candidate. Many nodes need a problem that shows a square grid of them
/// four times across.
double quickBudget(std::size_t candidates, int nodes) {
  const double pattern = std::min(64 * std::pow(nodes, 1.5), mostVisitsOfChoice);
  return std::max(visitsOfChoice / double(candidates), pattern);
}

} // namespace

double unevenness(const runtime::Cost &cost) {
  double most = 0;
  for (const runtime::NodeCost &node : cost.nodes)
    most = std::max(most, node.flops);
  const double mean = cost.total().flops / double(cost.nodes.size());
  return mean > 0 ? std::round(1000 * most / mean) / 1000 : 1;
}

namespace {

/// The nodes that own a tile of some matrix.
int nodesInUse(const Distribution &distribution, const std::vector<Grid> &grids) {
  std::vector<bool> seen(distribution.nodes());
  int count = 0;
  for (const Grid &grid : grids)
    for (int I = 0; I < std::min<double>(grid.down, distribution.rows()); ++I)
      for (int J = 0; J < std::min<double>(grid.across, distribution.columns()) && count < distribution.nodes(); ++J)
        if (!seen[distribution.node(I, J)]) {
          seen[distribution.node(I, J)] = true;
          ++count;
        }
  return count;
}

} // namespace

double largestTaskCount(const Problem &problem) {
  return visitsOf(gridsOf(*problem.algorithm, problem.values, problem.nb), problem.cut.slices);
}

/// The share of a sparse matrix's tiles that are there; 1: all.
static double shareOfTiles(const runtime::Algorithm &algorithm, const std::vector<StorageRef> &storages) {
  double share = 0;
  for (std::size_t i = 0; i < storages.size(); ++i) {
    const Storage &storage = *storages[i];
    if (algorithm.matrices[i].workspace)
      continue;
    if (!storage.hasPattern())
      return 1;
    double tiles = 0;
    for (int j = 0; j < storage.nt(); ++j)
      for (int k = 0; k < storage.mt(); ++k)
        tiles += storage.stores(k, j);
    share = std::max(share, tiles / std::max(1.0, double(storage.mt()) * storage.nt()));
  }
  return share;
}

DryCall::DryCall(const runtime::Algorithm &algorithm, const Values &values,
                 const std::vector<runtime::ScalarValue> &scalars, int nb, Cut cut, int nodes)
    : scalars_(scalars) {
  Values sizes = values;
  sizes.scalars = scalars_.data();
  const std::vector<Grid> grids = gridsOf(algorithm, sizes, nb);
  constexpr double mostSparse = 1 << 25; // of more tiles the tables alone take too long: they count as all there
  const bool isSparse = sizes.patterns && tilesOf(grids) * cut.slices <= mostSparse;
  for (int i = 0; i < algorithm.matrixCount && isSparse; ++i)
    storages_.push_back(describeStorage(algorithm.matrices[i], sizes, nb, cut));
  const double visits = visitsOf(grids, cut.slices) * (isSparse ? shareOfTiles(algorithm, storages_) : 1);
  if (visits > mostVisits)
    throw UsageError(format("about %.2g tasks would have to be counted, at most %.2g are; use larger tiles (--nb) or "
                            "fewer (--tiles)",
                            visits, mostVisits));
  requireMemory(tilesOf(grids) * cut.slices * (bytesPerTile + 2 * nodes / 8.0), availableBytes(),
                "use larger tiles (--nb), fewer (--tiles), or fewer nodes");
  for (int i = static_cast<int>(storages_.size()); i < algorithm.matrixCount; ++i)
    storages_.push_back(describeStorage(algorithm.matrices[i], sizes, nb, cut));
  for (const StorageRef &storage : storages_)
    pointers_.push_back(&*storage);
}

bool isSymmetric(const Problem &problem) {
  bool symmetric = false;
  for (const ProblemMatrix &matrix : problem.matrices) {
    const bool vectors = std::min(matrix.extent.rows, matrix.extent.columns) <= problem.nb;
    if (matrix.parameter->shape != Shape::General)
      symmetric = true;
    else if (!vectors)
      return false;
  }
  return symmetric;
}

namespace {

/// A candidate, counted on a problem of the same proportions.
struct Estimate {
  std::size_t candidate; ///< index in Chooser::candidates()
  double bytes;          ///< bytes sent on the problem
  double unevenness;     ///< unevenness on the problem
  double tasks;          ///< number of tasks that were counted
  double weighted() const { return bytes * unevenness; }
};

class Chooser {
public:
  Chooser(const Problem &problem, int nodes, Family family)
      : problem_(problem), nodes_(nodes), family_(family), whole_(grids(problem.values)) {}

  DistributionChoice choose(Effort effort) {
    const std::vector<Distribution> all = candidates(whole_);
    Values counted = reducedValues(problem_, quickBudget(all.size(), nodes_));
    std::vector<Estimate> estimates = estimate(counted, inUse(counted));
    const std::vector<std::size_t> close = nearBest(estimates);
    if (effort == Effort::Thorough && close.size() > 1) {
      const Values larger =
          reducedValues(problem_, visitsFor(mostTasksOfChoice / double(close.size()), counted, estimates));
      if (visits(larger) > 2 * visits(counted)) {
        counted = larger;
        replace(estimate(counted, close), estimates);
      }
    }
    DistributionChoice choice;
    const Estimate *best = nullptr;
    for (const Estimate &each : estimates) {
      choice.candidates.push_back({all[each.candidate], each.bytes});
      if (isAmong(each, close) && (!best || each.weighted() < best->weighted()))
        best = &each;
    }
    if (best)
      choice.distribution = all[best->candidate];
    choice.counted = counted;
    choice.counted.scalars = nullptr;
    return choice;
  }

private:
  std::vector<Grid> grids(const Values &values) const { return gridsOf(*problem_.algorithm, values, problem_.nb); }
  double visits(const Values &values) const { return visitsOf(grids(values), problem_.cut.slices); }
  std::vector<Distribution> candidates(const std::vector<Grid> &grids) const {
    const TileCounts tiles = mostTiles(grids);
    if (family_ == Family::Generalized)
      return {generalizedBlockCyclic(nodes_), balancedGeneralized(nodes_, tiles)};
    std::vector<Distribution> all =
        candidateDistributions(nodes_, family_ == Family::Any && isSymmetric(problem_), tiles);
    if (const int copies = problem_.algorithm->copies(); copies > 1 && nodes_ % copies == 0) {
      const TileCounts blocks{(tiles.rows + copies - 1) / copies, (tiles.columns + copies - 1) / copies};
      const bool symmetric = family_ == Family::Any && isSymmetric(problem_);
      for (const Distribution &grid : candidateDistributions(nodes_ / copies, symmetric, blocks))
        all.push_back(Distribution::replicated(grid, copies));
    }
    if (family_ == Family::Grid)
      std::erase_if(all, [](const Distribution &each) { return !each.name().starts_with("2dbc:"); });
    return all;
  }

  /// The candidates that leave the fewest nodes idle: idle nodes are cheap.
  std::vector<std::size_t> inUse(const Values &values) const {
    const std::vector<Grid> grids = this->grids(values);
    std::vector<int> used;
    for (const Distribution &candidate : candidates(grids))
      used.push_back(nodesInUse(candidate, grids));
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < used.size(); ++i)
      if (used[i] == *std::max_element(used.begin(), used.end()))
        result.push_back(i);
    return result;
  }

  std::vector<Estimate> estimate(const Values &values, const std::vector<std::size_t> &which) const {
    const double side = sideOf(values);
    std::vector<Estimate> result = count(values, which);
    if (side == 1)
      return result;
    // Bytes per tile approach their limit with the inverse of the side, which two sizes show.
    const Values half = scaled(problem_.values, problem_.nb, side / 2);
    const std::vector<Estimate> before = count(half, which);
    const double step = side / sideOf(half);
    for (std::size_t i = 0; i < result.size(); ++i) {
      Estimate &each = result[i];
      if (step > 1) {
        const double limit = std::max(0.0, (step * each.bytes - before[i].bytes) / (step - 1));
        each.bytes = limit + (each.bytes - limit) * side;
      }
      each.unevenness = 1 + (each.unevenness - 1) * side;
    }
    return result;
  }

  /// As a part of the problem's, which may have no tiles.
  double sideOf(const Values &values) const {
    const double all = tilesOf(whole_);
    return all > 0 ? std::sqrt(tilesOf(grids(values)) / all) : 1;
  }

  /// The estimate of the problem that has the counted bytes per tile.
  std::vector<Estimate> count(const Values &values, const std::vector<std::size_t> &which) const {
    const std::vector<Grid> grids = this->grids(values);
    const double part = std::pow(sideOf(values), 2);
    const std::vector<Distribution> distributions = candidates(grids);
    std::vector<Estimate> result(which.size());
    runtime::drawInParallel(static_cast<int>(which.size()), [&](const std::function<int()> &next) {
      for (int drawn = next(); drawn >= 0; drawn = next()) {
        const std::size_t i = which[drawn];
        const DryCall call(*problem_.algorithm, onDistribution(problem_, values, distributions[i]), problem_.scalars,
                           problem_.nb, problem_.cut, nodes_);
        const runtime::Cost cost =
            runtime::predictCost(*problem_.algorithm, call.arguments(), distributions[i], {.isBrief = true});
        const runtime::NodeCost total = cost.total();
        result[drawn] = {i, double(total.transfers.bytes) / part, unevenness(cost), double(total.tasks)};
      }
    });
    return result;
  }

  static std::vector<std::size_t> nearBest(const std::vector<Estimate> &estimates) {
    double least = HUGE_VAL;
    for (const Estimate &each : estimates)
      least = std::min(least, each.weighted());
    std::vector<std::size_t> result;
    for (const Estimate &each : estimates)
      if (each.weighted() <= nearby * least)
        result.push_back(each.candidate);
    return result;
  }

  static bool isAmong(const Estimate &estimate, const std::vector<std::size_t> &which) {
    return std::find(which.begin(), which.end(), estimate.candidate) != which.end();
  }

  /// visits() is rather too large a number of tasks, by a factor that one count has shown.
  double visitsFor(double tasks, const Values &counted, const std::vector<Estimate> &estimates) const {
    return tasks * visits(counted) / std::max(estimates.front().tasks, 1.0);
  }

  static void replace(const std::vector<Estimate> &by, std::vector<Estimate> &estimates) {
    for (const Estimate &better : by)
      for (Estimate &each : estimates)
        if (each.candidate == better.candidate)
          each = better;
  }

  const Problem &problem_;
  const int nodes_;
  const Family family_;
  const std::vector<Grid> whole_;
};

} // namespace

DistributionChoice chooseDistribution(const Problem &problem, int nodes, Effort effort, Family family) {
  return Chooser(problem, nodes, family).choose(effort);
}

std::vector<Distribution> contenders(const DistributionChoice &choice) {
  double bytes = 0;
  for (const DistributionChoice::Candidate &candidate : choice.candidates)
    if (candidate.distribution.name() == choice.distribution.name())
      bytes = candidate.bytes;
  std::vector<Distribution> result{choice.distribution};
  for (const DistributionChoice::Candidate &candidate : choice.candidates)
    if (candidate.distribution.name() != choice.distribution.name() && candidate.bytes <= mostOfContenders * bytes)
      result.push_back(candidate.distribution);
  return result;
}

} // namespace tla::host
