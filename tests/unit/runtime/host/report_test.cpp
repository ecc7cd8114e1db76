#include "runtime/host/problem/outcome_text.hpp"
#include "runtime/program/identity.hpp"
#include "runtime/program/report.hpp"
#include "runtime/program/slow_kernels.hpp"
#include "runtime/program/supervisor.hpp"
#include "runtime/trace/chrome_trace.hpp"
#include "tests/unit/runtime/host/test_algorithms.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <map>

namespace tla::host {
namespace {

TEST(Report, MedianMinMax) {
  const TimeSummary odd = summarize({3, 1, 2}), even = summarize({4, 1, 2, 3});
  EXPECT_EQ(odd.median, 2);
  EXPECT_EQ(odd.min, 1);
  EXPECT_EQ(odd.max, 3);
  EXPECT_EQ(even.median, 2.5);
  EXPECT_EQ(summarize({}).median, 0);
}

TEST(Report, JsonOfAnEarlyFailure) {
  const auto algorithm = test::cholesky<double>();
  RunRecord record;
  record.algorithm = &algorithm;
  record.error = "no \"way\"";
  const auto json = nlohmann::json::parse(jsonReport(record));
  EXPECT_TRUE(json["n"].is_null());
  EXPECT_TRUE(json["nb"].is_null());
  EXPECT_EQ(json["passed"], false);
  EXPECT_EQ(json["error"], "no \"way\"");
}

TEST(Report, OwnKernelsThatAreSlow) {
  RunRecord record;
  record.ownKernels.computing = "mine,yours,idle";
  record.statistics.classes = {{"mine", "a.tla:3", 4, 2, 9e9},
                               {"mine", "a.tla:5", 4, 2, 9e9},
                               {"yours", "a.tla:7", 1, 1, 11e9},
                               {"gemm", "a.tla:9", 1, 1, 1e9}};
  const std::string text = slowKernels(record, 100e9);
  EXPECT_NE(text.find("mine has 4.5 of a core's 100 Gflop/s"), std::string::npos) << text;
  for (const char *other : {"yours", "gemm", "idle"})
    EXPECT_EQ(text.find(other), std::string::npos) << text;
  record.settings.serial = true; // it has no tasks
  EXPECT_EQ(slowKernels(record, 100e9), "");
}

TEST(Report, UnlikeProcessors) {
  EXPECT_EQ(unlikeProcessors({" ", " "}), "");
  EXPECT_EQ(unlikeProcessors({"native a avx2", "native a avx2"}), "");
  EXPECT_EQ(unlikeProcessors({"x86-64-v4 ", "x86-64-v4 ", "x86-64-v3 "})
                .find("the program's own kernels run as x86-64-v3 on rank 2 and as x86-64-v4 on rank 0: "),
            0u);
  EXPECT_EQ(unlikeProcessors({"native a avx2,fma", "native b avx2"})
                .find("the program's own kernels run as native b on rank 1 and as native a on rank 0: "),
            0u);
}

TEST(Report, NumericalMessages) {
  runtime::Outcome outcome;
  outcome.kind = runtime::Outcome::Kind::Numerical;
  outcome.info = 57;
  outcome.kernel = "potrf";
  outcome.matrix = "A";
  outcome.location = "cholesky.tla:9";
  EXPECT_EQ(failureText(test::cholesky<double>(), outcome),
            "cholesky: the leading minor of order 57 is not positive definite (potrf on A(0, 0), cholesky.tla:9)");
  outcome.kernel = "getrf";
  EXPECT_EQ(failureText(test::cholesky<double>(), outcome),
            "cholesky: U(57, 57) is exactly zero (getrf on A(0, 0), cholesky.tla:9)");
  outcome.kernel = "mine";
  EXPECT_EQ(failureText(test::cholesky<double>(), outcome),
            "cholesky: mine stopped with info = 57 (mine on A(0, 0), cholesky.tla:9)");
  outcome.wentOn = true;
  EXPECT_EQ(failureText(test::cholesky<double>(), outcome),
            "cholesky: mine returned info = 57 (mine on A(0, 0), cholesky.tla:9)");
}

TEST(Report, Faults) {
  runtime::Outcome outcome;
  outcome.kind = runtime::Outcome::Kind::Fault;
  outcome.message = "emulated:0: out of memory";
  EXPECT_EQ(failureText(test::cholesky<double>(), outcome), "emulated:0: out of memory");
  outcome.kernel = "gemm";
  outcome.matrix = "A";
  outcome.row = 2;
  outcome.slice = 1;
  EXPECT_EQ(failureText(test::cholesky<double>(), outcome), "emulated:0: out of memory (gemm on A(2, 0) slice 1)");
}

TEST(Progress, OneLine) {
  EXPECT_EQ(progressLine({"cholesky", 100e9}, 50e9, 2), "cholesky  50% [##########----------] 25.0 Gflop/s, 2 s left");
  EXPECT_EQ(progressLine({"cholesky", 0}, 50e9, 2), "cholesky  2 s, 25.0 Gflop/s");
  EXPECT_EQ(progressLine({"cholesky", 100e9}, 0, 2), "cholesky   0% [--------------------] 0.0 Gflop/s");
  EXPECT_LE(progressLine({std::string(100, 'x'), 1e30}, 1, 2).size(), 79u);
}

TEST(Progress, FitsTheTerminal) {
  const Phase known{"cholesky", 100e9}, unknown{"cholesky", 0};
  EXPECT_EQ(progressLine(known, 50e9, 2, 50), "cholesky  50% [####----] 25.0 Gflop/s, 2 s left");
  EXPECT_EQ(progressLine(known, 50e9, 2, 40), "cholesky  50% [####----] 25.0 Gflop/s");
  EXPECT_EQ(progressLine(known, 50e9, 2, 30), "cholesky  50% 25.0 Gflop/s");
  EXPECT_EQ(progressLine(known, 50e9, 2, 10), "50%");
  for (int columns = 1; columns < 200; ++columns)
    for (const Phase &phase : {known, unknown})
      EXPECT_LT(progressLine(phase, 50e9, 2, columns).size(), static_cast<std::size_t>(columns));
}

TEST(ChromeTrace, IsJson) {
  runtime::Statistics statistics;
  statistics.busy = {1, 1};
  statistics.classes.resize(1);
  statistics.classes[0].kernel = "gemm";
  statistics.classes[0].location = "a \"b\".tla:3";
  statistics.trace.push_back({0, 1, 3, 2, 1, 0.5, 0.75});
  const auto json = nlohmann::json::parse(trace::chromeTrace({statistics}, {.program = "prog"}));
  ASSERT_EQ(json.size(), 7u);
  EXPECT_EQ(json[0]["name"], "hetc_run");
  EXPECT_EQ(json[1]["args"]["name"], "prog");
  const auto &task = json[6];
  EXPECT_EQ(task["name"], "gemm(3, 2)");
  EXPECT_EQ(task["tid"], 1);
  EXPECT_DOUBLE_EQ(task["ts"], 5e5);
  EXPECT_DOUBLE_EQ(task["dur"], 2.5e5);
  EXPECT_EQ(task["args"]["where"], "a \"b\".tla:3");
}

TEST(ChromeTrace, AcceleratorsHaveRowsForKernelsAndCopies) {
  using Way = runtime::CopyEvent::Way;
  runtime::Statistics statistics;
  statistics.busy = {1};
  statistics.devices.resize(2);
  statistics.devices[1].name = "emulated:1";
  statistics.classes.push_back({"gemm", "a.tla:3"});
  statistics.trace.push_back({0, 2, 3, 2, 1, 0.5, 0.75});
  statistics.copyTrace = {{"A", 1, 3, 2, -1, Way::In, 800, 0.25, 0.5},
                          {"A", 1, 3, 2, -1, Way::Out, 80, 0.75, 1},
                          {"B", 1, 0, 0, -1, Way::Peer, 8, 0.1, 0.2}};
  std::map<std::string, nlohmann::json> events;
  std::map<int, std::string> rows;
  for (const auto &event : nlohmann::json::parse(trace::chromeTrace({statistics}, {.program = "prog"})))
    if (event["ph"] == "X")
      events[event["name"].get<std::string>() + event["args"].value("way", "")] = event;
    else if (event["name"] == "thread_name")
      rows[event["tid"].get<int>()] = event["args"]["name"].get<std::string>();
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(rows.at(events.at("gemm(3, 2)")["tid"]), "emulated:1");
  EXPECT_EQ(rows.at(events.at("A(3, 2)from the host")["tid"]), "emulated:1 copies in");
  EXPECT_EQ(rows.at(events.at("B(0, 0)from another accelerator")["tid"]), "emulated:1 copies in");
  EXPECT_EQ(rows.at(events.at("A(3, 2)to the host")["tid"]), "emulated:1 copies out");
  EXPECT_EQ(events.at("A(3, 2)from the host")["args"]["bytes"], 800);
}
} // namespace
} // namespace tla::host
