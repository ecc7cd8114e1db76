// What is said of a run in words and numbers.
#pragma once

#include "tools/gantt/analysis.hpp"

#include <string>
#include <vector>

namespace hetc::gantt {

/// The unit in which times are given.
struct Unit {
  const char *name;
  double perMicrosecond;
};
/// Seconds, milliseconds or microseconds, so that a run of this length has three digits or more.
Unit unitFor(Time length);

/// "cholesky, double: n = 400, nb = 50: 3.21 ms, 12.3 Gflop/s"; with the machine of a run in virtual time.
std::string titleOf(const Facts &facts);
/// "worker 0", of several ranks "rank 1 worker 0".
std::string labelOf(const Timeline &timeline, const Row &row);
/// Notes on the trace, and on what it does not tell: a line each.
std::vector<std::string> notesOf(const Timeline &timeline);
/// "critical path: 2.9 ms of 3.2 ms: potrf 1.2 ms (5), ...; waiting in between 0.3 ms"
std::string pathText(const Timeline &timeline, const Analysis &analysis);
/// "waits for tasks: potrf 60%, trsm 40%"; empty: there are none.
std::string waitsText(const Timeline &timeline, const Analysis &analysis);

/// Rows of texts: a head, the rows that compute (of more than `mostRows` of them each rank's sum instead), their sum,
/// and its parts in percent. Of causes those that there are.
using SumTable = std::vector<std::vector<std::string>>;
SumTable tableOf(const Timeline &timeline, const Analysis &analysis, std::size_t mostRows);

/// All of this, for a terminal.
std::string reportOf(const Timeline &timeline, const Analysis &analysis);

} // namespace hetc::gantt
