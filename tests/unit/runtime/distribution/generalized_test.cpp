// Block cyclic for any number of nodes: all have as many tiles, and rows and columns of tiles few nodes.
#include "runtime/distribution/generalized.hpp"

#include "distributions.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace tla {

namespace {

std::vector<int> tilesByNode(const Distribution &distribution) {
  std::vector<int> tiles(distribution.nodes());
  for (int I = 0; I < distribution.rows(); ++I)
    for (int J = 0; J < distribution.columns(); ++J)
      ++tiles[distribution.node(I, J)];
  return tiles;
}

/// Most nodes of a row (false: column) of tiles.
std::size_t mostNodes(const Distribution &distribution, bool rows) {
  std::size_t most = 0;
  for (int one = 0; one < (rows ? distribution.rows() : distribution.columns()); ++one) {
    std::set<int> nodes;
    for (int other = 0; other < (rows ? distribution.columns() : distribution.rows()); ++other)
      nodes.insert(rows ? distribution.node(one, other) : distribution.node(other, one));
    most = std::max(most, nodes.size());
  }
  return most;
}

TEST(GeneralizedBlockCyclic, SharesTilesEvenlyAmongFewNodesOfEachRowAndColumn) {
  for (int nodes = 1; nodes <= mostGeneralizedNodes; ++nodes)
    for (const Distribution &distribution : {generalizedBlockCyclic(nodes), balancedGeneralized(nodes, {20, 33})}) {
      SCOPED_TRACE(distribution.name());
      EXPECT_EQ(distribution.nodes(), nodes);
      const std::vector<int> tiles = tilesByNode(distribution);
      EXPECT_EQ(*std::min_element(tiles.begin(), tiles.end()), *std::max_element(tiles.begin(), tiles.end()));
      const auto side = static_cast<std::size_t>(std::ceil(std::sqrt(nodes)));
      EXPECT_LE(mostNodes(distribution, true), side);
      EXPECT_LE(mostNodes(distribution, false), (nodes + side - 1) / side);
      EXPECT_LE(distribution.rows() * distribution.columns(), maxFileEntries);
    }
}

/// The paper's construction for 5 nodes in places 0 1 2 / 3 4 -: one copy, whose last row borrows 2.
TEST(GeneralizedBlockCyclic, OfFiveNodes) {
  const Distribution five = generalizedBlockCyclic(5);
  const int expected[2][5] = {{0, 1, 2, 0, 1}, {3, 4, 2, 3, 4}};
  ASSERT_EQ(five.rows(), 2);
  ASSERT_EQ(five.columns(), 5);
  for (int I = 0; I < 2; ++I)
    for (int J = 0; J < 5; ++J)
      EXPECT_EQ(five.node(I, J), expected[I][J]);
}

TEST(GeneralizedBlockCyclic, ThereAndBackEndsWithTheMatrix) {
  const TileCounts tiles{31, 45};
  const Distribution balanced = balancedGeneralized(7, tiles);
  for (int I = 0; I < balanced.rows() / 2; ++I)
    for (int J = 0; J < balanced.columns() / 2; ++J) {
      const int node = balanced.node(tiles.rows + I, tiles.columns + J);
      EXPECT_EQ(node, balanced.node(tiles.rows + balanced.rows() - 1 - I, tiles.columns + J));
      EXPECT_EQ(node, balanced.node(tiles.rows + I, tiles.columns + balanced.columns() - 1 - J));
    }
}

TEST(GeneralizedBlockCyclic, IsTheGridWhereThereIsOne) {
  EXPECT_FALSE(isGeneralized(6));
  EXPECT_TRUE(isGeneralized(7));
  EXPECT_EQ(generalizedBlockCyclic(12), Distribution::blockCyclic(3, 4));
  EXPECT_EQ(balancedGeneralized(12, {20, 21}), Distribution::balanced(3, 4, {20, 21}));
}

} // namespace

} // namespace tla
