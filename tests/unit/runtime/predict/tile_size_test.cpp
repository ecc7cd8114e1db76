#include "runtime/predict/plan/tiles/tile_size.hpp"

#include <gtest/gtest.h>

namespace tla::host {
namespace {
int choose(long n, int threads) { return chooseTileSize({}, {{n, n}}, threads); }

TEST(TileSize, MeasuredPoints) {
  EXPECT_EQ(choose(1000, 2), 192);
  EXPECT_EQ(choose(2000, 2), 320);
  EXPECT_EQ(choose(4000, 2), 400);
  EXPECT_EQ(choose(8000, 2), 448);
}

TEST(TileSize, StaysInRangeAndGrowsWithN) {
  for (const int threads : {1, 2, 3, 16, 1024}) {
    int last = 0;
    for (long n = 0; n < 3000000000L; n = n * 2 + 1) {
      const int nb = choose(n, threads);
      EXPECT_GE(nb, std::max(48, last));
      EXPECT_LE(nb, 1024);
      EXPECT_EQ(nb % 8, 0);
      last = nb;
    }
  }
}

TEST(TileSize, TallMatricesAreCutAcross) {
  EXPECT_EQ(sizeToCut({{100000, 200}, {200, 1}}), 200);
  EXPECT_EQ(sizeToCut({{500, 500}, {500, 1}}), 500);
  EXPECT_EQ(sizeToCut({{4000, 10}, {10, 4000}, {4000, 4000}}), 4000);
  EXPECT_EQ(sizeToCut({{100000, 1}}), 100000) << "vectors are cut along";
  EXPECT_EQ(chooseTileSize({}, {{100000, 200}}, 2), 200) << "one column of tiles";
  EXPECT_LT(chooseTileSize({}, {{1000, 200}}, 2), 200) << "too few tiles in one column";
}

TEST(TileSize, PanelsAreNarrower) {
  runtime::MatrixParameter A{};
  A.panels = true;
  runtime::Algorithm byPanels{};
  byPanels.matrices = &A;
  byPanels.matrixCount = 1;
  EXPECT_EQ(chooseTileSize(byPanels, {{4000, 4000}}, 2), 200);
  EXPECT_LT(chooseTileSize(byPanels, {{100000, 200}}, 2), 100) << "one task for all would be one column";
}

TEST(TileSize, MoreThreadsSmallerTiles) { EXPECT_LT(choose(8000, 32), choose(8000, 2)); }
} // namespace
} // namespace tla::host
