#include "tools/gantt/read_trace.hpp"

#include "runtime/trace/chrome_trace.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace hetc::gantt {
namespace {
using tla::runtime::CopyEvent;
using tla::runtime::Statistics;
using tla::runtime::WaitEvent;

Timeline read(const std::string &text) {
  std::istringstream in(text);
  return readTrace(in);
}
std::string problemOf(const std::string &text) {
  try {
    read(text);
  } catch (const BadTrace &problem) {
    return problem.what();
  }
  return "";
}

const tla::trace::RunFacts facts = {"cholesky", "double", {{'n', 100}}, 50, 2, 1e9, ""};

std::vector<Statistics> twoRanks() {
  std::vector<Statistics> ranks(2);
  for (Statistics &rank : ranks) {
    rank.seconds = 2;
    rank.busy = {1, 1};
    rank.classes = {{"potrf", "a.tla:3"}};
    rank.trace = {{0, 1, 3, 2, 1, 0.5, 0.75, -1, {1, 0, 0.125, 0.25}}};
    rank.transfers.messages = 1;
    rank.tasks = 1;
  }
  ranks[1].startedAt = 500'000'000;
  ranks[0].messageTrace = {{"A", 3, 2, -1, 1, 7, false, -1, 800, 0.75, 1.5, {2, 1, 0.125, 0.75}}};
  ranks[1].messageTrace = {{"A", 3, 2, -1, 0, 7, true, -1, 800, 0.75, 1, {2, 1, 0.125, 0.75}}};
  return ranks;
}

TEST(ReadTrace, WhatARunHasWritten) {
  const Timeline timeline = read(tla::trace::chromeTrace(twoRanks(), facts));
  EXPECT_EQ(timeline.facts.program, "cholesky");
  EXPECT_EQ(timeline.facts.sizes.at(0).second, 100);
  EXPECT_EQ(timeline.facts.messages, 2u);
  ASSERT_EQ(timeline.rows.size(), 6u);
  EXPECT_EQ(timeline.rows[0].unit, timeline.rows[1].unit);
  EXPECT_NE(timeline.rows[1].unit, timeline.rows[3].unit);
  EXPECT_TRUE(timeline.rows[3].generates);
  EXPECT_FALSE(timeline.rows[4].generates);
  ASSERT_EQ(timeline.pieces.size(), 4u);
  const Piece &task = timeline.pieces[0], &sent = timeline.pieces[1], &received = timeline.pieces[3];
  EXPECT_EQ(task.tile, "(3, 2)");
  EXPECT_EQ(timeline.kernels.at(task.kernel), "potrf");
  EXPECT_EQ(task.begin, 5e5);
  EXPECT_EQ(task.ready, 2.5e5);
  EXPECT_EQ(task.appended, 1.25e5);
  EXPECT_EQ(sent.otherEnd, 3u);
  EXPECT_EQ(received.otherEnd, 1u);
  EXPECT_EQ(received.kind, Piece::Kind::Receive);
  EXPECT_EQ(received.begin, 1.25e6) << "the second rank began half a second later";
  EXPECT_EQ(received.cause, 1u);
}

TEST(ReadTrace, ClocksThatAreNotInStep) {
  std::vector<Statistics> ranks = twoRanks();
  ranks[1].startedAt = 3'000'000'000;
  const Timeline timeline = read(tla::trace::chromeTrace(ranks, facts));
  EXPECT_FALSE(timeline.facts.clocksInStep);
  EXPECT_EQ(timeline.pieces[3].begin, 0.75e6);
}

TEST(ReadTrace, DevicesWaitsAndWhatIsNotThere) {
  std::vector<Statistics> ranks(1);
  Statistics &rank = ranks[0];
  rank.busy = {1};
  rank.devices.resize(1);
  rank.devices[0].name = "gpu:0";
  rank.classes = {{"potrf", "a.tla:3"}};
  rank.trace = {{0, 1, 0, 0, 1, 0.5, 2, -1, {}}};
  rank.copyTrace = {{"A", 0, 0, 0, 1, CopyEvent::Way::Out, 80, 1.5, 2, {}}};
  rank.waitTrace = {{WaitEvent::Reason::Memory, 0, 0.5}};
  rank.traceUntil = 1;
  const Timeline timeline = read(tla::trace::chromeTrace(ranks, facts));
  ASSERT_EQ(timeline.rows.size(), 2u) << "the worker had no tasks, and nothing was copied in";
  EXPECT_EQ(timeline.rows[0].kind, Row::Kind::Device);
  EXPECT_EQ(timeline.facts.rowsLeftOut, 1u);
  ASSERT_EQ(timeline.ranks.at(0).waits.size(), 1u);
  EXPECT_EQ(timeline.ranks[0].waits[0].reason, Wait::Reason::Memory);
  ASSERT_EQ(timeline.pieces.size(), 1u) << "the copy begins behind what is known";
  EXPECT_EQ(timeline.pieces[0].row, 0);
  EXPECT_EQ(timeline.length, 1e6);
}

TEST(ReadTrace, WhatIsNone) {
  const std::string notOurs =
      "is no trace of hetc; 'hetc run FILE.tla --trace FILE' and 'hetc sim FILE.tla --trace FILE' write such";
  EXPECT_EQ(problemOf(""), "is empty");
  EXPECT_EQ(problemOf("[1, 2"),
            "is no JSON, or not whole: byte 6 is not what has to come there; write it anew by --trace");
  EXPECT_EQ(problemOf("5"), notOurs);
  EXPECT_EQ(problemOf("[]"), notOurs);
  EXPECT_EQ(problemOf("[5]"), notOurs);
  EXPECT_EQ(problemOf("{}"), notOurs);
  EXPECT_EQ(problemOf(R"({"algorithm": "cholesky", "per_rank": [{"tasks": 3}]})"), notOurs);
  EXPECT_EQ(problemOf(R"([{"ph": "X", "name": "a"}])"), notOurs);
  EXPECT_EQ(problemOf(R"([{"ph": "M", "name": "process_name"}])"), notOurs);
  EXPECT_NE(problemOf(R"([{"name": "a"}])").find("another version"), std::string::npos);
  EXPECT_EQ(problemOf(tla::trace::chromeTrace(std::vector<Statistics>(1), facts)),
            "has no tasks: nothing was run that could be drawn");
}

/// A second run in the file, of fewer ranks than the rows before it.
TEST(ReadTrace, TwoRuns) {
  std::string first = tla::trace::chromeTrace(twoRanks(), facts),
              second = tla::trace::chromeTrace({twoRanks().front()}, facts);
  first.replace(first.rfind(']'), 1, ",");
  second.replace(second.find('['), 1, "");
  EXPECT_EQ(problemOf(first + second), "is of two runs");
}

/// Each changed in one place: a message, and no crash.
TEST(ReadTrace, WhatWasChanged) {
  const std::string whole = tla::trace::chromeTrace(twoRanks(), facts);
  const auto changed = [&](const std::string &from, const std::string &to) {
    std::string text = whole;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return problemOf(text.replace(at, from.size(), to));
  };
  EXPECT_NE(changed("\"task\": 1", "\"task\": \"x\"").find("another version"), std::string::npos);
  EXPECT_NE(changed("\"kind\": \"worker\"", "\"kind\": \"other\"").find("unknown kind, 'other'"), std::string::npos);
  EXPECT_NE(changed("\"to\": 1", "\"to\": 2").find("names rank 2 of 2"), std::string::npos);
  EXPECT_NE(changed("\"ranks\": 2", "\"ranks\": 0").find("has 0 ranks"), std::string::npos);
  EXPECT_NE(changed("\"ranks\": 2", "\"ranks\": 1").find("names rank 1 of 1"), std::string::npos);
  EXPECT_NE(changed("\"ph\": \"X\", \"pid\": 0, \"tid\": 1", "\"ph\": \"X\", \"pid\": 0, \"tid\": 99").find("row 99"),
            std::string::npos);
  EXPECT_NE(changed("\"ts\": 500000.000", "\"ts\": null").find("another version"), std::string::npos);
  EXPECT_NE(changed("\"ts\": 500000.000", "\"ts\": 1e308").find("a time that cannot be"), std::string::npos);
  EXPECT_EQ(changed("\"task\": 1", "\"task\": 4000000000"), "") << "a number that nobody has";
  for (std::size_t length = 0; length < whole.size(); length += 7)
    EXPECT_NE(problemOf(whole.substr(0, length)), "");
}

} // namespace
} // namespace hetc::gantt
