#include "tools/gantt/bars.hpp"

#include <algorithm>
#include <map>

namespace hetc::gantt {
namespace {

constexpr int mostLanes = 4;
/// Clocks of two cores differ by less.
constexpr Time jitter = 0.05;

/// Follows the pieces of one lane.
class Joiner {
public:
  Joiner(Time pixel, std::vector<Bar> &bars) : pixel_(pixel), bars_(bars) {}

  void add(const Bar &bar) {
    const bool isShort = bar.end - bar.begin < pixel_;
    if (open_ && isShort && bar.end - bars_[bar_].begin <= pixel_) {
      join(bar);
      return;
    }
    bar_ = bars_.size();
    bars_.push_back(bar);
    open_ = isShort;
    times_ = {{bar.kernel, bar.end - bar.begin}};
  }

private:
  void join(const Bar &bar) {
    Bar &all = bars_[bar_];
    all.end = std::max(all.end, bar.end);
    all.critical |= bar.critical;
    all.piece = Piece::none;
    ++all.count;
    times_[bar.kernel] += bar.end - bar.begin;
    all.kernel = std::ranges::max_element(times_, {}, [](const auto &time) { return time.second; })->first;
  }

  const Time pixel_;
  std::vector<Bar> &bars_;
  std::size_t bar_ = 0;
  bool open_ = false;
  std::map<int, Time> times_; // by kernel, of the open bar
};

int laneFor(std::vector<Time> &ends, const Piece &piece) {
  for (std::size_t lane = 0; lane < ends.size(); ++lane)
    if (ends[lane] <= piece.begin + jitter) {
      ends[lane] = piece.end;
      return static_cast<int>(lane);
    }
  if (ends.size() < mostLanes) {
    ends.push_back(piece.end);
    return static_cast<int>(ends.size()) - 1;
  }
  ends.back() = std::max(ends.back(), piece.end);
  return mostLanes - 1;
}

void drawPieces(const Timeline &timeline, const std::vector<bool> &critical, Time pixel, std::vector<DrawnRow> &rows) {
  std::uint32_t index = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    DrawnRow &drawn = rows[row];
    std::vector<Time> ends;
    std::vector<Joiner> joiners(mostLanes, Joiner(pixel, drawn.bars));
    for (; index < timeline.pieces.size() && timeline.pieces[index].row == static_cast<int>(row); ++index) {
      const Piece &piece = timeline.pieces[index];
      const int lane = laneFor(ends, piece);
      joiners[lane].add({lane, piece.begin, piece.end, piece.kernel, index, 1, critical[index]});
    }
    drawn.lanes = std::max(1, static_cast<int>(ends.size()));
  }
}

/// The stretches of a row, one after the other.
void drawIdle(const std::vector<Idle> &idle, Time pixel, std::vector<DrawnRow> &rows) {
  std::vector<Time> longest(rows.size()); // of the last bar of each row: the part that gave it its cause
  for (const Idle &stretch : idle) {
    std::vector<IdleBar> &bars = rows[stretch.row].idle;
    const Time length = stretch.end - stretch.begin;
    const bool joins = !bars.empty() && length < pixel && bars.back().end - bars.back().begin < pixel &&
                       stretch.end - bars.back().begin <= pixel;
    if (!joins) {
      bars.push_back({stretch.begin, stretch.end, stretch.cause, stretch.kernel, length});
      longest[stretch.row] = length;
      continue;
    }
    bars.back().end = stretch.end;
    bars.back().time += length;
    if (length > longest[stretch.row]) {
      longest[stretch.row] = length;
      bars.back().cause = stretch.cause;
      bars.back().kernel = stretch.kernel;
    }
  }
  for (DrawnRow &row : rows)
    std::erase_if(row.idle, [pixel](const IdleBar &bar) { return bar.time < pixel / 4; });
}

} // namespace

std::vector<DrawnRow> drawRows(const Timeline &timeline, const Analysis &analysis, Time pixel) {
  std::vector<bool> critical(timeline.pieces.size());
  for (const std::uint32_t piece : analysis.path)
    critical[piece] = true;
  std::vector<DrawnRow> rows(timeline.rows.size());
  drawPieces(timeline, critical, pixel, rows);
  drawIdle(analysis.idle, pixel, rows);
  return rows;
}

std::uint64_t joinedPieces(const std::vector<DrawnRow> &rows) {
  std::uint64_t joined = 0;
  for (const DrawnRow &row : rows)
    for (const Bar &bar : row.bars)
      if (bar.count > 1)
        joined += bar.count;
  return joined;
}

} // namespace hetc::gantt
