#include "runtime/host/problem/problem.hpp"
#include "runtime/predict/plan/tile_search.hpp"
#include "runtime/predict/plan/tiles/tile_size.hpp"
#include "tests/unit/runtime/host/test_algorithms.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace tla::host {
namespace {

/// A matrix counts as tall from 32 times as many rows on.
TEST(TileCandidates, ATallMatrixMayBeOneTileWide) {
  Settings settings;
  const runtime::Algorithm algorithm = test::gemm<double>();
  settings.n = settings.k = 500;
  for (const long rows : {15000, 20000}) {
    settings.m = rows;
    const auto problem = describeProblem(algorithm, settings);
    const std::vector<int> sizes = tileSizes(PlanCase(*problem, settings, 2));
    EXPECT_EQ(std::ranges::count(sizes, 504), rows == 20000) << rows;
    EXPECT_EQ(sizes.front(), 128);
  }
}

TEST(TileCandidates, SmallerOnesComeFirstAndAreNotTooSmall) {
  EXPECT_EQ(withSmallerTiles({160, 136}, 2000, 160), (std::vector{64, 80, 112, 160, 136}));
  EXPECT_EQ(withSmallerTiles({64, 72}, 400, 64), (std::vector{48, 64, 72}));
}

} // namespace
} // namespace tla::host
