#include "tools/gantt/idle.hpp"

#include <algorithm>

namespace hetc::gantt {

const char *nameOf(Cause cause) {
  static constexpr std::array<const char *, causes> names = {
      "a task runs",   "a task's turn",   "message",          "copy",        "window full",
      "device memory", "program's loops", "ready, not begun", "nothing left"};
  return names[static_cast<int>(cause)];
}

/// Numbers that are far beyond the pieces there are come from a file that is not what it seems: nobody has them then.
PieceIndex::PieceIndex(const Timeline &timeline) : byNumber_(timeline.ranks.size()) {
  std::vector<std::size_t> most(timeline.ranks.size(), 1024);
  for (const Piece &piece : timeline.pieces)
    most[timeline.rows[piece.row].rank] += 64;
  for (std::uint32_t index = 0; index < timeline.pieces.size(); ++index) {
    const Piece &piece = timeline.pieces[index];
    const int rank = timeline.rows[piece.row].rank;
    std::vector<std::uint32_t> &numbers = byNumber_[rank];
    if (piece.number == 0 || piece.number > most[rank])
      continue;
    if (numbers.size() <= piece.number)
      numbers.resize(std::max<std::size_t>(piece.number + 1, 2 * numbers.size()), Piece::none);
    numbers[piece.number] = index;
  }
}

std::vector<std::pair<Time, Time>> busyStretches(const Timeline &timeline, int row) {
  std::vector<std::pair<Time, Time>> stretches;
  const auto [first, last] = std::ranges::equal_range(timeline.pieces, row, {}, &Piece::row);
  for (auto piece = first; piece != last; ++piece)
    if (!stretches.empty() && piece->begin <= stretches.back().second)
      stretches.back().second = std::max(stretches.back().second, piece->end);
    else
      stretches.emplace_back(piece->begin, piece->end);
  return stretches;
}

namespace {

/// Takes stretches of idle time apart, from their ends back.
class Explanation {
public:
  Explanation(const Timeline &timeline) : timeline_(timeline), index_(timeline) {
    for (const Row &row : timeline.rows)
      begins_.resize(std::max<std::size_t>(begins_.size(), row.unit + 1));
    for (std::uint32_t index = 0; index < timeline.pieces.size(); ++index)
      if (const Row &row = rowOf(index); row.computes())
        begins_[row.unit].push_back(index);
    for (std::vector<std::uint32_t> &unit : begins_)
      std::ranges::stable_sort(unit, {}, [this](std::uint32_t index) { return piece(index).begin; });
    lastAppended_.resize(timeline.ranks.size());
    for (const Piece &piece : timeline.pieces)
      if (Time &last = lastAppended_[timeline.rows[piece.row].rank]; piece.number)
        last = std::max(last, piece.appended);
  }

  std::vector<Idle> run() {
    for (row_ = 0; row_ < static_cast<int>(timeline_.rows.size()); ++row_) {
      if (!timeline_.rows[row_].computes())
        continue;
      Time free = 0;
      for (const auto &[begin, end] : busyStretches(timeline_, row_)) {
        explain(free, begin);
        free = end;
      }
      explain(free, timeline_.length);
    }
    return std::move(list_);
  }

private:
  const Row &rowOf(std::uint32_t index) const { return timeline_.rows[piece(index).row]; }
  const Piece &piece(std::uint32_t index) const { return timeline_.pieces[index]; }

  /// The row is idle from `begin` to `end`.
  void explain(Time begin, Time end) {
    const std::size_t first = list_.size();
    const Row &row = timeline_.rows[row_];
    if (row.generates) { // this thread was in the program's loops
      const Time last = std::min(end, lastAppended_[row.rank]);
      for (auto wait = firstWait(row.rank, begin); wait != timeline_.ranks[row.rank].waits.end(); ++wait) {
        if (wait->begin >= last)
          break;
        add(begin, wait->begin, Cause::Loops);
        begin = std::max(begin, wait->begin);
        explainByTasks(begin, std::min(end, wait->end));
        begin = std::min(end, wait->end);
      }
      add(begin, last, Cause::Loops);
      begin = std::max(begin, std::min(last, end));
    }
    explainByTasks(begin, end);
    std::sort(list_.begin() + static_cast<std::ptrdiff_t>(first), list_.end(),
              [](const Idle &a, const Idle &b) { return a.begin < b.begin; });
    join(first);
  }

  /// The first that ends behind a time.
  std::vector<Wait>::const_iterator firstWait(int rank, Time time) const {
    return std::ranges::upper_bound(timeline_.ranks[rank].waits, time, {}, &Wait::end);
  }

