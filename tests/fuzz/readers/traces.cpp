// Traces of runs, as hetc trace reads them.
#include "runtime/trace/chrome_trace.hpp"
#include "tests/fuzz/readers/reader.hpp"
#include "tools/gantt/html.hpp"
#include "tools/gantt/read_trace.hpp"
#include "tools/gantt/svg.hpp"

#include <cmath>
#include <sstream>

namespace fuzz::readers {

namespace {
using tla::runtime::Statistics;

/// A trace of two ranks: a task each, a message, a copy, and a wait.
std::string smallTrace() {
  std::vector<Statistics> ranks(2);
  for (Statistics &rank : ranks) {
    rank.seconds = 2;
    rank.busy = {1, 1};
    rank.devices.resize(1);
    rank.devices[0].name = "gpu:0";
    rank.classes = {{"potrf", "a.tla:3"}};
    rank.trace = {{0, 1, 3, 2, 1, 0.5, 0.75, -1, {1, 0, 0.125, 0.25}}, {0, 2, 3, 2, 1, 1.5, 2, -1, {4, 2, 0.125, 1.5}}};
    rank.copyTrace = {{"A", 0, 0, 0, 1, tla::runtime::CopyEvent::Way::Out, 80, 1.5, 2, {3, 1, 0.25, 1}}};
    rank.waitTrace = {{tla::runtime::WaitEvent::Reason::Window, 0.125, 0.5}};
  }
  ranks[0].messageTrace = {{"A", 3, 2, -1, 1, 0, false, -1, 800, 0.75, 1.5, {2, 1, 0.125, 0.75}}};
  ranks[1].messageTrace = {{"A", 3, 2, -1, 0, 0, true, -1, 800, 1, 1.5, {2, 1, 0.125, 0.75}}};
  return tla::trace::chromeTrace(ranks, {"cholesky", "double", {{'n', 100}}, 50, 2, 1e9, ""});
}

/// Busy and idle times add up, whatever the trace says.
void requireWhole(const hetc::gantt::Timeline &timeline, const hetc::gantt::Analysis &analysis) {
  for (std::size_t row = 0; row < timeline.rows.size(); ++row) {
    double sum = analysis.rows[row].busy;
    for (const double idle : analysis.rows[row].idle)
      sum += idle;
    require(!timeline.rows[row].computes() || std::abs(sum - timeline.length) <= 1e-6 * timeline.length,
            "busy and idle times add up");
  }
}

std::string readText(const std::string &text) {
  std::istringstream in(text);
  try {
    const hetc::gantt::Timeline timeline = hetc::gantt::readTrace(in);
    const hetc::gantt::Analysis analysis = hetc::gantt::analyze(timeline);
    requireWhole(timeline, analysis);
    require(!hetc::gantt::svgOf(timeline, analysis).empty() && !hetc::gantt::htmlOf(timeline, analysis).empty(),
            "what can be read can be drawn");
    return "";
  } catch (const hetc::gantt::BadTrace &problem) {
    return problem.what();
  }
}

} // namespace

Reader traces() {
  return {.name = "trace",
          .seeds = {smallTrace(), "[]", "{}", "[{\"ph\": \"X\"}]"},
          .tokens = {"\"task\": ", "\"cause\": ", "\"ready\": ", "\"appended\": ", "\"ts\": ", "\"dur\": ", "\"tid\": ",
                     "null", "-1", "1e300", "4294967295", "0", "3", "\"pid\": ", "\"number\": ", "\"ph\": \"M\"",
                     "\"until\": 5"},
          .read = readText,
          .cost = 40};
}

} // namespace fuzz::readers
