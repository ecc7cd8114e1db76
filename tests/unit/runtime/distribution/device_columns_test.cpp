// Weighted columns: every prefix of the columns is shared fairly; nodes count their own columns only.
#include "runtime/distribution/device_columns.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

using namespace tla;

namespace {
/// In any number of columns each place has less than one column more or less than its due.
void expectFair(const std::vector<int> &weights, const std::vector<int> &places) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<int> count(weights.size());
  for (std::size_t n = 1; n <= places.size(); ++n) {
    ++count[places[n - 1]];
    for (std::size_t place = 0; place < weights.size(); ++place)
      ASSERT_LT(std::abs(count[place] - weights[place] / total * n), 1) << "place " << place << " column " << n;
  }
}

std::vector<int> placesOf(const DeviceColumns &columns, int count) {
  std::vector<int> places;
  for (int column = 0; column < count; ++column)
    places.push_back(columns.place(0, column));
  return places;
}

TEST(DeviceColumns, EveryPrefixIsFair) {
  for (int places = 1; places <= 4; ++places) {
    std::vector<int> weights(places);
    for (int code = 1; code < std::pow(8, places); ++code) {
      for (int place = 0, rest = code; place < places; ++place, rest /= 8)
        weights[place] = rest % 8;
      expectFair(weights, placesOf(DeviceColumns(weights, Distribution(), 0), 60));
    }
  }
  for (const std::vector<int> &weights : {std::vector{0, 10, 8, 5}, {0, 1, 4}, {3, 100, 1, 1}, {0, 997, 991, 983, 1}})
    expectFair(weights, placesOf(DeviceColumns(weights, Distribution(), 0), 6000));
}

TEST(DeviceColumns, EqualWeightsAreCyclic) {
  EXPECT_EQ(placesOf(DeviceColumns({0, 7, 7, 7}, Distribution(), 0), 7), (std::vector{1, 2, 3, 1, 2, 3, 1}));
  EXPECT_EQ(DeviceColumns({0, 10, 8, 5}, Distribution(), 0).order().size(), 23u);
  EXPECT_EQ(placesOf(DeviceColumns({1, 0}, Distribution(), 0), 3), (std::vector{0, 0, 0}));
}

TEST(DeviceColumns, NodesCountTheirOwnColumns) {
  const std::vector<int> weights{0, 2, 1};
  const std::vector<int> alone = placesOf(DeviceColumns(weights, Distribution(), 0), 100);
  for (const Distribution &distribution :
       {Distribution::blockCyclic(2, 3), Distribution::blockCyclic(1, 5, 2), *Distribution::symmetricBlockCyclic(6),
        Distribution::table(2, 3, {0, 1, 0, 2, 1, 2}, "table")})
    for (int node = 0; node < distribution.nodes(); ++node) {
      const DeviceColumns columns(weights, distribution, node);
      int own = 0;
      for (int J = 0; J < 60; ++J) {
        bool mine = false;
        for (int I = 0; I < distribution.rows(); ++I)
          mine |= distribution.node(I, J) == node;
        if (mine) {
          EXPECT_EQ(columns.place(0, J), alone[own++]) << distribution.name() << " node " << node << " column " << J;
        }
      }
    }
}

/// Six accelerators as 2 x 3, and the host with as many columns as two of them: rows are dealt within a column of the
/// grid, and each has its part of every square.
TEST(DeviceColumns, AcceleratorsStandInAGrid) {
  const DeviceColumns columns({0, 5, 5, 5, 5, 5, 5}, Distribution(), 0, 2);
  for (int I = 0; I < 7; ++I)
    for (int J = 0; J < 7; ++J)
      EXPECT_EQ(columns.place(I, J), 1 + J % 3 * 2 + I % 2) << I << ", " << J;
  EXPECT_EQ(columns.firstPlace(0, 0, [](int place) { return place == 2; }), 2) << "of the same column";
  EXPECT_EQ(columns.firstPlace(0, 0, [](int place) { return place > 2; }), 3) << "of the next one";
  EXPECT_EQ(columns.firstPlace(1, 0, [](int) { return false; }), 2) << "none";

  const DeviceColumns withHost({2, 1, 1, 1, 1}, Distribution(), 0, 2);
  int count[5] = {};
  for (int I = 0; I < 12; ++I)
    for (int J = 0; J < 12; ++J)
      ++count[withHost.place(I, J)];
  EXPECT_EQ(count[0], 12 * 12 / 3);
  for (int place = 1; place <= 4; ++place)
    EXPECT_EQ(count[place], 12 * 12 / 6) << place;
}

/// A node counts its own rows as it does its own columns.
TEST(DeviceColumns, GridsOfNodesHaveTheirOwnRows) {
  const Distribution distribution = Distribution::blockCyclic(2, 2);
  for (int node = 0; node < 4; ++node) {
    const DeviceColumns columns({0, 1, 1, 1, 1}, distribution, node, 2);
    for (int I = node / 2; I < 16; I += 2)
      for (int J = node % 2; J < 16; J += 2)
        EXPECT_EQ(columns.place(I, J), 1 + J / 2 % 2 * 2 + I / 2 % 2) << node << ": " << I << ", " << J;
  }
}
} // namespace