  /// By the tasks that begin on the unit, one after the other.
  void explainByTasks(Time begin, Time end) {
    const std::vector<std::uint32_t> &unit = begins_[timeline_.rows[row_].unit];
    auto next = std::ranges::upper_bound(unit, begin, {}, [this](std::uint32_t index) { return piece(index).begin; });
    for (; begin < end; ++next) {
      if (next == unit.end())
        return add(begin, end, Cause::Nothing);
      const Time until = std::min(end, piece(*next).begin);
      explainBy(*next, begin, until);
      begin = std::max(begin, until);
    }
  }

  /// Explains what kept the task from beginning, between `begin` and `end`, at which it has not begun.
  void explainBy(std::uint32_t task, Time begin, Time end) {
    constexpr int mostSteps = 100'000; // a file in which causes go in circles is not what a run has written
    steps_ = {{task, begin, end, false}};
    for (int count = 0; !steps_.empty(); ++count) {
      const Step step = steps_.back();
      steps_.pop_back();
      if (count < mostSteps)
        follow(step);
      else
        add(step.begin, step.end, Cause::Start);
    }
  }

  /// Between two times nothing could begin except this piece, which may be under way in it, or not.
  struct Step {
    std::uint32_t index;
    Time begin, end;
    bool running; ///< whether the task may run, or has to wait for its turn; else it is the task that begins
  };

  void follow(Step step) {
    const Piece &at = piece(step.index);
    if (step.running)
      step.end = addUntil(step, at.begin, causeOf(at), at.kind == Piece::Kind::Task ? at.kernel : -1);
    // From when it was ready.
    if (at.kind == Piece::Kind::Receive && at.otherEnd != Piece::none) {
      if (const Time ready = std::max(step.begin, at.ready); ready < step.end) {
        steps_.push_back({at.otherEnd, ready, step.end, true});
        step.end = ready;
      }
    } else {
      step.end = addUntil(step, at.ready, waitOf(step.index), -1);
    }
    // While it waited in the window, for its cause; and before it was there.
    const int rank = timeline_.rows[at.row].rank;
    const Time appended = std::clamp(at.appended, step.begin, std::max(step.begin, step.end));
    addUnappended(rank, step.begin, appended);
    const std::uint32_t cause = at.cause ? index_.find(rank, at.cause) : Piece::none;
    if (cause == Piece::none || piece(cause).begin > at.ready)
      add(appended, step.end, Cause::Start); // nobody knows
    else if (appended < step.end)
      steps_.push_back({cause, appended, step.end, true});
  }

  /// From `from` on to the end of the step; returns where that ends then.
  Time addUntil(const Step &step, Time from, Cause cause, int kernel) {
    from = std::clamp(from, step.begin, std::max(step.begin, step.end));
    add(from, step.end, cause, kernel);
    return from;
  }

  static Cause causeOf(const Piece &piece) {
    switch (piece.kind) {
    case Piece::Kind::Task:
      return Cause::Task;
    case Piece::Kind::Copy:
      return Cause::Copy;
    default:
      return Cause::Message;
    }
  }
  /// The cause of waiting for a task that is ready, and has not begun.
  Cause waitOf(std::uint32_t index) const {
    const Cause cause = causeOf(piece(index));
    if (cause != Cause::Task)
      return cause;
    return rowOf(index).unit == timeline_.rows[row_].unit ? Cause::Start : Cause::Turn;
  }

  /// The program's loops of a rank had not made the task.
  void addUnappended(int rank, Time begin, Time end) {
    for (auto wait = firstWait(rank, begin); wait != timeline_.ranks[rank].waits.end(); ++wait) {
      if (wait->begin >= end)
        break;
      add(begin, wait->begin, Cause::Loops);
      add(std::max(begin, wait->begin), std::min(end, wait->end),
          wait->reason == Wait::Reason::Window ? Cause::Window : Cause::Memory);
      begin = std::max(begin, std::min(end, wait->end));
    }
    add(begin, end, Cause::Loops);
  }

  void add(Time begin, Time end, Cause cause, int kernel = -1) {
    if (begin < end)
      list_.push_back({row_, begin, end, cause, kernel});
  }

  /// Neighbours of one cause, from the first on.
  void join(std::size_t first) {
    std::size_t kept = first;
    for (std::size_t next = first; next < list_.size(); ++next)
      if (kept > first && list_[kept - 1].cause == list_[next].cause && list_[kept - 1].kernel == list_[next].kernel)
        list_[kept - 1].end = list_[next].end;
      else
        list_[kept++] = list_[next];
    list_.resize(kept);
  }

  const Timeline &timeline_;
  const PieceIndex index_;
  std::vector<std::vector<std::uint32_t>> begins_; // by unit: its pieces by begin
  std::vector<Time> lastAppended_;                 // by rank
  int row_ = 0;
  std::vector<Step> steps_;
  std::vector<Idle> list_;
};

} // namespace

std::vector<Idle> explainIdle(const Timeline &timeline) { return Explanation(timeline).run(); }

} // namespace hetc::gantt
