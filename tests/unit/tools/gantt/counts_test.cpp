#include "tests/unit/tools/gantt/small_runs.hpp"
#include "tools/gantt/counts.hpp"

#include <gtest/gtest.h>

namespace hetc::gantt {
namespace {
using namespace test;

tla::trace::RunCounts countsOf(const Timeline &timeline) { return gantt::countsOf(timeline, analyze(timeline)); }

TEST(Counts, OfTwoWorkers) {
  Timeline timeline = twoWorkers();
  timeline.facts.tasks = 3;
  const tla::trace::RunCounts run = countsOf(timeline);
  EXPECT_DOUBLE_EQ(run.seconds, 40e-6);
  EXPECT_EQ(run.ranks, 1);
  EXPECT_EQ(run.threads, 2);
  EXPECT_EQ(run.tasks, 3u);
  EXPECT_EQ(run.nb, 50);
  EXPECT_EQ(run.windowFull, 1u);
  ASSERT_EQ(run.kernels.size(), 2u);
  EXPECT_EQ(run.kernels[0].name, "potrf");
  EXPECT_DOUBLE_EQ(run.kernels[1].seconds, 22e-6);
  ASSERT_EQ(run.busy.size(), 1u);
  EXPECT_DOUBLE_EQ(run.busy[0], (24 + 8) / 80.0);
  ASSERT_TRUE(run.waits);
  EXPECT_DOUBLE_EQ(run.waits->window, (13 + 5) / 80.0);
  EXPECT_DOUBLE_EQ(run.waits->tasks, 10 / 80.0);
  EXPECT_EQ(run.waits->kernel, "potrf");
}

TEST(Counts, OfTwoRanks) {
  Timeline timeline = twoRanks();
  timeline.facts.messages = 1;
  const tla::trace::RunCounts run = countsOf(timeline);
  EXPECT_EQ(run.ranks, 2);
  EXPECT_EQ(run.threads, 1);
  EXPECT_EQ(run.messages, 1u);
  EXPECT_EQ(run.bytes, 800u);
  EXPECT_EQ(run.kernels.size(), 2u); // messages are none
  ASSERT_EQ(run.busy.size(), 2u);
  EXPECT_DOUBLE_EQ(run.busy[0], 10 / 30.0);
  EXPECT_DOUBLE_EQ(run.busy[1], 12 / 30.0);
  EXPECT_GT(run.waits->messages, 0);
}

} // namespace
} // namespace hetc::gantt
