#include "tests/unit/tools/gantt/small_runs.hpp"
#include "tools/gantt/critical_path.hpp"

#include <gtest/gtest.h>

namespace hetc::gantt {
namespace {
using namespace test;

std::string pathOf(const Timeline &timeline) {
  std::string text;
  for (const std::uint32_t index : criticalPath(timeline, PieceIndex(timeline))) {
    const Piece &piece = timeline.pieces[index];
    text += timeline.kernels[piece.kernel] + "@" + std::to_string(static_cast<int>(piece.begin)) + " ";
  }
  return text;
}

/// The last task had no room in the window until the one before it had ended.
TEST(CriticalPath, GoesBackThroughAFullWindow) { EXPECT_EQ(pathOf(twoWorkers()), "potrf@0 trsm@12 trsm@26 "); }

TEST(CriticalPath, GoesFromRankToRank) { EXPECT_EQ(pathOf(twoRanks()), "potrf@0 message@11 message@15 trsm@18 "); }

TEST(CriticalPath, AReceiveThatCameLateWaitedForItsOwnRank) {
  Timeline timeline = twoRanks();
  for (Piece &piece : timeline.pieces)
    if (piece.kind == Piece::Kind::Receive)
      piece.ready = piece.begin; // nothing to wait for when it was there
  EXPECT_EQ(pathOf(timeline), "message@15 trsm@18 ");
}

} // namespace
} // namespace hetc::gantt
