#include "runtime/predict/plan/owner_search.hpp"

#include "dsl/base/text.hpp"
#include "runtime/distribution/dealing.hpp"
#include "runtime/distribution/weighted.hpp"
#include "runtime/predict/plan/cost_choice.hpp"

#include <tla/runtime/error.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <set>

namespace tla::host {

namespace {

using runtime::OwnerGraph;

// Of the weighted bytes, what a step that is accepted with probability 1 / e may lose: at the beginning, at the end.
constexpr double warmest = 3e-3, coldest = 1e-5;
constexpr double exchanges = 0.9; // of the steps; the others move one tile

constexpr double tilesOfNode = 20; // in a square period
constexpr int longestSquare = 64;
constexpr double mostTiles = 65'535; // of a period
constexpr double mostBytes = 2e9;    // of Division

int nodesOf(const std::vector<int> &owners) { return 1 + *std::max_element(owners.begin(), owners.end()); }

/// The share of the work that each node is due; without weights all have the same.
std::vector<double> sharesOf(const std::vector<int> &weights, int nodes) {
  assert(weights.empty() || static_cast<int>(weights.size()) == nodes);
  if (weights.empty())
    return std::vector<double>(nodes, 1.0 / nodes);
  const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<double> shares;
  for (const int weight : weights)
    shares.push_back(weight / all);
  return shares;
}

/// A partition and what it costs, kept up to date.
class Division {
public:
  Division(const OwnerGraph &graph, std::vector<int> owners, const std::vector<int> &weights)
      : graph_(graph), owners_(std::move(owners)), nodes_(nodesOf(owners_)), shares_(sharesOf(weights, nodes_)),
        edgesOf_(owners_.size()), present_(graph.edges.size() * nodes_), tiles_(nodes_), flops_(nodes_) {
    for (std::size_t tile = 0; tile < owners_.size(); ++tile) {
      ++tiles_[owners_[tile]];
      flops_[owners_[tile]] += graph.flops[tile];
      all_ += graph.flops[tile];
    }
    for (std::size_t edge = 0; edge < graph.edges.size(); ++edge) {
      bytes_ -= graph.edges[edge].bytes;
      for (const int tile : graph.edges[edge].tiles) {
        edgesOf_[tile].push_back(static_cast<int>(edge));
        bytes_ += ++present(edge, owners_[tile]) == 1 ? graph.edges[edge].bytes : 0;
      }
    }
  }

  int nodes() const { return nodes_; }
  const std::vector<int> &owners() const { return owners_; }
  int tilesOf(int node) const { return tiles_[node]; }
  OwnersCost cost() const {
    double most = 0;
    for (int node = 0; node < nodes_; ++node)
      most = std::max(most, flops_[node] / shares_[node]);
    return {bytes_, all_ > 0 ? most / all_ : 1};
  }

  void move(int tile, int node) {
    const int before = owners_[tile];
    for (const int edge : edgesOf_[tile]) {
      const double bytes = graph_.edges[edge].bytes;
      bytes_ -= --present(edge, before) == 0 ? bytes : 0;
      bytes_ += ++present(edge, node) == 1 ? bytes : 0;
    }
    --tiles_[before];
    ++tiles_[node];
    flops_[before] -= graph_.flops[tile];
    flops_[node] += graph_.flops[tile];
    owners_[tile] = node;
  }

private:
  /// How many tiles of the edge a node has.
  std::uint16_t &present(std::size_t edge, int node) { return present_[edge * nodes_ + node]; }

