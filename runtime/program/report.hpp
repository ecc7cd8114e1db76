// What a run tells: the readable report, the table of --stats, the JSON object.
#pragma once

#include "runtime/host/check/check.hpp"

#include "runtime/interfaces/own_kernels.hpp"
#include "runtime/trace/limits.hpp"

#include <string>

namespace tla::host {

/// Everything there is to say. Filled as the run goes, so that a failure can be reported with what is known.
struct RunRecord {
  const runtime::Algorithm *algorithm = nullptr;
  const Problem *problem = nullptr; ///< null when the run failed before the sizes were known
  Settings settings;
  int threads = 0; ///< threads of each rank
  int ranks = 1;
  std::string machine;                      ///< machine of a run in virtual time; else empty
  std::string kernels;                      ///< the back-end in use
  std::string bodies;                       ///< back-end of the bodies that run: bodiesText()
  std::string hostKernels;                  ///< the same back-end with its version
  runtime::OwnKernels ownKernels;           ///< the program's
  runtime::DeviceShares shares;             ///< shares of this rank's accelerators; empty: there are none
  std::string generator;                    ///< generator on several ranks: "nodes" or "replay"
  std::vector<double> seconds;              ///< one per completed run
  double flops = 0;                         ///< flops of one run
  runtime::Statistics statistics;           ///< statistics of the last run, all ranks together
  std::vector<runtime::Statistics> perRank; ///< statistics of the last run, of each rank
  Verdict verdict;
  std::optional<long> info = 0; ///< nothing: a serial run, which does not say
  std::string infoText;         ///< message for an info after which the run went on; empty: there was none
  int iterations = -1;          ///< iterations of the loop that an element may end; -1: there is none
  bool endedEarly = false;      ///< whether an element has ended that loop
  std::string error;            ///< error message; empty: there was no error
  double neededBytes = 0;
  double searchSeconds = 0; ///< spent on the choice of nb; 0: given or remembered
};

struct TimeSummary {
  double median = 0, min = 0, max = 0;
};
TimeSummary summarize(std::vector<double> seconds);

/// Finds what limited the run; nothing is said of a serial elision.
std::vector<trace::Limit> limitsOf(const RunRecord &record);

/// A few lines for people, ending in a newline.
std::string readableReport(const RunRecord &record);
/// The tables of --stats: per task statement, per worker, memory.
std::string statisticsTable(const RunRecord &record);
/// One stable object on one line, ending in a newline. Keys always present, in this order: algorithm, type, m, n, k
/// (null when the algorithm does not use it), nb, threads (of each rank), ranks, dist, seconds (median), gflops,
/// residual (null: not judged or not a number), passed (null: not judged), info (null: a serial run does not say),
/// tasks, messages, bytes, compile_seconds, cached, check, kernels, seed, repeat, seconds_min, seconds_max,
/// search_seconds (for nb and tuned), tuned (an object: the parameters that a search may choose), per_rank (an array of
/// objects: tasks, flops, messages, bytes, received, received_bytes, delegated, delegated_bytes, forwarded,
/// forwarded_bytes, foreign_bytes, temporary_bytes, seconds, busy), generator (nodes or replay; null: one rank),
/// devices (an array of objects: rank, name, tasks, flops, busy, copies_in, bytes_in, copies_out, bytes_out,
/// copies_peer, bytes_peer, memory_peak, bytes_resident), device_weights (of one rank: as they were used), host_weight,
/// task_shares (of the updates, of the host and each device, where a program deals them; null: it does not), machine
/// (of a run in virtual time; null: this one), critical_path (of such a run: an array of objects: kernel, place,
/// waiting, seconds, tasks), error (null: none), verdict (what limited the run: an array of objects: cause, text). With
/// --stats there is a key statistics, too.
std::string jsonReport(const RunRecord &record);

} // namespace tla::host
