#include "tests/unit/tools/gantt/small_runs.hpp"
#include "tools/gantt/analysis.hpp"

#include <gtest/gtest.h>

#include <random>
#include <sstream>

namespace hetc::gantt {
namespace {
using namespace test;

/// "0-10 a task runs potrf, 10-12 ready, not begun"
std::string idleText(const Timeline &timeline, int row) {
  std::ostringstream text;
  for (const Idle &idle : explainIdle(timeline))
    if (idle.row == row) {
      text << (text.tellp() > 0 ? "; " : "") << idle.begin << "-" << idle.end << " " << nameOf(idle.cause);
      if (idle.kernel >= 0)
        text << " " << timeline.kernels[idle.kernel];
    }
  return text.str();
}

void expectWhole(const Timeline &timeline) {
  const Analysis analysis = analyze(timeline);
  for (std::size_t row = 0; row < timeline.rows.size(); ++row) {
    Time sum = analysis.rows[row].busy;
    for (const Time idle : analysis.rows[row].idle)
      sum += idle;
    if (timeline.rows[row].computes()) {
      EXPECT_NEAR(sum, timeline.length, 1e-9 * timeline.length) << "row " << row;
    }
    Time kernels = 0;
    for (const Time waits : analysis.rows[row].waitsFor)
      kernels += waits;
    EXPECT_NEAR(kernels, analysis.rows[row].idle[static_cast<int>(Cause::Task)], 1e-9 * timeline.length);
  }
  for (const Idle &idle : analysis.idle)
    EXPECT_LT(idle.begin, idle.end);
}

TEST(Idle, ATaskThenAFullWindowThenNothing) {
  const Timeline timeline = twoWorkers();
  EXPECT_EQ(idleText(timeline, 0), "10-12 ready, not begun; 12-25 window full; 25-26 ready, not begun");
  EXPECT_EQ(idleText(timeline, 1), "0-10 a task runs potrf; 10-12 ready, not begun; 20-25 window full; "
                                   "25-26 ready, not begun; 26-40 nothing left");
  expectWhole(timeline);
}

TEST(Idle, LoopsRunInTheThreadThatGenerates) {
  Timeline timeline = twoWorkers();
  timeline.rows[0].generates = true;
  for (Piece &piece : timeline.pieces)
    if (piece.number == 1)
      piece.begin = 1;
  timeline.ranks[0].waits = {{Wait::Reason::Window, 1, 20}};
  // From 20 on it was in the loops until the last task was there.
  EXPECT_EQ(idleText(timeline, 0), "0-1 program's loops; 10-12 ready, not begun; 12-20 window full; "
                                   "20-25 program's loops; 25-26 ready, not begun");
  EXPECT_EQ(idleText(timeline, 1), "0-1 ready, not begun; 1-10 a task runs potrf; 10-12 ready, not begun; "
                                   "20-25 program's loops; 25-26 ready, not begun; 26-40 nothing left");
  expectWhole(timeline);
}

TEST(Idle, AMessageAndWhatItWaitedFor) {
  const Timeline timeline = twoRanks();
  EXPECT_EQ(idleText(timeline, 0), "10-30 nothing left");
  EXPECT_EQ(idleText(timeline, 2), "0-10 a task runs potrf; 10-18 message");
  expectWhole(timeline);
}

TEST(Idle, AMessageWhoseSenderIsNotInTheTrace) {
  Timeline timeline = twoRanks();
  std::erase_if(timeline.pieces, [](const Piece &piece) { return piece.kind == Piece::Kind::Send; });
  timeline.settle();
  EXPECT_EQ(idleText(timeline, 2), "0-18 message");
  expectWhole(timeline);
}

TEST(Idle, CopiesTurnsAndMemoryOfAccelerators) {
  Timeline timeline = emptyRun(1);
  const int worker = addRow(timeline, Row::Kind::Worker, 0, "worker 0", 0);
  const int device = addRow(timeline, Row::Kind::Device, 0, "gpu", 1);
  const int copies = addRow(timeline, Row::Kind::CopiesIn, 0, "gpu copies in", -1);
  timeline.ranks[0].waits = {{Wait::Reason::Memory, 30, 36}};
  addTask(timeline, worker, Potrf, {5, 10}, {1, 0, 0, 0});
  add(timeline, Piece::Kind::Copy, copies, Copy, {12, 15}, {2, 1, 0, 10});
  addTask(timeline, device, Trsm, {15, 20}, {3, 2, 0, 15});
  addTask(timeline, device, Trsm, {20, 28}, {4, 0, 0, 0});
  addTask(timeline, worker, Potrf, {40, 42}, {5, 4, 0, 28});
  addTask(timeline, device, Trsm, {36, 50}, {6, 0, 36, 36});
  timeline.settle();
  // The device's first task waits for a copy, this for a task that had to wait for its worker.
  EXPECT_EQ(idleText(timeline, device), "0-5 a task's turn; 5-10 a task runs potrf; 10-15 copy; "
                                        "28-30 program's loops; 30-36 device memory");
  EXPECT_EQ(idleText(timeline, worker), "0-5 ready, not begun; 10-20 a task's turn; 20-28 a task runs trsm; "
                                        "28-40 ready, not begun; 42-50 nothing left");
  expectWhole(timeline);
}

TEST(Idle, WhatNobodyKnowsIsNotBegun) {
  Timeline timeline = emptyRun(1);
  const int worker = addRow(timeline, Row::Kind::Worker, 0, "worker 0", 0);
  addTask(timeline, worker, Potrf, {5, 10}, {0, 0, 0, 0});
  addTask(timeline, worker, Potrf, {15, 20}, {7, 3, 0, 15}); // number 3 is not there
  timeline.settle();
  EXPECT_EQ(idleText(timeline, worker), "0-5 ready, not begun; 10-15 ready, not begun");
  expectWhole(timeline);
}

TEST(Idle, CausesInCirclesEnd) {
  Timeline timeline = emptyRun(1);
  const int worker = addRow(timeline, Row::Kind::Worker, 0, "worker 0", 0);
  addTask(timeline, worker, Potrf, {50, 60}, {1, 2, 0, 50});
  addTask(timeline, worker, Potrf, {50, 60}, {2, 1, 0, 50});
  timeline.settle();
  expectWhole(timeline);
  EXPECT_LE(analyze(timeline).path.size(), 2u);
}

/// Times are taken apart without rest, whatever a file says.
TEST(Idle, AddsUpForAnything) {
  std::mt19937 random(1);
  const auto upTo = [&](int most) { return static_cast<int>(random() % (most + 1)); };
  for (int round = 0; round < 200; ++round) {
    Timeline timeline = emptyRun(2);
    for (int row = 0; row < 8; ++row)
      addRow(timeline, static_cast<Row::Kind>(row % 6), row / 4, "row", row % 4 < 2 ? row / 2 : -1);
    timeline.rows[0].generates = upTo(1);
    for (Rank &rank : timeline.ranks)
      for (Time at = upTo(20); at < 100; at += upTo(40))
        rank.waits.push_back({static_cast<Wait::Reason>(upTo(1)), at, at + upTo(10)});
    for (std::uint32_t number = 1; number < 40; ++number) {
      const Time begin = upTo(100);
      const int row = upTo(7);
      Piece &piece =
          add(timeline, timeline.rows[row].computes() ? Piece::Kind::Task : static_cast<Piece::Kind>(1 + upTo(2)), row,
              upTo(3), {begin, begin + upTo(10)},
              {number, static_cast<std::uint32_t>(upTo(40)), Time(upTo(100)), Time(upTo(100))});
      piece.peer = upTo(1);
      piece.message = static_cast<std::uint32_t>(upTo(3));
    }
    timeline.settle();
    expectWhole(timeline);
    EXPECT_LE(analyze(timeline).path.size(), timeline.pieces.size());
  }
}

} // namespace
} // namespace hetc::gantt