  const OwnerGraph &graph_;
  std::vector<int> owners_;
  const int nodes_;
  const std::vector<double> shares_;      // of the work, by node
  std::vector<std::vector<int>> edgesOf_; // by tile
  std::vector<std::uint16_t> present_;    // of each edge by node
  std::vector<int> tiles_;                // by node
  std::vector<double> flops_;             // by node
  double bytes_ = 0, all_ = 0;
};

/// One step, and how to take it back.
class Step {
public:
  Step(const Division &partition, std::mt19937 &random) {
    const auto below = [&](std::size_t count) { return static_cast<int>(random() % count); };
    one_ = below(partition.owners().size());
    before_ = partition.owners()[one_];
    if (random() < exchanges * std::mt19937::max()) {
      other_ = below(partition.owners().size());
      after_ = partition.owners()[other_];
    } else {
      after_ = partition.tilesOf(before_) > 1 ? below(partition.nodes()) : before_;
    }
  }
  bool isNothing() const { return before_ == after_; }
  void take(Division &partition) const {
    partition.move(one_, after_);
    if (other_ >= 0)
      partition.move(other_, before_);
  }
  void takeBack(Division &partition) const {
    partition.move(one_, before_);
    if (other_ >= 0)
      partition.move(other_, after_);
  }

private:
  int one_, other_ = -1; // tiles
  int before_, after_;   // owners of `one_`
};

} // namespace

OwnersCost costOfOwners(const OwnerGraph &graph, const std::vector<int> &owners, const std::vector<int> &weights) {
  return Division(graph, owners, weights).cost();
}

std::vector<int> improveOwners(const OwnerGraph &graph, std::vector<int> owners, long steps, unsigned seed,
                               const std::vector<int> &weights) {
  Division partition(graph, std::move(owners), weights);
  std::mt19937 random(seed);
  std::vector<int> best = partition.owners();
  double present = partition.cost().weighted(), least = present;
  for (long number = 0; number < steps; ++number) {
    const Step step(partition, random);
    if (step.isNothing())
      continue;
    const double heat = warmest * std::pow(coldest / warmest, static_cast<double>(number) / steps);
    step.take(partition);
    const double cost = partition.cost().weighted();
    const double chance = random() / static_cast<double>(std::mt19937::max());
    if (cost > present && chance >= std::exp((present - cost) / (heat * present))) {
      step.takeBack(partition);
      continue;
    }
    present = cost;
    if (cost < least) {
      least = cost;
      best = partition.owners();
    }
  }
  return best;
}

namespace {

struct Table {
  int rows, columns;
  std::vector<int> owners; ///< row by row

  double tiles() const { return static_cast<double>(rows) * columns; }
};

Table tableOf(const Distribution &distribution) {
  Table table{distribution.rows(), distribution.columns(), {}};
  for (int I = 0; I < table.rows; ++I)
    for (int J = 0; J < table.columns; ++J)
      table.owners.push_back(distribution.node(I, J));
  return table;
}

/// Nodes of small weights may have none of its tiles.
Table squareTable(const std::vector<int> &weights) {
  const int side = static_cast<int>(std::ceil(std::sqrt(tilesOfNode * static_cast<double>(weights.size()))));
  Table table{side, side, {}};
  const std::vector<int> order = dealByWeights(weights);
  for (int tile = 0; tile < side * side; ++tile)
    table.owners.push_back(order[tile % order.size()]);
  return table;
}

bool hasAll(const Table &table, int nodes) {
  const std::set<int> present(table.owners.begin(), table.owners.end());
  return static_cast<int>(present.size()) == nodes;
}

/// Improves the table and says what it costs; nothing where that takes too much memory.
std::optional<double> improve(Table &table, const Problem &problem, const runtime::Arguments &arguments, long steps,
                              const std::vector<int> &weights) {
  if (table.tiles() > mostTiles)
    return std::nullopt;
  const OwnerGraph graph = runtime::ownerGraph(*problem.algorithm, arguments, table.rows, table.columns);
  if (2.0 * graph.edges.size() * nodesOf(table.owners) > mostBytes)
    return std::nullopt;
  table.owners = improveOwners(graph, std::move(table.owners), steps, 1, weights);
  return costOfOwners(graph, table.owners, weights).weighted();
}

} // namespace

Distribution searchOwners(const Problem &problem, const Distribution &from, long steps, const std::string &name) {
  if (from.nodes() == 1)
    throw UsageError("--improve: one node has all tiles");
  if (from.copies() > 1)
    throw UsageError("--improve: a table has each node once, and " + from.name() + " has copies of them");
  const DryCall call(*problem.algorithm, problem.values, problem.scalars, problem.nb, problem.cut, from.nodes());
  std::vector<int> weights = weightsOf(from).weights;
  if (weights.empty())
    weights.assign(from.nodes(), 1);
  std::vector<Table> tables{tableOf(from)};
  if (Table square = squareTable(weights); square.rows <= longestSquare && hasAll(square, from.nodes()))
    tables.push_back(std::move(square));
  const Table *best = nullptr;
  double least = HUGE_VAL;
  for (Table &table : tables)
    if (const std::optional<double> cost = improve(table, problem, call.arguments(), steps, weights);
        cost && *cost < least) {
      best = &table;
      least = *cost;
    }
  if (!best)
    throw UsageError(
        format("--improve: a period of %d x %d tiles on %d nodes is too large to be searched; give fewer tiles",
               from.rows(), from.columns(), from.nodes()));
  return Distribution::table(best->rows, best->columns, best->owners, name);
}

} // namespace tla::host
