// Runs small enough to know by hand what is to be said of them. Times are microseconds.
#pragma once

#include "tools/gantt/timeline.hpp"

#include <string>
#include <vector>

namespace hetc::gantt::test {

enum Kernel : int { Copy, Message, Potrf, Trsm };

inline Timeline emptyRun(int ranks) {
  Timeline timeline;
  timeline.facts.program = "cholesky";
  timeline.facts.type = "double";
  timeline.facts.sizes = {{"n", 100}};
  timeline.facts.nb = 50;
  timeline.kernels = {"copy", "message", "potrf", "trsm"};
  timeline.ranks.resize(ranks);
  return timeline;
}

/// `unit` -1: nothing computes there.
inline int addRow(Timeline &timeline, Row::Kind kind, int rank, const std::string &name, int unit) {
  timeline.rows.push_back({kind, rank, name, unit, false});
  return static_cast<int>(timeline.rows.size()) - 1;
}

struct When {
  Time begin, end;
};
/// How it came there: its number, whose end made it ready, since when it was in the window, and ready.
struct Origin {
  std::uint32_t number, cause;
  Time appended, ready;
};

inline Piece &add(Timeline &timeline, Piece::Kind kind, int row, int kernel, When when, Origin origin) {
  Piece piece;
  piece.kind = kind;
  piece.row = row;
  piece.kernel = kernel;
  piece.tile = "(0, 0)";
  piece.begin = when.begin;
  piece.end = when.end;
  piece.number = origin.number;
  piece.cause = origin.cause;
  piece.appended = origin.appended;
  piece.ready = origin.ready;
  timeline.pieces.push_back(piece);
  return timeline.pieces.back();
}
inline void addTask(Timeline &timeline, int row, int kernel, When when, Origin origin) {
  add(timeline, Piece::Kind::Task, row, kernel, when, origin);
}
inline void addMessage(Timeline &timeline, bool sent, int row, int peer, When when, Origin origin) {
  Piece &piece = add(timeline, sent ? Piece::Kind::Send : Piece::Kind::Receive, row, Message, when, origin);
  piece.peer = peer;
  piece.message = 0;
  piece.bytes = 800;
}

/// Two workers: a potrf, of which the trsm on the other waits; a second one that had no room in the window.
inline Timeline twoWorkers() {
  Timeline timeline = emptyRun(1);
  const int first = addRow(timeline, Row::Kind::Worker, 0, "worker 0", 0);
  const int second = addRow(timeline, Row::Kind::Worker, 0, "worker 1", 0);
  timeline.ranks[0].waits = {{Wait::Reason::Window, 1, 25}};
  addTask(timeline, first, Potrf, {0, 10}, {1, 0, 0, 0});
  addTask(timeline, second, Trsm, {12, 20}, {2, 1, 0, 10});
  addTask(timeline, first, Trsm, {26, 40}, {3, 0, 25, 25});
  timeline.settle();
  return timeline;
}

/// Two ranks of one worker: what the first has computed goes to the second.
inline Timeline twoRanks() {
  Timeline timeline = emptyRun(2);
  const int first = addRow(timeline, Row::Kind::Worker, 0, "worker 0", 0);
  const int sends = addRow(timeline, Row::Kind::Sends, 0, "sends", -1);
  const int second = addRow(timeline, Row::Kind::Worker, 1, "worker 0", 1);
  const int receives = addRow(timeline, Row::Kind::Receives, 1, "receives", -1);
  addTask(timeline, first, Potrf, {0, 10}, {1, 0, 0, 0});
  addMessage(timeline, true, sends, 1, {11, 20}, {2, 1, 0, 10});
  addMessage(timeline, false, receives, 0, {15, 18}, {1, 0, 0, 0});
  addTask(timeline, second, Trsm, {18, 30}, {2, 1, 0, 18});
  timeline.settle();
  return timeline;
}

} // namespace hetc::gantt::test
