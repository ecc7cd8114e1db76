#include "kernels/tuning/cuda/gemm.hpp"
#include "tests/unit/kernels/tuning/naive.hpp"
#include "tests/unit/tools/tuner/landscape.hpp"
#include "tools/tuner/strategy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

using namespace hetc::tuning;

namespace {
/// A grid without its corners (0, 0) and (0, 2).
Candidates smallGrid() { return Candidates({"x", "y"}, {{0, 1}, {1, 0}, {1, 1}, {1, 2}, {4, 0}, {4, 1}, {4, 2}}); }

std::vector<int> sorted(std::vector<int> list) {
  std::ranges::sort(list);
  return list;
}

Landscape model() { return modelLandscape(HETC_SPACES "/cpu_gemm.space"); }

constexpr unsigned seeds = 20;
} // namespace

/// A search on a device begins with them.
TEST(Candidates, DefaultsOfProductsOnTensorCoresAreSome) {
  using namespace cuda;
  for (const auto &[architecture, variant] : {std::pair("sm_90", Variant{'d', 'n', 'n'}),
                                              {"sm_90", {'d', 't', 't'}},
                                              {"sm_90", {'z', 'n', 'n', true}},
                                              {"sm_80", {'d', 't', 'n'}}}) {
    std::ostringstream text;
    text << std::ifstream(HETC_SPACES "/cuda_dgemm_mma.space").rdbuf();
    Space space = std::get<Space>(parseSpace(text.str()));
    setParameters(space, variant, architecture);
    const EnumerationPlan made = std::get<EnumerationPlan>(plan(std::move(space)));
    const auto usual = defaultPoint(made);
    ASSERT_TRUE(usual) << architecture;
    const auto all = std::get<Enumeration>(enumerate(made, {1, /*collectPoints=*/true})).points;
    EXPECT_NE(std::ranges::find(all, *usual), all.end()) << architecture << " " << variant.type;
  }
}

TEST(Candidates, AreFoundByTheirPoints) {
  const Candidates grid = smallGrid();
  EXPECT_EQ(grid.find({1, 2}), 3);
  EXPECT_EQ(grid.find({0, 0}), -1);
  EXPECT_EQ(grid.text(3), "x=1 y=2");
}

TEST(Candidates, DistancesAreInStepsOfValues) {
  const Candidates grid = smallGrid();
  EXPECT_DOUBLE_EQ(grid.distance(grid.find({0, 1}), grid.find({4, 1})), 1);
  EXPECT_DOUBLE_EQ(grid.distance(grid.find({0, 1}), grid.find({1, 2})), 0.5 + 0.5);
}

TEST(Candidates, NeighboursDifferInOneIterator) {
  const Candidates grid = smallGrid();
  EXPECT_EQ(grid.neighbours(grid.find({1, 1})),
            sorted({grid.find({0, 1}), grid.find({4, 1}), grid.find({1, 0}), grid.find({1, 2})}));
}

TEST(Candidates, WhereNoneDiffersInOneTheNearestIsTheNeighbour) {
  const Candidates diagonal({"x", "y"}, {{0, 0}, {1, 1}, {2, 2}});
  EXPECT_EQ(diagonal.neighbours(1), (std::vector<int>{0, 2}));
  const Candidates grid = smallGrid();
  EXPECT_TRUE(std::ranges::count(grid.neighbours(grid.find({1, 0})), grid.find({0, 1})));
}

TEST(Candidates, TheDefaultIsWhatTheSpaceSays) {
  const std::string space = "kernel gemm param n = 4 iter x from 1 to n iter y in 2, 4 default y = n default x = n - 1";
  EXPECT_EQ(defaultPoint(planOf(space)), (Point{3, 4}));
  EXPECT_EQ(defaultPoint(planOf("kernel gemm iter x from 1 to 4 iter y in 2, 4 default y = 2")), std::nullopt);
}

TEST(Strategy, EachTriesEverythingOnce) {
  const Landscape landscape = {"grid", smallGrid(), {1, 2, 3, 0, 5, 4, 0}, 2};
  for (const std::string &name : strategyNames())
    for (unsigned seed = 0; seed < seeds; ++seed)
      EXPECT_EQ(qualityOf(name, landscape, 100, seed), 1) << name;
}

TEST(Strategy, ProposesNothingThatIsKnown) {
  const Candidates grid = smallGrid();
  for (const std::string &name : strategyNames()) {
    Known known(grid.size(), 1.0);
    known[5].reset();
    const auto strategy = makeStrategy(name, grid, 1);
    EXPECT_EQ(strategy->propose(known, 3), std::vector<int>{5}) << name;
    known[5] = 2;
    EXPECT_EQ(strategy->propose(known, 3), std::vector<int>()) << name;
  }
}

TEST(Strategy, GoesOnWhereEverythingFailed) {
  const Landscape landscape = {"grid", smallGrid(), {0, 0, 0, 0, 0, 0, 7}, -1};
  for (const std::string &name : strategyNames())
    EXPECT_EQ(qualityOf(name, landscape, 7, 3), 1) << name;
}

TEST(Strategy, EqualSeedsGiveEqualSearches) {
  const Landscape landscape = model();
  for (const std::string name : {"sample", "local"}) {
    const Known nothing(landscape.candidates.size());
    const auto propose = [&](unsigned seed) {
      return makeStrategy(name, landscape.candidates, seed)->propose(nothing, 8);
    };
    EXPECT_EQ(propose(5), propose(5));
    EXPECT_NE(propose(5), propose(6));
  }
}

TEST(Strategy, SamplesAreFarApart) {
  const Landscape landscape = model();
  const Known nothing(landscape.candidates.size());
  const std::vector<int> sample = makeStrategy("sample", landscape.candidates, 1)->propose(nothing, 30);
  ASSERT_EQ(std::set<int>(sample.begin(), sample.end()).size(), 30u);
  const auto closest = [&](const std::vector<int> &points) {
    double least = 100;
    for (const int a : points)
      for (const int b : points)
        if (a != b)
          least = std::min(least, landscape.candidates.distance(a, b));
    return least;
  };
  std::vector<int> first(30);
  std::ranges::generate(first, [next = 0]() mutable { return next++; });
  EXPECT_GT(closest(sample), 3 * closest(first));
}

/// The search finds at least 95% of the best with no more than 5% of the evaluations.
TEST(Strategy, LocalSearchIsGoodEarly) {
  std::vector<Landscape> landscapes = {model()};
  for (const auto &entry : std::filesystem::directory_iterator(HETC_LANDSCAPES))
    if (entry.path().extension() == ".jsonl")
      landscapes.push_back(readLandscape(entry.path()));
  for (const Landscape &landscape : landscapes)
    for (unsigned seed = 0; seed < seeds; ++seed)
      EXPECT_GE(qualityOf("local", landscape, landscape.candidates.size() / 20, seed), 0.95)
          << landscape.name << ", seed " << seed;
}
