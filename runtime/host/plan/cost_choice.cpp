#include "runtime/host/plan/cost_choice.hpp"

#include "dsl/base/text.hpp"
#include "runtime/host/problem/layout.hpp"
#include "runtime/host/problem/memory.hpp"

#include <algorithm>
#include <climits>
#include <cmath>

namespace tla::host {
namespace {
using runtime::Values;

constexpr double mostVisits = 3e9;         // tasks at most, at some 100 ns each
constexpr double bytesPerTile = 256;       // tables of storages, protocol, paths, copies
constexpr double visitsOfChoice = 200e3;   // tasks, for all candidates together
constexpr double mostVisitsOfChoice = 2e6; // for each, however many nodes
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

/// Of the caller's matrix that has most. An algorithm without one has no tiles.
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

/// The largest problem within the budget, or, for many nodes, as large as shows a square grid four times across.
Values reducedValues(const Problem &problem, std::size_t candidates, int nodes) {
  const double pattern = std::min(64 * std::pow(nodes, 1.5), mostVisitsOfChoice);
  const double budget = std::max(visitsOfChoice / double(candidates), pattern);
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

/// The flops of the node with most, in means, to a thousandth: less says nothing.
double unevenness(const runtime::Cost &cost) {
  double most = 0;
  for (const runtime::NodeCost &node : cost.nodes)
    most = std::max(most, node.flops);
  const double mean = cost.total().flops / double(cost.nodes.size());
  return mean > 0 ? std::round(1000 * most / mean) / 1000 : 1;
}

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

DryCall::DryCall(const runtime::Algorithm &algorithm, const Values &values,
                 const std::vector<runtime::ScalarValue> &scalars, int nb, Cut cut, int nodes)
    : scalars_(scalars) {
  Values sizes = values;
  sizes.scalars = scalars_.data();
  const std::vector<Grid> grids = gridsOf(algorithm, sizes, nb);
  const double visits = visitsOf(grids, cut.slices);
  if (visits > mostVisits)
    throw UsageError(format("about %.2g tasks would have to be counted, at most %.2g are; use larger tiles (--nb) or "
                            "fewer (--tiles)",
                            visits, mostVisits));
  requireMemory(tilesOf(grids) * cut.slices * (bytesPerTile + 2 * nodes / 8.0), availableBytes(),
                "use larger tiles (--nb), fewer (--tiles), or fewer nodes");
  for (int i = 0; i < algorithm.matrixCount; ++i)
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

DistributionChoice chooseDistribution(const Problem &problem, int nodes, bool symmetric) {
  DistributionChoice choice;
  const TileCounts tiles = mostTiles(gridsOf(*problem.algorithm, problem.values, problem.nb));
  std::vector<Distribution> distributions = candidateDistributions(nodes, symmetric, tiles);
  choice.reduced = reducedValues(problem, distributions.size(), nodes);
  const std::vector<Grid> grids = gridsOf(*problem.algorithm, choice.reduced, problem.nb);
  const std::vector<Distribution> candidates = candidateDistributions(nodes, symmetric, mostTiles(grids));
  int mostInUse = 0;
  for (const Distribution &candidate : candidates)
    mostInUse = std::max(mostInUse, nodesInUse(candidate, grids));
  double least = HUGE_VAL;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (nodesInUse(candidates[i], grids) < mostInUse)
      continue; // idle nodes are cheap
    const DryCall call(*problem.algorithm, onDistribution(problem, choice.reduced, candidates[i]), problem.scalars,
                       problem.nb, problem.cut, nodes);
    const runtime::Cost cost = runtime::predictCost(*problem.algorithm, call.arguments(), candidates[i]);
    const runtime::TransferCounts transfers = cost.total().transfers;
    const double weighted = double(transfers.bytes) * unevenness(cost);
    if (weighted < least) {
      choice.distribution = distributions[i];
      least = weighted;
    }
    choice.candidates.push_back({std::move(distributions[i]), transfers.bytes});
  }
  choice.reduced.scalars = nullptr;
  return choice;
}

DistributionChoice chooseDistribution(const Problem &problem, int nodes) {
  return chooseDistribution(problem, nodes, isSymmetric(problem));
}

std::vector<Distribution> contenders(const DistributionChoice &choice) {
  std::uint64_t bytes = 0;
  for (const DistributionChoice::Candidate &candidate : choice.candidates)
    if (candidate.distribution.name() == choice.distribution.name())
      bytes = candidate.bytes;
  std::vector<Distribution> result{choice.distribution};
  for (const DistributionChoice::Candidate &candidate : choice.candidates)
    if (candidate.distribution.name() != choice.distribution.name() &&
        double(candidate.bytes) <= mostOfContenders * double(bytes))
      result.push_back(candidate.distribution);
  return result;
}

} // namespace tla::host
