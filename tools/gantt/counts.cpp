#include "tools/gantt/counts.hpp"

#include <algorithm>

namespace hetc::gantt {
namespace {

using tla::trace::RunCounts;

double secondsOf(Time time) { return time * 1e-6; }

bool isOfTasks(const std::string &kernel) { return kernel != "copy" && kernel != "message"; }

/// Parts of all rows' time.
RunCounts::Waits waitsOf(const Timeline &timeline, const Analysis &analysis, Time all) {
  const auto part = [&](std::initializer_list<Cause> causes) {
    Time sum = 0;
    for (const Cause cause : causes)
      sum += analysis.all.idle[static_cast<int>(cause)];
    return all > 0 ? sum / all : 0;
  };
  RunCounts::Waits waits{.messages = part({Cause::Message}),
                         .copies = part({Cause::Copy, Cause::Memory}),
                         .window = part({Cause::Window}),
                         .loops = part({Cause::Loops}),
                         .tasks = part({Cause::Task, Cause::Turn}),
                         .kernel = ""};
  const auto longest = std::ranges::max_element(analysis.all.waitsFor);
  if (longest != analysis.all.waitsFor.end() && *longest > 0)
    waits.kernel = timeline.kernels[longest - analysis.all.waitsFor.begin()];
  return waits;
}

} // namespace

tla::trace::RunCounts countsOf(const Timeline &timeline, const Analysis &analysis) {
  RunCounts run;
  run.seconds = secondsOf(timeline.length);
  run.ranks = std::max<int>(1, static_cast<int>(timeline.ranks.size()));
  run.tasks = timeline.facts.tasks;
  run.messages = timeline.facts.messages;
  run.nb = static_cast<int>(timeline.facts.nb);
  for (const Rank &rank : timeline.ranks)
    run.windowFull += static_cast<std::uint64_t>(std::ranges::count(rank.waits, Wait::Reason::Window, &Wait::reason));
  for (std::size_t kernel = 0; kernel < timeline.kernels.size(); ++kernel)
    if (isOfTasks(timeline.kernels[kernel]))
      run.kernels.push_back({timeline.kernels[kernel], analysis.tasks[kernel], secondsOf(analysis.busy[kernel]), 0});
  int rows = 0;
  std::vector<int> workers(run.ranks);
  run.busy.resize(run.ranks);
  for (std::size_t row = 0; row < timeline.rows.size(); ++row) {
    const Row &each = timeline.rows[row];
    rows += each.computes();
    const double part = timeline.length > 0 ? analysis.rows[row].busy / timeline.length : 0;
    if (each.kind == Row::Kind::Device)
      run.devices.push_back({each.name, part, 0});
    if (each.kind != Row::Kind::Worker)
      continue;
    ++workers[each.rank];
    run.busy[each.rank] += part;
  }
  run.threads = std::max(1, *std::ranges::max_element(workers));
  for (int rank = 0; rank < run.ranks; ++rank)
    run.busy[rank] /= std::max(1, workers[rank]);
  for (const Piece &piece : timeline.pieces) {
    if (piece.kind == Piece::Kind::Copy && !run.devices.empty())
      run.devices.front().bytes += piece.bytes;
    run.bytes += piece.kind == Piece::Kind::Send ? piece.bytes : 0;
  }
  run.waits = waitsOf(timeline, analysis, timeline.length * rows);
  return run;
}

} // namespace hetc::gantt
