#include "runtime/program/report.hpp"

#include "dsl/base/text.hpp"
#include "runtime/host/problem/slices.hpp"
#include "runtime/predict/plan/device_shares.hpp"

#include <algorithm>

namespace tla::host {
namespace {

/// " in 37 of 120 tiles (--pattern b.mtx, with fill)"; empty for a matrix with all its tiles.
std::string patternText(const Patterns &patterns, const ProblemMatrix &matrix) {
  const std::string pattern = patterns.text(*matrix.parameter);
  if (pattern.empty() || !matrix.storage)
    return "";
  const Storage &storage = **matrix.storage;
  long tiles = 0;
  for (int j = 0; j < storage.nt(); ++j)
    for (int i = 0; i < storage.mt(); ++i)
      tiles += storage.stores(i, j);
  const long mt = storage.mt(), all = storage.shape() == Shape::General ? mt * storage.nt() : mt * (mt + 1) / 2;
  return format(" in %ld of %ld tiles (--pattern %s)", tiles, all, pattern.c_str());
}

std::string sourcesText(const RunRecord &record) {
  std::string text;
  for (const ProblemMatrix &matrix : record.problem->matrices)
    if (matrix.source && !matrix.parameter->workspace && matrix.parameter->type != ElementType::I) {
      text += (text.empty() ? "" : ", ") + std::string(matrix.parameter->name) + ": " + matrix.source->describe();
      if (const Patterns *const patterns = record.problem->patterns.get())
        text += patternText(*patterns, matrix);
    }
  return text;
}

/// ", ib = 32"
std::string tunedText(const RunRecord &record) {
  std::string text;
  for (const auto &[name, value] : tunedScalars(*record.algorithm, record.problem->scalars))
    text += format(", %s = %ld", name.c_str(), value);
  return text;
}

/// "2 threads"; "4 ranks of 1 thread, 2dbc:2x2"
std::string placesText(const RunRecord &record) {
  const std::string threads = format("%d %s", record.threads, record.threads == 1 ? "thread" : "threads");
  const Placement &placement = record.problem->placement;
  if (placement.ownsAll())
    return threads;
  return format("%d ranks of %s, %s%s", placement.distribution.nodes(), threads.c_str(),
                placement.distribution.name().c_str(), record.generator == "replay" ? " by replay" : "");
}

/// "84 messages, 12.3 MiB"
std::string transfersText(const RunRecord &record) {
  const runtime::TransferCounts &sent = record.statistics.transfers;
  return format("%llu %s, %s", static_cast<unsigned long long>(sent.messages),
                sent.messages == 1 ? "message" : "messages", formatBytes(static_cast<double>(sent.bytes)).c_str());
}

std::string timeText(const RunRecord &record) {
  const TimeSummary time = summarize(record.seconds);
  std::string text = formatSeconds(time.median);
  if (record.seconds.size() > 1)
    text += format("  (median of %zu; %s to %s)", record.seconds.size(), formatSeconds(time.min).c_str(),
                   formatSeconds(time.max).c_str());
  return text;
}

/// "gemm on h200-sxm:0 61%, gemm waiting for h200-sxm:0 20%, ..."
std::string pathText(const RunRecord &record) {
  constexpr std::size_t most = 5;
  const std::vector<runtime::PathPart> &path = record.statistics.criticalPath;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, path.size()); ++i) {
    const std::string place = path[i].place ? record.statistics.devices[path[i].place - 1].name : "the host";
    text += format("%s%s%s %s %.0f%%", i ? ", " : "", path[i].kernel.c_str(), path[i].waiting ? " waiting for" : " on",
                   place.c_str(), 100 * path[i].seconds / record.statistics.seconds);
  }
  return text;
}

std::string iterationsText(const RunRecord &record) {
  const char *plural = record.iterations == 1 ? "" : "s";
  return format("%d iteration%s, %s by %s", record.iterations, plural,
                record.endedEarly ? "ended" : "all of it: not ended", record.algorithm->stages->location);
}

std::string residualText(const RunRecord &record) {
  const Verdict &verdict = record.verdict;
  if (!record.machine.empty())
    return "nothing was computed";
  if (!verdict.judged)
    return record.settings.check == CheckMode::None ? "not checked (--no-check)"
                                                    : "not checked (the algorithm names no check)";
  return format("%.3g %s  (%s, threshold %.0f)", verdict.residual, verdict.passed ? "passed" : "FAILED",
                record.settings.check == CheckMode::Full ? "full" : "probe", residualThreshold) +
         (verdict.cause.empty() ? "" : "\n            " + verdict.cause);
}
} // namespace

TimeSummary summarize(std::vector<double> seconds) {
  if (seconds.empty())
    return {};
  std::sort(seconds.begin(), seconds.end());
  const std::size_t middle = seconds.size() / 2;
  const double median = seconds.size() % 2 ? seconds[middle] : (seconds[middle - 1] + seconds[middle]) / 2;
  return {median, seconds.front(), seconds.back()};
}

