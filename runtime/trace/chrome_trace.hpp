// A recorded run for chrome://tracing, ui.perfetto.dev and hetc trace.
#pragma once

#include <tla/runtime/executor.hpp>

#include <string>
#include <utility>
#include <vector>

namespace tla::trace {

/// The facts about its run that a trace contains.
struct RunFacts {
  std::string program;
  std::string type = {};                         ///< "double"
  std::vector<std::pair<char, long>> sizes = {}; ///< values of those of m, n, k that the program has
  int nb = 0;
  double seconds = 0, flops = 0;
  std::string machine = {}; ///< machine of a run in virtual time; else empty
};

/// The JSON Array Format of the Trace Event Format; a process per rank, a row per thread. Times are in microseconds
/// since the first rank began, by the ranks' own clocks.
///
/// Tasks are complete events ("X") named "gemm(3, 1)" by kernel and main output tile, in the rows of workers; args hold
/// tile and source line. An accelerator has three rows: kernels, copies in (from the host and from other accelerators),
/// copies out. A copy is named "A(3, 1)"; its args hold bytes and way. Messages are in rows of sends and of receives,
/// as many as are under way at a time, and have an arrow ("s", "f") where both ends are in the trace; their args hold
/// bytes, peer, number (among those from the one to the other) and, if forwarded, by whom. Waits of the program's loops
/// have a row. In all args: task (number in program order, 0: not known), cause (whose end made it ready; 0: it was
/// ready when appended), appended, ready. Metadata beside the format's own: "hetc_run" with the facts and what is
/// missing, and "hetc_row" with what a row is.
std::string chromeTrace(const std::vector<runtime::Statistics> &ranks, const RunFacts &facts);

} // namespace tla::trace
