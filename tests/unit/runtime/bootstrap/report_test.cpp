#include "runtime/bootstrap/report.hpp"
#include "runtime/bootstrap/session.hpp"
#include "runtime/trace/chrome_trace.hpp"
#include "tests/unit/runtime/bootstrap/test_algorithms.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tla::bootstrap {
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

TEST(Report, NumericalMessages) {
  runtime::Outcome outcome;
  outcome.info = 57;
  outcome.kernel = "potrf";
  outcome.matrix = "A";
  outcome.location = "cholesky.tla:9";
  EXPECT_EQ(numericalMessage(test::cholesky<double>(), outcome),
            "cholesky: the leading minor of order 57 is not positive definite (potrf on A(0, 0), cholesky.tla:9)");
  outcome.kernel = "getrf";
  EXPECT_EQ(numericalMessage(test::cholesky<double>(), outcome),
            "cholesky: U(57, 57) is exactly zero (getrf on A(0, 0), cholesky.tla:9)");
  outcome.kernel = "mine";
  EXPECT_EQ(numericalMessage(test::cholesky<double>(), outcome),
            "cholesky: mine stopped with info = 57 (mine on A(0, 0), cholesky.tla:9)");
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
  const auto json = nlohmann::json::parse(trace::chromeTrace(statistics, "prog"));
  ASSERT_EQ(json.size(), 4u);
  EXPECT_EQ(json[3]["name"], "gemm(3, 2)");
  EXPECT_EQ(json[3]["tid"], 1);
  EXPECT_DOUBLE_EQ(json[3]["ts"], 5e5);
  EXPECT_DOUBLE_EQ(json[3]["dur"], 2.5e5);
  EXPECT_EQ(json[3]["args"]["where"], "a \"b\".tla:3");
}
} // namespace
} // namespace tla::bootstrap
