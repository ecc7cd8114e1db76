// Boxes of updates by algorithm 2 of [Ballard11]: everything once, as much for each as it should have, near together.
#include <tla/runtime/error.hpp>
#include <tla/runtime/task_map.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <tuple>

using namespace tla;

namespace {

constexpr double noLimit = std::numeric_limits<double>::infinity();

std::vector<TaskMap::Element> elements(const std::vector<double> &shares, double memory = noLimit) {
  std::vector<TaskMap::Element> result;
  for (const double share : shares)
    result.push_back({share, memory});
  return result;
}

double volume(const TaskOrder &order, int part) {
  double sum = 0;
  for (const TaskBox &box : order.boxes(part))
    sum += box.volume();
  return sum;
}

struct Shape {
  int rows, columns, steps;
};

/// Expects that the properties of a cursor hold for an order.
void expectOrder(const TaskOrder &order) {
  const int count = order.rows() * order.columns() * order.steps();
  TaskCursor cursor(std::make_shared<TaskOrder>(order));
  ASSERT_EQ(cursor.count(), count);
  std::set<std::tuple<int, int, int>> seen;
  std::map<std::tuple<int, int, int>, int> last; // step, by tile and part
  std::map<std::pair<int, int>, int> tasks;
  for (int s = 0; s < count; ++s) {
    const int i = cursor.row(s), j = cursor.column(s), l = cursor.step(s), part = cursor.part(s);
    ASSERT_TRUE(seen.insert({i, j, l}).second) << "twice";
    ASSERT_LT(i, order.rows());
    ASSERT_LT(j, order.columns());
    ASSERT_LT(l, order.steps());
    const auto [before, isFirst] = last.try_emplace({i, j, part}, -1);
    ASSERT_LT(before->second, l) << "steps of a tile in one part ascend";
    before->second = l;
    if (l == 0) {
      ASSERT_EQ(order.home(i, j), part);
    }
    ASSERT_EQ(cursor.isHome(s), part == order.home(i, j));
    ASSERT_EQ(cursor.opens(s), isFirst && part != order.home(i, j));
    const int done = ++tasks[std::pair(i, j)];
    ASSERT_EQ(cursor.closes(s), done == order.steps());
    if (cursor.closes(s)) {
      for (int other = 0; other < order.parts(); ++other)
        ASSERT_EQ(cursor.joins(s, other), last.contains({i, j, other}) && other != order.home(i, j));
    }
  }
  for (int s : {count - 1, 0, count / 2})
    if (s >= 0 && s < count) { // backwards, too
      ASSERT_LT(cursor.row(s), order.rows());
    }
}

/// By how much a part may have more or less than its share: a box of the last size, which is no more than a 32nd of the
/// smallest share except for sides that are no powers of two.
double rounding(double share) { return share / 16; }

/// Tiles of A, B and C that a part names.
double words(const TaskOrder &order, int part) {
  std::set<std::tuple<int, int, int>> tiles;
  for (const TaskBox &box : order.boxes(part))
    for (int i = box.row; i < box.rowEnd; ++i)
      for (int j = box.column; j < box.columnEnd; ++j)
        for (int l = box.step; l < box.stepEnd; ++l) {
          tiles.insert({0, i, l});
          tiles.insert({1, l, j});
          tiles.insert({2, i, j});
        }
  return static_cast<double>(tiles.size());
}

} // namespace

