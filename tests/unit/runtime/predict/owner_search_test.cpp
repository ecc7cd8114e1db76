// What partitions of the graph of tiles cost is what is counted on nodes; the search finds better ones.
#include "runtime/predict/plan/owner_search.hpp"

#include "runtime/interfaces/cost.hpp"
#include "runtime/predict/plan/cost_choice.hpp"
#include "tests/unit/runtime/host/test_algorithms.hpp"

#include <tla/runtime/error.hpp>

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

namespace tla::host {
namespace {

/// A problem in tiles of 100; it refers to the algorithm.
std::unique_ptr<Problem> problemOf(const runtime::Algorithm &algorithm, long m, long n, long k) {
  Settings settings;
  settings.m = m;
  settings.n = n;
  settings.k = k;
  auto problem = describeProblem(algorithm, settings);
  problem->nb = 100;
  return problem;
}

std::vector<int> ownersOf(const Distribution &distribution, int rows, int columns) {
  std::vector<int> owners;
  for (int I = 0; I < rows; ++I)
    for (int J = 0; J < columns; ++J)
      owners.push_back(distribution.node(I, J));
  return owners;
}

Distribution named(const char *name) { return parseDistribution(name); }

/// Bytes and the share of the node with most, of distributions whose periods divide 12 x 12.
TEST(OwnerGraph, CostsWhatIsCounted) {
  const runtime::Algorithm programs[] = {test::cholesky<double>(), test::gemm<double>()};
  for (const runtime::Algorithm &algorithm : programs) {
    const auto problem = problemOf(algorithm, 1700, 1900, 1800);
    const DryCall call(algorithm, problem->values, problem->scalars, problem->nb, problem->cut, 12);
    const runtime::OwnerGraph graph = runtime::ownerGraph(algorithm, call.arguments(), 12, 12);
    for (const char *name : {"2dbc:1x1", "2dbc:2x3", "2dbc:1x4", "2dbc:3x2,reflected", "2dbc:12x1", "sbc:6"}) {
      SCOPED_TRACE(std::string(algorithm.name) + " " + name);
      const Distribution distribution = named(name);
      const OwnersCost cost = costOfOwners(graph, ownersOf(distribution, 12, 12));
      const runtime::Cost counted = runtime::predictCost(algorithm, call.arguments(), distribution);
      double most = 0;
      for (const runtime::NodeCost &node : counted.nodes)
        most = std::max(most, node.flops);
      EXPECT_EQ(cost.bytes, static_cast<double>(counted.total().transfers.bytes));
      if (most > 0) { // the kernels of some test programs do not say
        EXPECT_NEAR(cost.unevenness, most * distribution.nodes() / counted.total().flops, 1e-9);
      }
    }
  }
}

/// Four groups of tiles that have to do with each other only.
TEST(OwnerSearch, FindsGroups) {
  runtime::OwnerGraph graph{4, 4, std::vector<double>(16, 1), {}};
  for (int group = 0; group < 4; ++group)
    for (int one = 0; one < 4; ++one)
      for (int other = 0; other < one; ++other)
        graph.edges.push_back({{4 * other + group, 4 * one + group}, 100});
  std::vector<int> owners(16);
  for (int tile = 0; tile < 16; ++tile)
    owners[tile] = tile / 4;
  EXPECT_EQ(costOfOwners(graph, owners).bytes, 24 * 100);
  const std::vector<int> better = improveOwners(graph, owners, 20000, 1);
  const OwnersCost cost = costOfOwners(graph, better);
  EXPECT_EQ(cost.bytes, 0);
  EXPECT_EQ(cost.unevenness, 1);
  EXPECT_EQ(better, improveOwners(graph, owners, 20000, 1)) << "the same each time";
}

TEST(OwnerSearch, IsNeverWorseAndLeavesNoNodeWithoutTiles) {
  runtime::OwnerGraph graph{1, 5, {100, 1, 1, 1, 1}, {{{0, 1, 2, 3, 4}, 8}}};
  for (const unsigned seed : {1u, 2u, 3u}) {
    const std::vector<int> owners = improveOwners(graph, {0, 1, 2, 3, 3}, 1000, seed);
    EXPECT_EQ(std::set<int>(owners.begin(), owners.end()), (std::set<int>{0, 1, 2, 3}));
    EXPECT_LE(costOfOwners(graph, owners).weighted(), costOfOwners(graph, {0, 1, 2, 3, 3}).weighted());
  }
}

/// Nodes that are due 1 : 1 : 2 get tiles and work so, from whatever they begin with.
TEST(OwnerSearch, SharesByWeight) {
  runtime::OwnerGraph graph{4, 4, std::vector<double>(16, 1), {}};
  const std::vector<int> weights = {1, 1, 2};
  std::vector<int> owners(16, 2);
  owners[0] = 0;
  owners[1] = 1;
  for (int tile = 1; tile < 16; ++tile)
    graph.edges.push_back({{tile - 1, tile}, 1e-3}); // else nothing is sent, and nothing to be had
  EXPECT_DOUBLE_EQ(costOfOwners(graph, owners, weights).unevenness, 14.0 / 8);
  EXPECT_DOUBLE_EQ(costOfOwners(graph, owners).unevenness, 14.0 / (16.0 / 3));
  std::vector<int> even(16, 2);
  for (int tile = 0; tile < 8; ++tile)
    even[tile] = tile / 4;
  EXPECT_DOUBLE_EQ(costOfOwners(graph, even, weights).unevenness, 1);

  const runtime::Algorithm cholesky = test::cholesky<double>();
  const auto problem = problemOf(cholesky, 0, 3000, 0);
  const Distribution from = named("weighted:1:1:2:4");
  const Distribution found = searchOwners(*problem, from, 300'000, "file:found");
  const DryCall call(cholesky, problem->values, problem->scalars, problem->nb, problem->cut, 4);
  const runtime::Cost before = runtime::predictCost(cholesky, call.arguments(), from),
                      after = runtime::predictCost(cholesky, call.arguments(), found);
  EXPECT_LT(after.total().transfers.bytes, before.total().transfers.bytes);
  EXPECT_EQ(searchOwners(*problem, named("weighted:3:200:1"), 1000, "file:all").nodes(), 3) << "of any weights";
  const int due[] = {1, 1, 2, 4};
  for (int node = 0; node < 4; ++node)
    EXPECT_LT(after.nodes[node].flops / after.total().flops, 1.1 * due[node] / 8.0) << node;
}

/// On numbers of nodes that have no symmetric block cyclic distribution, for one triangle.
TEST(OwnerSearch, BeatsClosedForms) {
  const runtime::Algorithm cholesky = test::cholesky<double>();
  const auto problem = problemOf(cholesky, 0, 3000, 0);
  const DistributionChoice choice = chooseDistribution(*problem, 7, Effort::Thorough);
  const Distribution found = searchOwners(*problem, choice.distribution, 300'000, "file:found");
  EXPECT_EQ(found.name(), "file:found");
  EXPECT_EQ(found.nodes(), 7);
  const DryCall call(cholesky, problem->values, problem->scalars, problem->nb, problem->cut, 7);
  const auto bytes = [&](const Distribution &distribution) {
    return runtime::predictCost(cholesky, call.arguments(), distribution).total().transfers.bytes;
  };
  EXPECT_LT(bytes(found), 0.8 * bytes(choice.distribution));
  EXPECT_THROW(searchOwners(*problem, Distribution(), 10, "file:none"), UsageError);
}

} // namespace
} // namespace tla::host
