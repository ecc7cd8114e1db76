// Nodes of different speeds have their parts of a matrix, and of what a factorization leaves of it.
#include "runtime/distribution/weighted.hpp"

#include "distributions.hpp"

#include <cmath>
#include <numeric>
#include <random>

namespace tla {
namespace {

/// The part of all columns that the node has in its period, and of the rows of these.
struct Part {
  double columns = 0, rows = 0;
};

std::vector<Part> partsOf(const Distribution &distribution) {
  std::vector<Part> parts(distribution.nodes());
  for (int J = 0; J < distribution.columns(); ++J) {
    std::vector<double> rows(distribution.nodes());
    for (int I = 0; I < distribution.rows(); ++I)
      rows[distribution.node(I, J)] += 1.0 / distribution.rows();
    for (int node = 0; node < distribution.nodes(); ++node)
      if (rows[node] > 0) {
        parts[node].columns += 1.0 / distribution.columns();
        EXPECT_TRUE(parts[node].rows == 0 || std::abs(parts[node].rows - rows[node]) < 1e-12);
        parts[node].rows = rows[node];
      }
  }
  return parts;
}

/// The numbers of tiles (I, J) with I >= first and J >= first, and of those in or below the diagonal among them.
struct Tiles {
  int all = 0, triangle = 0;
};

class Weights : public testing::TestWithParam<const char *> {};

TEST_P(Weights, AreThePartsOfNodes) {
  const Distribution distribution = parsed(GetParam());
  const std::vector<int> weights = weightsOf(distribution).weights;
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  const std::vector<Part> parts = partsOf(distribution);
  ASSERT_EQ(parts.size(), weights.size());
  for (std::size_t node = 0; node < weights.size(); ++node)
    EXPECT_NEAR(parts[node].columns * parts[node].rows, weights[node] / sum, 1e-12) << node;
}

TEST_P(Weights, AreThoseOfEachTrailingMatrix) {
  constexpr int size = 60;
  const Distribution distribution = parsed(GetParam());
  const std::vector<Part> parts = partsOf(distribution);
  std::vector<Tiles> tiles(distribution.nodes());
  for (int first = size - 1; first >= 0; --first) {
    for (int other = first; other < size; ++other) {
      Tiles &column = tiles[distribution.node(other, first)];
      ++column.all;
      ++column.triangle;
      tiles[distribution.node(first, other)].all += other > first;
    }
    const double left = size - first;
    for (int node = 0; node < distribution.nodes(); ++node) {
      const auto [columns, rows] = parts[node];
      const double due = columns * rows * left * left, away = 2 * (columns + rows) * left + 4;
      ASSERT_LE(std::abs(tiles[node].all - due), away) << "node " << node << ", from " << first;
      ASSERT_LE(std::abs(tiles[node].triangle - due / 2), away) << "node " << node << ", from " << first;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Distributions, Weights,
                         testing::Values("weighted:1:1:2:4", "weighted:1:1:2:4,columns=1", "weighted:1:1:2:4,columns=4",
                                         "weighted:10:8:5", "weighted:1:2", "weighted:1:2:4:8", "weighted:7:1:1:1:1:1",
                                         "weighted:3:3:2:2:1:1", "weighted:1:1:1:1:1:1", "weighted:5"));

TEST(WeightedDistribution, HasTheColumnsOfTheLeastPerimeter) {
  EXPECT_EQ(parsed("weighted:1:1:2:4").name(), "weighted:1:1:2:4,columns=2");
  EXPECT_EQ(parsed("weighted:1:1:1:1:1:1:1:1:1").name(), "weighted:1:1:1:1:1:1:1:1:1,columns=3");
  EXPECT_EQ(parsed("weighted:1:2").name(), "weighted:1:2,columns=1");
  const Distribution two = parsed("weighted:1:1:2:4"); // the heaviest alone, or with the next: 4 both
  EXPECT_EQ(two.nodes(), 4);
}

/// The sum of half perimeters of all ways to put nodes into columns.
double leastPerimeter(const std::vector<int> &weights) {
  const int nodes = static_cast<int>(weights.size());
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  double least = INFINITY;
  std::vector<int> column(nodes, 0);
  for (long way = 0; way < std::pow(nodes, nodes); ++way) {
    long rest = way;
    std::vector<double> width(nodes), count(nodes);
    for (int node = 0; node < nodes; ++node, rest /= nodes) {
      width[rest % nodes] += weights[node] / sum;
      count[rest % nodes] += 1;
    }
    double perimeter = 0;
    for (int c = 0; c < nodes; ++c)
      perimeter += count[c] * width[c] + (count[c] > 0);
    least = std::min(least, perimeter);
  }
  return least;
}

TEST(WeightedDistribution, HasTheLeastPerimeterOfAllArrangementsInColumns) {
  std::mt19937 random(3);
  for (int round = 0; round < 30; ++round) {
    std::vector<int> weights(2 + round % 4);
    for (int &weight : weights)
      weight = std::uniform_int_distribution(1, 8)(random);
    const auto distribution = weightedDistribution(weights, 0);
    double perimeter = weightsOf(distribution).columns;
    for (const Part &part : partsOf(distribution))
      perimeter += part.columns;
    EXPECT_NEAR(perimeter, leastPerimeter(weights), 1e-9) << distribution.name();
  }
}

} // namespace
} // namespace tla
