#include "tools/gantt/analysis.hpp"

#include <algorithm>

namespace hetc::gantt {

RowSums &RowSums::operator+=(const RowSums &other) {
  busy += other.busy;
  for (int cause = 0; cause < causes; ++cause)
    idle[cause] += other.idle[cause];
  waitsFor.resize(std::max(waitsFor.size(), other.waitsFor.size()));
  for (std::size_t kernel = 0; kernel < other.waitsFor.size(); ++kernel)
    waitsFor[kernel] += other.waitsFor[kernel];
  return *this;
}

namespace {

void sumRows(const Timeline &timeline, Analysis &analysis) {
  analysis.rows.resize(timeline.rows.size());
  analysis.all.waitsFor.resize(timeline.kernels.size());
  for (std::size_t row = 0; row < timeline.rows.size(); ++row) {
    analysis.rows[row].waitsFor.resize(timeline.kernels.size());
    for (const auto &[begin, end] : busyStretches(timeline, static_cast<int>(row)))
      analysis.rows[row].busy += end - begin;
  }
  for (const Idle &idle : analysis.idle) {
    RowSums &sums = analysis.rows[idle.row];
    sums.idle[static_cast<int>(idle.cause)] += idle.end - idle.begin;
    if (idle.kernel >= 0)
      sums.waitsFor[idle.kernel] += idle.end - idle.begin;
  }
  for (std::size_t row = 0; row < timeline.rows.size(); ++row)
    if (timeline.rows[row].computes())
      analysis.all += analysis.rows[row];
}

/// Each piece has the time from the end of the one before to its own, or, of what is sent, to the begin of its receipt.
void sumPath(const Timeline &timeline, Analysis &analysis) {
  std::vector<PathSum> sums(timeline.kernels.size());
  Time before = 0;
  for (std::size_t step = 0; step < analysis.path.size(); ++step) {
    const Piece &piece = timeline.pieces[analysis.path[step]];
    const bool isReceived = step + 1 < analysis.path.size() && piece.otherEnd == analysis.path[step + 1];
    const Time begin = std::max(before, piece.begin),
               end = std::max(begin, isReceived ? timeline.pieces[piece.otherEnd].begin : piece.end);
    PathSum &sum = sums[piece.kernel];
    sum.kernel = piece.kernel;
    ++sum.pieces;
    sum.busy += end - begin;
    sum.waiting += begin - before;
    before = end;
  }
  std::erase_if(sums, [](const PathSum &sum) { return sum.pieces == 0; });
  std::ranges::stable_sort(sums, [](const PathSum &a, const PathSum &b) { return a.busy > b.busy; });
  analysis.pathSums = std::move(sums);
}

} // namespace

Analysis analyze(const Timeline &timeline) {
  Analysis analysis;
  analysis.idle = explainIdle(timeline);
  analysis.path = criticalPath(timeline, PieceIndex(timeline));
  sumRows(timeline, analysis);
  sumPath(timeline, analysis);
  analysis.tasks.resize(timeline.kernels.size());
  analysis.busy.resize(timeline.kernels.size());
  for (const Piece &piece : timeline.pieces) {
    if (piece.kind == Piece::Kind::Send) // a message counts where it comes to
      continue;
    ++analysis.tasks[piece.kernel];
    analysis.busy[piece.kernel] += piece.end - piece.begin;
  }
  return analysis;
}

} // namespace hetc::gantt
