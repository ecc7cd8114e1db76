// Who owns what.
#include "distributions.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace tla {

namespace {
TEST(BlockCyclic, IsRowMajor) {
  const Distribution grid = Distribution::blockCyclic(2, 3);
  EXPECT_EQ(grid.nodes(), 6);
  EXPECT_EQ(grid.node(0, 0), 0);
  EXPECT_EQ(grid.node(0, 4), 1);
  EXPECT_EQ(grid.node(3, 2), 5);
  EXPECT_EQ(grid.coordinates(5), (Distribution::Coordinates{1, 2}));
  EXPECT_EQ(grid.name(), "2dbc:2x3");
}

TEST(BlockCyclic, VirtualTilesStandTogether) {
  const Distribution grid = Distribution::blockCyclic(2, 2, 3);
  EXPECT_EQ(grid.rows(), 6);
  EXPECT_EQ(grid.columns(), 2);
  const int rows[] = {0, 0, 0, 2, 2, 2, 0};
  for (int I = 0; I < 7; ++I)
    EXPECT_EQ(grid.node(I, 0), rows[I]) << I;
  EXPECT_EQ(grid.name(), "2dbc:2x2,v=3");
}

TEST(Copies, StandBehindEachOther) {
  const Distribution whole = Distribution::replicated(Distribution::blockCyclic(2, 2), 3);
  EXPECT_EQ(whole.nodes(), 12);
  EXPECT_EQ(whole.copies(), 3);
  EXPECT_EQ(whole.period().columns, 6);
  std::set<int> owners; // of a matrix
  EXPECT_EQ(whole.period().rows, 6);
  for (int I = 0; I < 6; ++I)
    for (int J = 0; J < 6; ++J)
      owners.insert(whole.node(I, J));
  EXPECT_EQ(owners.size(), 12u);
  for (int copy = 0; copy < 3; ++copy)
    for (int I = 0; I < 12; ++I)
      for (int J = 0; J < 12; ++J) {
        const int inGrid = I / 3 % 2 * 2 + J / 3 % 2;
        EXPECT_EQ(whole.ofCopy(copy).node(I, J), inGrid + 4 * ((J + copy) % 3)) << I << ", " << J;
        EXPECT_EQ(whole.node(I, J, /*byRows=*/true), inGrid + 4 * (I % 3)) << I << ", " << J;
        EXPECT_EQ(Distribution::blockCyclic(2, 2).node(I, J, /*byRows=*/true), I % 2 * 2 + J % 2) << "they stand once";
      }
  EXPECT_EQ(whole.coordinates(7), (Distribution::Coordinates{1, 3}));
  EXPECT_NE(whole, whole.ofCopy(1));
  EXPECT_EQ(Distribution::replicated(Distribution::blockCyclic(2, 2), 1), Distribution::blockCyclic(2, 2));
}

/// Node rows, or columns, of tile rows, or columns, 0 ..
std::vector<int> dealt(const Distribution &distribution, int tiles, bool rows) {
  std::vector<int> dealt;
  for (int at = 0; at < tiles; ++at) {
    const Distribution::Coordinates node =
        distribution.coordinates(rows ? distribution.node(at, 0) : distribution.node(0, at));
    dealt.push_back(rows ? node.x : node.y);
  }
  return dealt;
}

TEST(Reflected, GoesThereAndBack) {
  const Distribution grid = Distribution::reflected(2, 3);
  EXPECT_EQ(dealt(grid, 9, true), (std::vector{0, 1, 1, 0, 0, 1, 1, 0, 0}));
  EXPECT_EQ(dealt(grid, 13, false), (std::vector{0, 1, 2, 2, 1, 0, 0, 1, 2, 2, 1, 0, 0}));
  EXPECT_EQ(grid.node(1, 2), 5);
  EXPECT_EQ(grid.name(), "2dbc:2x3,reflected");
}

TEST(Reflected, TheFirstRoundMayBeShort) {
  const Distribution grid = Distribution::reflected(2, 3, {3, 4});
  EXPECT_EQ(dealt(grid, 6, true), (std::vector{0, 0, 1, 1, 0, 0}));
  EXPECT_EQ(dealt(grid, 8, false), (std::vector{1, 0, 0, 1, 2, 2, 1, 0}));
  EXPECT_EQ(grid.name(), "2dbc:2x3,reflected=3:4");
  EXPECT_EQ(Distribution::reflected(2, 3, {7, 10}), grid);
  EXPECT_EQ(dealt(Distribution::reflected(2, 1, {1, 0}, 3), 9, true), (std::vector{1, 1, 1, 1, 1, 1, 0, 0, 0}));
}

TEST(Reflected, IsPlainWhereThereIsNoWayBack) {
  EXPECT_EQ(Distribution::reflected(1, 1).name(), "2dbc:1x1");
  EXPECT_EQ(Distribution::reflected(1, 4, {1, 3}).name(), "2dbc:1x4,reflected=0:3");
  EXPECT_EQ(Distribution::reflected(1, 4).rows(), 1);
}

TEST(Reflected, EqualsItsTable) {
  const Distribution grid = Distribution::reflected(1, 3, {0, 1});
  EXPECT_EQ(grid, Distribution::table(1, 6, {1, 2, 2, 1, 0, 0}, "file:table"));
  EXPECT_FALSE(grid == Distribution::table(1, 6, {1, 2, 2, 0, 1, 0}, "file:table"));
  EXPECT_EQ(grid.distinctColumns(), 3);
}

/// The fullest node has hardly more than its share of tiles that have the more work the further down and right they
/// are, as in LU, whatever the matrix' size, and never more than without.
TEST(Balanced, SharesTheWorkOfAFactorization) {
  const auto excess = [](const Distribution &distribution, int tiles) {
    std::vector<double> work(distribution.nodes());
    for (int I = 0; I < tiles; ++I)
      for (int J = 0; J < tiles; ++J)
        work[distribution.node(I, J)] += 2 * std::min(I, J) + 1;
    const double all = std::accumulate(work.begin(), work.end(), 0.0);
    return *std::max_element(work.begin(), work.end()) * distribution.nodes() / all - 1;
  };
  for (const auto &[P, Q] : {std::pair{1, 2}, {2, 1}, {1, 4}, {2, 2}, {2, 3}, {3, 3}, {4, 4}})
    for (int tiles = 20; tiles < 60; ++tiles) {
      const double balanced = excess(Distribution::balanced(P, Q, {tiles, tiles}), tiles);
      EXPECT_LT(balanced, 0.07) << P << " x " << Q << ", " << tiles;
      EXPECT_LE(balanced, excess(Distribution::blockCyclic(P, Q), tiles)) << P << " x " << Q << ", " << tiles;
    }
}

TEST(Distribution, OneNodeByDefault) {
  EXPECT_EQ(Distribution(), Distribution::blockCyclic(1, 1));
  EXPECT_EQ(Distribution().node(17, 4), 0);
}

TEST(Distribution, NodeAtInvertsCoordinates) {
  for (const char *name : {"2dbc:3x5", "2dbc:2x2,v=3", "2dbc:3x5,reflected=1:2", "sbc:8", "sbc:10", "sbc:36"}) {
    const Distribution distribution = parsed(name);
    for (int node = 0; node < distribution.nodes(); ++node)
      EXPECT_EQ(distribution.nodeAt(distribution.coordinates(node)), node) << name;
    for (const Distribution::Coordinates none : {Distribution::Coordinates{-1, 0}, {0, -1}, {99, 0}, {0, 99}})
      EXPECT_EQ(distribution.nodeAt(none), -1) << name;
  }
  EXPECT_EQ(parsed("sbc:10").nodeAt({1, 1}), -1);
  EXPECT_EQ(parsed("sbc:10").nodeAt({1, 0}), -1);
}

TEST(Distribution, ComparesTables) {
  EXPECT_EQ(parsed("row:3"), Distribution::blockCyclic(3, 1));
  EXPECT_FALSE(parsed("row:3") == parsed("col:3"));
  EXPECT_EQ(Distribution::table(2, 2, {0, 1, 2, 3}, "file:grid"), Distribution::blockCyclic(2, 2));
}

TEST(Distribution, SlicesAreWhereTheirTilesAre) {
  for (const char *name : {"2dbc:2x3", "2dbc:2x2,v=3", "2dbc:2x3,v=2,reflected=1:5", "sbc:8", "sbc:10"})
    for (const int slices : {1, 2, 5}) {
      const Distribution tiles = parsed(name), sliced = tiles.sliced(slices);
      EXPECT_EQ(sliced.name(), name);
      EXPECT_EQ(sliced.columns(), tiles.columns() * slices);
      EXPECT_EQ(sliced == tiles, slices == 1) << name << " " << slices;
      for (int I = 0; I < 2 * tiles.rows(); ++I)
        for (int J = 0; J < 2 * tiles.columns() * slices; ++J)
          ASSERT_EQ(sliced.node(I, J), tiles.node(I, J / slices)) << name << " " << slices;
    }
}

TEST(SymmetricBlockCyclic, ExistsForTheTwoFamilies) {
  std::set<int> sizes;
  for (int r = 2; r < 12; ++r) {
    sizes.insert(r * (r - 1) / 2);
    if (r % 2 == 0)
      sizes.insert(r * r / 2);
  }
  for (int nodes = 1; nodes <= 55; ++nodes) {
    const auto distribution = Distribution::symmetricBlockCyclic(nodes);
    EXPECT_EQ(distribution.has_value(), sizes.count(nodes) == 1) << nodes;
    EXPECT_EQ(distribution ? distribution->nodes() : nodes, nodes);
    const auto [below, above] = Distribution::symmetricSizes(nodes);
    EXPECT_EQ(below, *std::prev(sizes.upper_bound(nodes))) << nodes;
    EXPECT_EQ(above, *sizes.lower_bound(nodes)) << nodes;
  }
  EXPECT_FALSE(Distribution::symmetricBlockCyclic(65 * 64 / 2));
}

TEST(SymmetricBlockCyclic, LargestPeriodFits) {
  const auto largest = Distribution::symmetricBlockCyclic(Distribution::maxSymmetricNodes);
  ASSERT_TRUE(largest);
  EXPECT_LE(largest->rows() * std::size_t(largest->columns()), Distribution::maxPeriod);
}

class Symmetric : public testing::TestWithParam<int> {};

TEST_P(Symmetric, IsSymmetric) {
  const Distribution distribution = *Distribution::symmetricBlockCyclic(GetParam());
  for (int I = 0; I < distribution.rows(); ++I)
    for (int J = 0; J < I; ++J)
      ASSERT_EQ(distribution.node(I, J), distribution.node(J, I)) << I << ", " << J;
}

/// The nodes of a tile row, with those of the tile column of the same number, are the nodes of one residue: this is
/// what keeps messages few.
TEST_P(Symmetric, RowsMeetFewNodes) {
  const Distribution distribution = *Distribution::symmetricBlockCyclic(GetParam());
  int residues = 2;
  while (residues * (residues - 1) / 2 < GetParam() && residues * residues / 2 < GetParam())
    ++residues;
  const bool basic = residues * (residues - 1) / 2 == GetParam();
  for (int I = 0; I < distribution.rows(); ++I) {
    std::set<int> nodes;
    for (int J = 0; J < distribution.columns(); ++J)
      nodes.insert(distribution.node(I, J));
    ASSERT_EQ(static_cast<int>(nodes.size()), basic ? residues - 1 : residues) << "row " << I;
  }
}

/// How many of these tiles each node has: all the same?
template <typename Tiles> void expectEven(const Distribution &distribution, int nodes, Tiles tiles) {
  std::vector<int> counts(nodes);
  tiles([&](int I, int J) {
    if (const int node = distribution.node(I, J); node < nodes)
      ++counts[node];
  });
  EXPECT_EQ(*std::min_element(counts.begin(), counts.end()), *std::max_element(counts.begin(), counts.end()));
}

TEST_P(Symmetric, DiagonalIsEven) {
  const Distribution distribution = *Distribution::symmetricBlockCyclic(GetParam());
  const int period = distribution.rows(), nodes = distribution.nodes();
  int residues = 2;
  while (residues * (residues - 1) / 2 < nodes)
    ++residues;
  if (residues * (residues - 1) / 2 != nodes)
    return; // extended: nodes of their own have the diagonal
  expectEven(distribution, nodes, [&](auto count) {
    for (int I = 0; I < period; ++I)
      count(I, I);
  });
  // The diagonal positions of all copies of the pattern in the stored triangle.
  expectEven(distribution, nodes, [&](auto count) {
    for (int I = 0; I < period; ++I)
      for (int J = I % residues; J <= I; J += residues)
        count(I, J);
  });
}

INSTANTIATE_TEST_SUITE_P(Nodes, Symmetric, testing::Values(1, 2, 3, 6, 8, 10, 15, 18, 21, 28, 32, 36, 45));

TEST(Candidates, MostSquareFirst) {
  const auto names = [](int nodes, bool symmetric) {
    std::string names;
    for (const Distribution &candidate : candidateDistributions(nodes, symmetric, {20, 21}))
      names += candidate.name() + " ";
    return names;
  };
  EXPECT_EQ(names(1, true), "2dbc:1x1 ");
  EXPECT_EQ(names(2, true), "sbc:2 2dbc:1x2 2dbc:1x2,reflected=0:3 2dbc:1x2,reflected "
                            "2dbc:2x1 2dbc:2x1,reflected 2dbc:2x1,reflected=1:0 ");
  EXPECT_EQ(names(4, false), "2dbc:2x2 2dbc:2x2,reflected=0:3 2dbc:2x2,reflected=1:0 2dbc:1x4 "
                             "2dbc:1x4,reflected=0:3 2dbc:4x1 2dbc:4x1,reflected=4:0 ");
  EXPECT_EQ(names(6, true), "sbc:6 " + names(6, false));
  EXPECT_EQ(names(7, true), "2dbc:1x7 2dbc:1x7,reflected=0:7 2dbc:7x1 2dbc:7x1,reflected=8:0 "
                            "g2dbc:7 g2dbc:7,reflected=4:7 ");
  EXPECT_EQ(names(6, false), "2dbc:2x3 2dbc:2x3,reflected=0:3 2dbc:3x2 2dbc:3x2,reflected=4:3 2dbc:1x6 "
                             "2dbc:1x6,reflected=0:3 2dbc:6x1 2dbc:6x1,reflected=4:0 ");
  EXPECT_EQ(squareDistribution(12).name(), "2dbc:3x4");
}
} // namespace

} // namespace tla
