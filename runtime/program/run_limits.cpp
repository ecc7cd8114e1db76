#include "dsl/base/debugging.hpp"
#include "runtime/predict/plan/usual_tile_size.hpp"
#include "runtime/program/report.hpp"

#include <tla/runtime/executor.hpp>

#include <algorithm>
#include <numeric>

namespace tla::host {
namespace {

using trace::RunCounts;

/// Part of the time in which the rank's cores computed.
double busyPart(const runtime::Statistics &rank, double seconds) {
  if (rank.busy.empty() || !(seconds > 0))
    return 0;
  return std::accumulate(rank.busy.begin(), rank.busy.end(), 0.0) / seconds / static_cast<double>(rank.busy.size());
}

/// Task statements of one kernel together.
std::vector<RunCounts::Kernel> kernelsOf(const RunRecord &record) {
  const runtime::Statistics &statistics = record.statistics;
  const std::string own = "," + record.ownKernels.computing + ",";
  std::vector<RunCounts::Kernel> kernels;
  for (const runtime::ClassStatistics &line : statistics.classes) {
    if (!line.tasks) // messages and copies have none
      continue;
    auto kernel = std::ranges::find(kernels, line.kernel, &RunCounts::Kernel::name);
    if (kernel == kernels.end())
      kernel = kernels.insert(kernels.end(),
                              RunCounts::Kernel{line.kernel, 0, 0, 0, own.find("," + line.kernel + ",") != own.npos});
    kernel->tasks += line.tasks;
    kernel->seconds += line.seconds;
    kernel->flops += line.flops;
  }
  return kernels;
}

/// Returns 0 for a profile's machine, and for several ranks, which may share the cores of one.
int coresOf(const RunRecord &record) {
  return record.ranks == 1 && record.machine.empty() ? runtime::defaultThreads() : 0;
}

int usualTileSizeOf(const RunRecord &record) {
  if (!record.settings.nb || !record.machine.empty() || !record.statistics.devices.empty())
    return 0;
  return usualTileSize(*record.problem, record.settings, record.threads, record.ranks, record.hostKernels);
}

RunCounts countsOf(const RunRecord &record) {
  const runtime::Statistics &statistics = record.statistics;
  RunCounts run{.seconds = statistics.seconds,
                .ranks = record.ranks,
                .threads = record.threads,
                .cores = coresOf(record),
                .tasks = statistics.tasks,
                .generation = statistics.generation,
                .windowFull = statistics.windowFull,
                .window = static_cast<std::size_t>(record.settings.window),
                .nb = record.problem->nb,
                .nbGiven = record.settings.nb.has_value(),
                .usualNb = usualTileSizeOf(record),
                .debugging = isDebugging() && record.machine.empty(),
                .referenceKernels = record.kernels == "reference",
                .messages = statistics.transfers.messages,
                .bytes = statistics.transfers.bytes,
                .kernels = kernelsOf(record),
                .busy = {},
                .devices = {},
                .waits = {}};
  for (const runtime::Statistics &rank : record.perRank) {
    run.busy.push_back(busyPart(rank, statistics.seconds));
    for (const runtime::DeviceStatistics &device : rank.devices)
      run.devices.push_back({device.name, statistics.seconds > 0 ? device.busy / statistics.seconds : 0,
                             device.in.bytes + device.out.bytes + device.peer.bytes});
  }
  return run;
}

} // namespace

std::vector<trace::Limit> limitsOf(const RunRecord &record) {
  if (record.settings.serial || !record.problem || record.seconds.empty())
    return {};
  return trace::limitsOf(countsOf(record));
}

} // namespace tla::host
