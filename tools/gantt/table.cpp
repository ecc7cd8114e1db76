#include "tools/gantt/table.hpp"

#include "dsl/base/text.hpp"

#include <algorithm>

namespace hetc::gantt {
namespace {
using tla::format;

std::string timeText(Time time, const Unit &unit) { return format("%.3f", time * unit.perMicrosecond); }

std::string durationText(Time time) { return tla::formatSeconds(time * 1e-6); }

/// The causes that do not round to zero in this unit.
std::vector<Cause> causesIn(const RowSums &sums, const Unit &unit) {
  std::vector<Cause> list;
  for (int cause = 0; cause < causes; ++cause)
    if (sums.idle[cause] * unit.perMicrosecond >= 0.0005)
      list.push_back(static_cast<Cause>(cause));
  return list;
}

std::vector<std::string> sumLine(const std::string &label, const RowSums &sums, const std::vector<Cause> &list,
                                 const Unit &unit) {
  std::vector<std::string> line = {label, timeText(sums.busy, unit)};
  for (const Cause cause : list)
    line.push_back(timeText(sums.idle[static_cast<int>(cause)], unit));
  return line;
}

std::vector<std::string> percentLine(const RowSums &sums, const std::vector<Cause> &list, Time all) {
  const auto percent = [all](Time time) { return format("%.1f%%", all > 0 ? 100 * time / all : 0.0); };
  std::vector<std::string> line = {"", percent(sums.busy)};
  for (const Cause cause : list)
    line.push_back(percent(sums.idle[static_cast<int>(cause)]));
  return line;
}

std::string aligned(const SumTable &table) {
  std::vector<std::size_t> widths(table.front().size());
  for (const std::vector<std::string> &line : table)
    for (std::size_t column = 0; column < line.size(); ++column)
      widths[column] = std::max(widths[column], line[column].size());
  std::string text;
  for (const std::vector<std::string> &line : table) {
    text += format("  %-*s", static_cast<int>(widths[0]), line[0].c_str());
    for (std::size_t column = 1; column < line.size(); ++column)
      text += format("  %*s", static_cast<int>(widths[column]), line[column].c_str());
    text += "\n";
  }
  return text;
}

} // namespace

Unit unitFor(Time length) {
  if (length >= 1e6)
    return {"s", 1e-6};
  return length >= 1e3 ? Unit{"ms", 1e-3} : Unit{"us", 1};
}

std::string titleOf(const Facts &facts) {
  std::string text = facts.program + ", " + facts.type + ":";
  for (const auto &[symbol, value] : facts.sizes)
    text += " " + symbol + " = " + std::to_string(value) + ",";
  text += format(" nb = %ld: ", facts.nb) + durationText(facts.seconds * 1e6);
  if (facts.seconds > 0 && facts.flops > 0)
    text += format(", %.1f Gflop/s", facts.flops / facts.seconds * 1e-9);
  return text + (facts.machine.empty() ? "" : ", in virtual time on " + facts.machine);
}

std::string labelOf(const Timeline &timeline, const Row &row) {
  return (timeline.ranks.size() > 1 ? "rank " + std::to_string(row.rank) + " " : "") + row.name;
}

std::vector<std::string> notesOf(const Timeline &timeline) {
  std::vector<std::string> notes;
  if (timeline.facts.until > 0)
    notes.push_back("the trace is not whole: of the run's " + std::to_string(timeline.facts.tasks) +
                    " tasks it has the first " +
                    std::to_string(std::ranges::count_if(
                        timeline.pieces, [](const Piece &piece) { return piece.kind == Piece::Kind::Task; })) +
                    ", and nothing is known behind " + durationText(timeline.facts.until));
  if (timeline.facts.rowsLeftOut > 0)
    notes.push_back(std::to_string(timeline.facts.rowsLeftOut) +
                    " rows of workers and accelerators that had no tasks are left out");
  if (!timeline.facts.clocksInStep)
    notes.push_back("the ranks' clocks differ by more than the run took: each rank's times are since its own start");
  return notes;
}

std::string pathText(const Timeline &timeline, const Analysis &analysis) {
  Time busy = 0, waiting = 0;
  std::string parts;
  for (const PathSum &sum : analysis.pathSums) {
    busy += sum.busy;
    waiting += sum.waiting;
    parts += (parts.empty() ? "" : ", ") + timeline.kernels[sum.kernel] + " " + durationText(sum.busy) + " (" +
             std::to_string(sum.pieces) + ")";
  }
  return "critical path: " + durationText(busy) + " of " + durationText(timeline.length) + ": " + parts +
         (waiting > 0.0005 ? "; waiting in between " + durationText(waiting) : "");
}

std::string waitsText(const Timeline &timeline, const Analysis &analysis) {
  const Time all = analysis.all.idle[static_cast<int>(Cause::Task)];
  if (all <= 0)
    return "";
  std::vector<int> kernels;
  for (std::size_t kernel = 0; kernel < timeline.kernels.size(); ++kernel)
    if (analysis.all.waitsFor[kernel] > 0)
      kernels.push_back(static_cast<int>(kernel));
  std::ranges::stable_sort(kernels, std::greater<>(), [&](int kernel) { return analysis.all.waitsFor[kernel]; });
  std::string text;
  for (const int kernel : kernels)
    text += (text.empty() ? "waits for tasks: " : ", ") + timeline.kernels[kernel] +
            format(" %.1f%%", 100 * analysis.all.waitsFor[kernel] / all);
  return text;
}

SumTable tableOf(const Timeline &timeline, const Analysis &analysis, std::size_t mostRows) {
  const Unit unit = unitFor(timeline.length);
  const std::vector<Cause> list = causesIn(analysis.all, unit);
  SumTable table;
  table.push_back({unit.name, "busy"});
  for (const Cause cause : list)
    table.back().push_back(nameOf(cause));
  std::size_t count = 0;
  std::vector<RowSums> ranks(timeline.ranks.size());
  for (std::size_t row = 0; row < timeline.rows.size(); ++row)
    if (timeline.rows[row].computes()) {
      ++count;
      ranks[timeline.rows[row].rank] += analysis.rows[row];
    }
  if (count <= mostRows) {
    for (std::size_t row = 0; row < timeline.rows.size(); ++row)
      if (timeline.rows[row].computes())
        table.push_back(sumLine(labelOf(timeline, timeline.rows[row]), analysis.rows[row], list, unit));
  } else if (ranks.size() <= mostRows) {
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
      table.push_back(sumLine("rank " + std::to_string(rank), ranks[rank], list, unit));
  }
  table.push_back(sumLine("all " + std::to_string(count), analysis.all, list, unit));
  table.push_back(percentLine(analysis.all, list, timeline.length * static_cast<double>(count)));
  return table;
}

std::string reportOf(const Timeline &timeline, const Analysis &analysis) {
  constexpr std::size_t mostRows = 64;
  std::string text = titleOf(timeline.facts) + "\n" + aligned(tableOf(timeline, analysis, mostRows));
  text += "  " + pathText(timeline, analysis) + "\n";
  if (const std::string waits = waitsText(timeline, analysis); !waits.empty())
    text += "  " + waits + "\n";
  for (const std::string &note : notesOf(timeline))
    text += "  " + note + "\n";
  return text;
}

} // namespace hetc::gantt
