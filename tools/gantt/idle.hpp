// Why a row had nothing to do.
#pragma once

#include "tools/gantt/timeline.hpp"

#include <array>
#include <vector>

namespace hetc::gantt {

/// The cause of a row's idleness at a moment: the event on the way to the next task of its unit.
enum class Cause {
  Task,    ///< a task ran: a panel, or another one that many wait for
  Turn,    ///< a task was ready, and its unit, another one, had others to do
  Message, ///< a message was on the way between nodes
  Copy,    ///< a copy was on the way between host and accelerator
  Window,  ///< the window was full: the next task was not in it
  Memory,  ///< an accelerator had no memory for the next tasks
  Loops,   ///< the program's loops had not come to the next task, or ran in this very thread
  Start,   ///< a task was ready, and nobody had begun it
  Nothing, ///< no task was left for this unit
};
inline constexpr int causes = 9;
/// "waits for a task", in the order of Cause.
const char *nameOf(Cause cause);

struct Idle {
  int row = 0;
  Time begin = 0, end = 0;
  Cause cause = Cause::Nothing;
  int kernel = -1; ///< kernel of a Task; else -1
};

/// The idle times of all rows that compute, in the order of rows and times, each taken apart without rest: busy times
/// (of a row with several pieces at a time: in which there is at least one) and these are 0 .. timeline.length.
std::vector<Idle> explainIdle(const Timeline &timeline);

/// The stretches of a row in which at least one piece is under way, in order; none touches the next.
std::vector<std::pair<Time, Time>> busyStretches(const Timeline &timeline, int row);

/// Finds the piece that has a number, of each rank.
class PieceIndex {
public:
  explicit PieceIndex(const Timeline &timeline);
  /// Piece::none: it is not in the trace.
  std::uint32_t find(int rank, std::uint32_t number) const {
    return number < byNumber_[rank].size() ? byNumber_[rank][number] : Piece::none;
  }

private:
  std::vector<std::vector<std::uint32_t>> byNumber_; // by rank
};

} // namespace hetc::gantt
