#include "tests/unit/tools/gantt/small_runs.hpp"
#include "tools/gantt/html.hpp"
#include "tools/gantt/svg.hpp"
#include "tools/gantt/table.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace hetc::gantt {
namespace {
using namespace test;

std::size_t countOf(const std::string &text, const std::string &part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

/// The data that the page's script reads.
nlohmann::json dataOf(const std::string &page) {
  const std::string mark = "const data = ";
  const std::size_t begin = page.find(mark) + mark.size();
  return nlohmann::json::parse(page.substr(begin, page.find(";\n", begin) - begin));
}

TEST(Table, OfTwoWorkers) {
  const Timeline timeline = twoWorkers();
  EXPECT_EQ(reportOf(timeline, analyze(timeline)),
            "cholesky, double: n = 100, nb = 50: 0 s\n"
            "  us          busy  a task runs  window full  ready, not begun  nothing left\n"
            "  worker 0  24.000        0.000       13.000             3.000         0.000\n"
            "  worker 1   8.000       10.000        5.000             3.000        14.000\n"
            "  all 2     32.000       10.000       18.000             6.000        14.000\n"
            "             40.0%        12.5%        22.5%              7.5%         17.5%\n"
            "  critical path: 32.00 us of 40.00 us: trsm 22.00 us (2), potrf 10.00 us (1); "
            "waiting in between 8.000 us\n"
            "  waits for tasks: potrf 100.0%\n");
}

TEST(Table, OfManyRowsHasSumsOfRanks) {
  const Timeline timeline = twoRanks();
  const SumTable table = tableOf(timeline, analyze(timeline), 1);
  ASSERT_EQ(table.size(), 3u) << "of more ranks than there is room for their sum alone";
  EXPECT_EQ(table[1][0], "all 2");
}

TEST(Svg, IsTheSameEachTimeAndHasAllParts) {
  const Timeline timeline = twoRanks();
  const std::string svg = svgOf(timeline, analyze(timeline));
  EXPECT_EQ(svg, svgOf(timeline, analyze(timeline)));
  for (const char *part : {"cholesky, double: n = 100", "rank 1 receives", "outlined: critical path",
                           "idle: a task runs", "class='m'", "waits for tasks: potrf 100.0%"})
    EXPECT_NE(svg.find(part), std::string::npos) << part;
  EXPECT_EQ(svg.find("drawn together"), std::string::npos);
  EXPECT_EQ(countOf(svg, "<text"), countOf(svg, "</text>"));
}

TEST(Svg, SaysWhatIsDrawnTogether) {
  Timeline timeline = emptyRun(1);
  const int row = addRow(timeline, Row::Kind::Worker, 0, "worker 0", 0);
  for (int task = 0; task < 50'000; ++task)
    addTask(timeline, row, Trsm, {Time(task), task + 0.5}, {0, 0, 0, 0});
  timeline.settle();
  const std::string svg = svgOf(timeline, analyze(timeline));
  EXPECT_NE(svg.find("50000 of 50000 bars are shorter than a pixel ("), std::string::npos);
  EXPECT_LT(svg.size(), 100'000u);
}

TEST(Html, HoldsWhatIsDrawn) {
  Timeline timeline = twoRanks();
  timeline.facts.machine = "</script><b>&";
  const std::string page = htmlOf(timeline, analyze(timeline));
  EXPECT_EQ(page, htmlOf(timeline, analyze(timeline)));
  EXPECT_EQ(countOf(page, "</script>"), 1u);
  EXPECT_EQ(page.find("http"), std::string::npos) << "it needs no network";
  const nlohmann::json data = dataOf(page);
  EXPECT_EQ(data["length"], 30'000);
  ASSERT_EQ(data["rows"].size(), 4u);
  EXPECT_EQ(data["rows"][2]["bars"], (std::vector<int>{18'000, 12'000, Trsm, 0, 0, 3, 0}));
  EXPECT_EQ(data["arrows"], (std::vector<int>{1, 11'000, 3, 18'000}));
  EXPECT_EQ(data["tiles"][1], "(0, 0) to rank 1, 800 B");
}

TEST(Notes, SayWhatATraceHasNot) {
  Timeline timeline = twoWorkers();
  timeline.facts.until = 15;
  timeline.facts.tasks = 7;
  timeline.facts.clocksInStep = false;
  timeline.settle();
  EXPECT_EQ(timeline.length, 15);
  ASSERT_EQ(notesOf(timeline).size(), 2u);
  EXPECT_EQ(notesOf(timeline)[0],
            "the trace is not whole: of the run's 7 tasks it has the first 2, and nothing is known "
            "behind 15.00 us");
}

} // namespace
} // namespace hetc::gantt
