// A run as it was traced: rows, and what ran in them when.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace hetc::gantt {

/// Microseconds since the first rank began.
using Time = double;

struct Row {
  enum class Kind { Worker, Device, CopiesIn, CopiesOut, Sends, Receives } kind = Kind::Worker;
  int rank = 0;
  std::string name; ///< "worker 0", "h200-sxm:1 copies in", "sends"
  /// Tasks of one unit run in any of its rows: workers of a rank have its unit, each accelerator one of its own. -1:
  /// nothing computes here.
  int unit = -1;
  /// The program's loops run on this thread, while they do not wait.
  bool generates = false;

  bool computes() const { return unit >= 0; }
};

/// A task, a copy or one end of a message.
struct Piece {
  enum class Kind { Task, Copy, Send, Receive } kind = Kind::Task;
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  int row = 0;
  int kernel = 0;   ///< index in Timeline::kernels
  std::string tile; ///< "(3, 1)", "A(3, 1)"
  Time begin = 0, end = 0;
  std::uint32_t number = 0; ///< number in program order of its rank, from 1; 0: not known
  std::uint32_t cause = 0;  ///< the number of whose end made it ready; 0: it was ready when it was appended
  Time appended = 0, ready = 0;
  std::uint64_t bytes = 0;       ///< bytes of a copy or a message
  int peer = -1;                 ///< the other rank of a message
  std::uint32_t message = 0;     ///< number of the message among those of the two ranks
  std::uint32_t otherEnd = none; ///< index of the message's other end; none: it is not in the trace
};

/// The program's loops could not go on.
struct Wait {
  enum class Reason { Window, Memory } reason = Reason::Window;
  Time begin = 0, end = 0;
};

struct Rank {
  std::vector<Wait> waits; ///< in order, none overlaps another
};

/// The facts about its run that a trace contains.
struct Facts {
  std::string program, type;
  std::vector<std::pair<std::string, long>> sizes; ///< m, n, k
  long nb = 0;
  double seconds = 0, flops = 0;
  std::string machine;                   ///< machine of a run in virtual time; else empty
  std::uint64_t tasks = 0, messages = 0; ///< counts of the run
  Time until = 0;                        ///< for a trace that is cut: nothing is known from then on; else 0
  bool clocksInStep = true;
  std::uint64_t rowsLeftOut = 0; ///< computing rows that are left out; see Timeline::dropEmptyRows()
};

/// Invariants: pieces are in the order of their rows, and in a row of begin; those of one row need not be apart; none
/// ends before it begins, or begins before 0; all end by `length`.
struct Timeline {
  Facts facts;
  std::vector<std::string> kernels; ///< in alphabetical order; "copy" and "message" are among them
  std::vector<Row> rows;
  std::vector<Rank> ranks;
  std::vector<Piece> pieces;
  Time length = 0; ///< the end of the last piece

  /// Sorts pieces and waits, cuts what lies behind Facts::until, finds the other ends of messages and the length.
  void settle();
  /// Rows in which nothing ran, except those of units that had tasks elsewhere. Before settle().
  void dropEmptyRows();
};

} // namespace hetc::gantt
