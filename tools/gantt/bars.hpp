// What is drawn of a row.
#pragma once

#include "tools/gantt/analysis.hpp"

#include <vector>

namespace hetc::gantt {

/// A piece, or several that are drawn together.
struct Bar {
  int lane = 0;
  Time begin = 0, end = 0;
  int kernel = 0;                    ///< kernel of the bar; of several the one that has most of the time
  std::uint32_t piece = Piece::none; ///< the one piece; none: several
  std::uint32_t count = 1;           ///< number of pieces
  bool critical = false;             ///< one of them is on the critical path
};

/// A bar for idle stretches, with the cause that has most of the time.
struct IdleBar {
  Time begin = 0, end = 0;
  Cause cause = Cause::Nothing;
  int kernel = -1;
  Time time = 0; ///< idle time in the bar
};

struct DrawnRow {
  int lanes = 1;
  std::vector<Bar> bars; ///< in the order of begin in each lane
  std::vector<IdleBar> idle;
};

/// Pieces that overlap are in lanes, of which a row has four at most; what is beyond shares the last one. Pieces, and
/// idle stretches, shorter than `pixel` that follow each other within one are drawn together; less than a quarter of
/// one of idle time is not seen. By row.
std::vector<DrawnRow> drawRows(const Timeline &timeline, const Analysis &analysis, Time pixel);

/// How many pieces are drawn together with others.
std::uint64_t joinedPieces(const std::vector<DrawnRow> &rows);

} // namespace hetc::gantt
