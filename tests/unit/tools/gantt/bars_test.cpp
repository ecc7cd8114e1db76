#include "tests/unit/tools/gantt/small_runs.hpp"
#include "tools/gantt/bars.hpp"
#include "tools/gantt/ticks.hpp"

#include <gtest/gtest.h>

namespace hetc::gantt {
namespace {
using namespace test;

DrawnRow drawFirst(const Timeline &timeline, Time pixel) { return drawRows(timeline, analyze(timeline), pixel)[0]; }

TEST(Bars, WhatOverlapsIsInLanes) {
  Timeline timeline = emptyRun(1);
  const int row = addRow(timeline, Row::Kind::Device, 0, "gpu", 0);
  for (int task = 0; task < 6; ++task)
    addTask(timeline, row, Potrf, {Time(task), 10}, {0, 0, 0, 0});
  addTask(timeline, row, Trsm, {10, 20}, {0, 0, 0, 0});
  timeline.settle();
  const DrawnRow drawn = drawFirst(timeline, 0);
  EXPECT_EQ(drawn.lanes, 4);
  ASSERT_EQ(drawn.bars.size(), 7u);
  for (int task = 0; task < 6; ++task)
    EXPECT_EQ(drawn.bars[task].lane, std::min(task, 3));
  EXPECT_EQ(drawn.bars[6].lane, 0) << "there is room again";
}

TEST(Bars, WhatIsBelowAPixelIsDrawnTogether) {
  Timeline timeline = emptyRun(1);
  const int row = addRow(timeline, Row::Kind::Worker, 0, "worker 0", 0);
  for (int task = 0; task < 10; ++task)
    addTask(timeline, row, task % 5 == 0 ? Potrf : Trsm, {Time(task), task + 0.5}, {0, 0, 0, 0});
  addTask(timeline, row, Potrf, {10, 30}, {0, 0, 0, 0});
  addTask(timeline, row, Trsm, {30, 31}, {0, 0, 0, 0});
  timeline.settle();
  const DrawnRow drawn = drawFirst(timeline, 5);
  ASSERT_EQ(drawn.bars.size(), 4u);
  EXPECT_EQ(drawn.bars[0].count, 5u);
  EXPECT_EQ(drawn.bars[0].kernel, Trsm) << "has four of five parts of the time";
  EXPECT_EQ(drawn.bars[0].piece, Piece::none);
  EXPECT_EQ(drawn.bars[0].end, 4.5);
  EXPECT_EQ(drawn.bars[1].begin, 5);
  EXPECT_EQ(drawn.bars[2].count, 1u);
  EXPECT_EQ(drawn.bars[3].count, 1u) << "what is long is not joined to";
  EXPECT_TRUE(drawn.bars[3].critical) << "ends last";
  EXPECT_EQ(joinedPieces({drawn}), 10u);
  EXPECT_EQ(drawFirst(timeline, 0).bars.size(), 12u);
  for (const IdleBar &idle : drawn.idle)
    EXPECT_LE(idle.end - idle.begin, 5);
}

TEST(Bars, IdleTimesThatAreNotSeen) {
  Timeline timeline = emptyRun(1);
  const int row = addRow(timeline, Row::Kind::Worker, 0, "worker 0", 0);
  for (int task = 0; task < 10; ++task) // idle for 0.01 each, but after the fifth
    addTask(timeline, row, Potrf, {Time(task) + (task == 5 ? 0.6 : 0.01), task + 1.0}, {0, 0, 0, 0});
  timeline.settle();
  ASSERT_EQ(drawFirst(timeline, 2).idle.size(), 1u);
  EXPECT_NEAR(drawFirst(timeline, 2).idle[0].time, 0.6, 0.05);
  EXPECT_EQ(drawFirst(timeline, 0).idle.size(), 10u);
}

TEST(Ticks, AreRoundAndFew) {
  for (double length = 0.001; length < 1e9; length *= 1.37)
    for (const int most : {2, 5, 10}) {
      const std::vector<Time> ticks = ticksFor(length, most);
      EXPECT_GE(ticks.size(), 1u);
      EXPECT_LE(ticks.size(), static_cast<std::size_t>(most));
      EXPECT_LE(ticks.back(), length);
    }
  EXPECT_EQ(ticksFor(100, 11), (std::vector<Time>{0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100}));
  EXPECT_EQ(ticksFor(99, 6), (std::vector<Time>{0, 20, 40, 60, 80}));
}

} // namespace
} // namespace hetc::gantt