std::string readableReport(const RunRecord &record) {
  const double seconds = summarize(record.seconds).median;
  std::string text =
      format("%s, %s: %s, %s%s, %s, %s%s\n", record.algorithm->name, typeName(record.algorithm->type),
             sizesText(*record.algorithm, record.problem->values).c_str(),
             tilesText(record.problem->nb, record.problem->cut).c_str(), tunedText(record).c_str(),
             placesText(record).c_str(), record.bodies.c_str(), record.settings.serial ? ", serial elision" : "");
  if (record.machine.empty())
    text += "  input     " + sourcesText(record) + "\n";
  else
    text += "  machine   " + record.machine + ", in virtual time\n";
  text += "  time      " + timeText(record) + "\n";
  if (record.flops > 0 && seconds > 0)
    text += format("  speed     %.1f Gflop/s\n", record.flops / seconds * 1e-9);
  if (!record.statistics.criticalPath.empty())
    text += "  path      " + pathText(record) + "\n";
  if (!record.problem->placement.ownsAll())
    text += "  moved     " + transfersText(record) + "\n";
  if (record.iterations >= 0)
    text += "  loop      " + iterationsText(record) + "\n";
  if (!record.info)
    text += "  info      not reported by the serial elision\n";
  else if (*record.info != 0)
    text += format("  info      %ld, after which the run went on: its results are complete\n", *record.info);
  return text + "  residual  " + residualText(record) + "\n";
}

std::string statisticsTable(const RunRecord &record) {
  if (record.settings.serial)
    return "\n  no statistics: the serial elision has no tasks\n";
  const runtime::Statistics &statistics = record.statistics;
  double total = 0;
  for (const runtime::ClassStatistics &line : statistics.classes)
    total += line.seconds;
  std::string text =
      format("\n  %-10s %-24s %10s %10s %10s %7s\n", "task", "where", "tasks", "time", "Gflop/s", "share");
  for (const runtime::ClassStatistics &line : statistics.classes)
    if (line.tasks) // messages and copies have none
      text += format("  %-10s %-24s %10llu %10s %10.1f %6.1f%%\n", line.kernel.c_str(), line.location.c_str(),
                     static_cast<unsigned long long>(line.tasks), formatSeconds(line.seconds).c_str(),
                     line.seconds > 0 ? line.flops / line.seconds * 1e-9 : 0.0,
                     total > 0 ? 100 * line.seconds / total : 0.0);
  text += "\n  busy     ";
  for (const double busy : statistics.busy)
    text += format(" %.0f%%", statistics.seconds > 0 ? 100 * busy / statistics.seconds : 0.0);
  text += " of " + formatSeconds(statistics.seconds) + (record.seconds.size() > 1 ? " (the last run)\n" : "\n");
  if (!record.shares.weights.empty())
    text += "  weights   " + sharesText(record.shares) +
            (record.settings.deviceWeights.empty() ? ", by measured rates\n" : ", as given\n");
  for (const runtime::DeviceStatistics &device : statistics.devices)
    text += format("  device    %s: %llu tasks, busy %.0f%%; %s in, %s out, %s from others; %s at most\n",
                   device.name.c_str(), static_cast<unsigned long long>(device.tasks),
                   statistics.seconds > 0 ? 100 * device.busy / statistics.seconds : 0.0,
                   formatBytes(static_cast<double>(device.in.bytes)).c_str(),
                   formatBytes(static_cast<double>(device.out.bytes)).c_str(),
                   formatBytes(static_cast<double>(device.peer.bytes)).c_str(),
                   formatBytes(static_cast<double>(device.peakBytes)).c_str());
  if (record.settings.resident)
    text += "  resident  matrices stay with the devices: copies there before the run and back are not in its time\n";
  text += format("  window    %zu tasks at most (%s); full %llu times\n", statistics.peakTasks,
                 formatBytes(static_cast<double>(statistics.windowBytes)).c_str(),
                 static_cast<unsigned long long>(statistics.windowFull));
  text += format("  renames   %llu (%s at most)\n", static_cast<unsigned long long>(statistics.renames),
                 formatBytes(static_cast<double>(statistics.renameBytes)).c_str());
  text +=
      format("  generator %s for %llu tasks; workers slept %llu times\n", formatSeconds(statistics.generation).c_str(),
             static_cast<unsigned long long>(statistics.tasks), static_cast<unsigned long long>(statistics.sleeps));
  return text + format("  memory    %s planned; workspaces, others' and renamed tiles took %s at most\n",
                       formatBytes(record.neededBytes).c_str(),
                       formatBytes(static_cast<double>(statistics.temporaryBytes)).c_str());
}

} // namespace tla::host