TEST(TaskMap, OneElementHasAll) {
  const auto order = TaskMap(elements({1})).order(4, 4, 4, 100);
  ASSERT_EQ(order->boxes(0).size(), 1u);
  TaskCursor cursor(order);
  const std::array<std::array<int, 3>, 9> first = {
      {{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {0, 1, 1}, {1, 0, 0}, {1, 0, 1}, {1, 1, 0}, {1, 1, 1}, {0, 0, 2}}};
  for (int s = 0; s < 9; ++s) { // Morton's order, steps innermost
    EXPECT_EQ(cursor.row(s), first[s][0]);
    EXPECT_EQ(cursor.column(s), first[s][1]);
    EXPECT_EQ(cursor.step(s), first[s][2]);
  }
}

// 10 : 8 : 5 of 23 are 0.336, 0.262, 0.157 in octal; the digits are numbers of boxes, and the first lacks the box that
// is left.
TEST(TaskMap, OctalDigits) {
  const auto order = TaskMap(elements({0, 10, 8, 5})).order(8, 8, 8, 1);
  EXPECT_TRUE(order->boxes(0).empty());
  std::map<double, int> sizes;
  for (const TaskBox &box : order->boxes(1))
    ++sizes[box.volume()];
  EXPECT_EQ(sizes, (std::map<double, int>{{64, 3}, {8, 3}, {1, 7}}));
  const std::array shares = {0.0, 10.0, 8.0, 5.0};
  for (int part = 1; part <= 3; ++part)
    EXPECT_NEAR(volume(*order, part), 512 * shares[part] / 23, 1);
  expectOrder(*order);
}

TEST(TaskMap, SharesOfAnyCube) {
  std::mt19937 random(1);
  const auto between = [&](int low, int high) { return std::uniform_int_distribution(low, high)(random); };
  for (int trial = 0; trial < 300; ++trial) {
    const Shape shape{between(0, 9), between(0, 9), between(0, 9)};
    std::vector<double> shares;
    for (int part = between(1, 5); part > 0; --part)
      shares.push_back(between(0, 3) ? between(1, 10) : 0);
    shares.push_back(1);
    const auto order = TaskMap(elements(shares)).order(shape.rows, shape.columns, shape.steps, 1);
    ASSERT_NO_FATAL_FAILURE(expectOrder(*order));
    double sum = 0;
    for (const double share : shares)
      sum += share;
    const double all = static_cast<double>(shape.rows) * shape.columns * shape.steps;
    for (int part = 0; part < order->parts(); ++part)
      EXPECT_NEAR(volume(*order, part), all * shares[part] / sum, 1 + 1e-6 + rounding(all * shares[part] / sum))
          << trial;
  }
}

// Line 4: with little memory the smallest box is the last that does not fit, unless it is more than a 32nd of the
// share.
TEST(TaskMap, BoxesDoNotFitIntoMemory) {
  constexpr int tiles = 64;
  for (const double memory : {12.0, 50.0, 200.0, 2000.0, 12000.0}) {
    const int last = static_cast<int>(std::floor(std::log2(3 * tiles * tiles / memory) / 2));
    const double smallest = std::pow(tiles >> last, 3);
    EXPECT_GE(3 * std::pow(tiles >> last, 2), memory);
    EXPECT_LT(3 * std::pow(tiles >> (last + 1), 2), memory);
    const std::vector<double> shares = {10, 8, 5};
    const auto order = TaskMap(elements(shares, memory * 16)).order(tiles, tiles, tiles, 16);
    for (int part = 0; part < 3; ++part) {
      const double share = std::pow(tiles, 3) * shares[part] / 23, least = std::pow(tiles, 3) * 5 / 23;
      for (const TaskBox &box : order->boxes(part))
        EXPECT_GE(box.volume(), std::min(smallest, least / 32 / 8)) << memory;
      EXPECT_NEAR(volume(*order, part), share, std::max(smallest, rounding(least))) << memory;
    }
  }
}

// As a node has it: a host of unknown memory, which may get nothing, and devices that hold the matrices nearly, or not
// nearly. All end together, the boxes are few, and a grid of any size is dealt at once.
TEST(TaskMap, AnyMemory) {
  for (const double host : {0.0, 0.3})
    for (const std::vector<double> &shares : {std::vector<double>{3, 2}, {1, 1, 1}, {10, 8, 5}, {1, 2, 4, 8}})
      for (const int tiles : {16, 40, 100})
        for (const double part : {0.1, 0.3, 0.7, 0.9, 1.5, 2.5, 4.0}) {
          std::vector<TaskMap::Element> all = elements(shares, part * tiles * tiles);
          all.insert(all.begin(), {host, noLimit});
          const TaskMap map(all);
          const auto order = map.order(tiles, tiles, tiles, 1);
          double words_ = 0;
          for (int element = 0; element < order->parts(); ++element) {
            const double share = map.share(element) * std::pow(tiles, 3);
            EXPECT_NEAR(volume(*order, element), share, rounding(share)) << part << " " << tiles;
            EXPECT_LE(order->boxes(element).size(), 64u);
            words_ += tiles == 16 ? words(*order, element) : 0;
          }
          EXPECT_LE(words_, 3 * tiles * tiles * (1.0 + static_cast<double>(all.size()))) << part;
        }
}

// A part of x of all tasks that is one cube names 3 x^(2/3) n^2 tiles; of octal boxes at most twice as many.
TEST(TaskMap, WordsAreThoseOfCubes) {
  for (const std::vector<double> &shares :
       {std::vector<double>{1, 1}, {10, 8, 5}, {1, 2, 4}, {1, 2, 4, 8}, {1, 1, 1, 1, 1, 1, 1, 1}}) {
    double sum = 0;
    for (const double share : shares)
      sum += share;
    const auto order = TaskMap(elements(shares)).order(16, 16, 16, 1);
    for (std::size_t part = 0; part < shares.size(); ++part)
      EXPECT_LE(words(*order, static_cast<int>(part)), 2 * 3 * std::pow(shares[part] / sum, 2.0 / 3) * 256);
  }
}

// Algorithm 1: rows in proportion to the shares, whatever memory there is, and no sums to join.
TEST(TaskMap, Rows) {
  const std::vector<double> shares = {0, 10, 8, 5};
  const auto order = TaskMap(elements(shares, 1)).rowOrder(50, 1, 7);
  expectOrder(*order);
  EXPECT_TRUE(order->boxes(0).empty());
  int row = 0;
  for (int part = 1; part <= 3; ++part) {
    ASSERT_EQ(order->boxes(part).size(), 1u);
    EXPECT_EQ(order->boxes(part)[0].row, row);
    row = order->boxes(part)[0].rowEnd;
    EXPECT_NEAR(volume(*order, part), 7 * 50 * shares[part] / 23, 7);
  }
  EXPECT_EQ(row, 50);
  expectOrder(*TaskMap(elements({1, 2})).rowOrder(0, 1, 3));
  expectOrder(*TaskMap(elements({1, 2, 0})).rowOrder(1, 2, 3));
}

TEST(TaskMap, Refuses) {
  EXPECT_THROW(TaskMap({}), UsageError);
  EXPECT_THROW(TaskMap(elements({0, 0})), UsageError);
  EXPECT_THROW(TaskMap(elements({1, -1})), UsageError);
  EXPECT_THROW(TaskMap(elements({1, std::nan("")})), UsageError);
  EXPECT_THROW(TaskMap(elements({1}, 0)), UsageError);
  EXPECT_THROW(TaskMap(elements(std::vector<double>(64, 1))), UsageError);
  EXPECT_THROW((void)TaskMap(elements({1})).order(2000, 2000, 2000, 1), UsageError);
}
