#include "runtime/predict/plan/tiles/part_of_problem.hpp"

#include <gtest/gtest.h>

namespace tla::host {
namespace {

runtime::Values sizes(long m, long n, long k) {
  runtime::Values values;
  values.m = m;
  values.n = n;
  values.k = k;
  return values;
}

TEST(PartOfProblem, HasTheShapeOfTheWholeInWholeTiles) {
  const runtime::Values part = partOf(sizes(40000, 20000, 10000), 100, 0.25);
  EXPECT_EQ(part.m, 10000);
  EXPECT_EQ(part.n, 5000);
  EXPECT_EQ(part.k, 2500);
  EXPECT_EQ(partOf(sizes(1000, 1000, 1000), 300, 0.01).m, 300) << "one tile at least";
}

TEST(PartOfProblem, ShortSidesStay) {
  const runtime::Values part = partOf(sizes(1000000, 64, 0), 64, 0.1);
  EXPECT_EQ(part.m, 100032) << "1563 of 15625 tiles";
  EXPECT_EQ(part.n, 64);
  EXPECT_EQ(part.k, 0);
}

/// Work grows with the tasks; the longest chain with its links, and these with their length where they are panels.
TEST(PartOfProblem, TheWholeTakesMoreWorkAndALongerChain) {
  EXPECT_DOUBLE_EQ(secondsOfWhole({.seconds = 3, .work = 2}), 3);
  EXPECT_DOUBLE_EQ(secondsOfWhole({.seconds = 3, .work = 2, .share = 0.5, .tasksRatio = 8}), 2 * 8 + 1 * 2);
  EXPECT_DOUBLE_EQ(secondsOfWhole({.seconds = 3, .work = 2, .share = 0.5, .tasksRatio = 8, .panels = true}),
                   2 * 8 + 1 * 4);
  EXPECT_DOUBLE_EQ(secondsOfWhole({.seconds = 3, .work = 4, .share = 0.5, .tasksRatio = 8}), 24)
      << "no more than there is";
}

} // namespace
} // namespace tla::host
