#include "compiler/ir/loop_ends.hpp"
#include "tests/unit/compiler/ir/programs.hpp"

using namespace hetc::ir;
using namespace hetc::ir::test;

namespace {

const Loop &firstLoop(const Block &block) {
  for (const Statement &statement : block) {
    if (const auto *loop = std::get_if<std::unique_ptr<Loop>>(&statement))
      return **loop;
    if (const auto *branch = std::get_if<std::unique_ptr<If>>(&statement))
      return firstLoop((*branch)->then);
  }
  throw std::logic_error("a loop is there");
}

/// "up", "down", "either", with "proved" or "never: why", of the innermost loop.
std::string endOf(const std::string &body) {
  const Program program = withBody(body);
  const Loop *loop = &firstLoop(program.body);
  while (!loop->body.empty())
    loop = &firstLoop(loop->body);
  const LoopEnd end = loopEnds(program).at(loop);
  const std::string direction = end.direction > 0 ? "up" : end.direction < 0 ? "down" : "either";
  return direction + (end.proved ? " proved" : "") + (end.never.empty() ? "" : " never: " + end.never);
}

std::string conditionsOf(const std::string &body) {
  const Program program = withBody(body);
  std::string text;
  for (const StepCondition &condition : stepConditions(program))
    text += print(*condition.reached) + " => " + print(*condition.holds) + "; ";
  return text;
}

} // namespace

TEST(LoopEnds, ConstantSteps) {
  EXPECT_EQ(endOf("for (int i = 0; i < A.mt(); ++i) {}"), "up proved");
  EXPECT_EQ(endOf("for (int i = A.mt(); 0 <= i; i = i - 3) {}"), "down proved");
  EXPECT_EQ(endOf("for (int i = 0; i < A.mt() && i * 2 < s; i = 2 + i) {}"), "up proved");
  EXPECT_EQ(endOf("for (int i = 0; A.mt() - i > s || i / 2 < 3; ++i) {}"), "up proved");
  EXPECT_EQ(endOf("for (int i = 0; i == s; ++i) {}"), "up proved");
  EXPECT_EQ(endOf("for (int i = 0; i != s; ++i) {}"), "up");
  EXPECT_EQ(endOf("for (int i = 0; min(i, 3) < s; ++i) {}"), "up"); // min(i, 3) stays 3
  EXPECT_EQ(endOf("for (int i = 0; i % 2 == 0 || i < 3; ++i) {}"), "up");
}

TEST(LoopEnds, StepsThatNeverEndTheLoop) {
  EXPECT_EQ(endOf("for (int i = 0; i < A.mt(); --i) {}"),
            "down never: its step '--i' goes down, where its condition 'i < A.mt()' stays true; step the other way, or "
            "bound 'i' from below");
  EXPECT_EQ(
      endOf("for (int i = 0; -i <= s && i >= 0; i = i + 2) {}"),
      "up never: its step 'i += 2' goes up, where its condition '-i <= s && i >= 0' stays true; step the other way, "
      "or bound 'i' from above");
  EXPECT_EQ(endOf("for (int i = 0; i < A.mt(); i = i + 0) {}"), "up never: its step does not change 'i'");
  EXPECT_EQ(endOf("for (int i = 0; s > 3; ++i) {}"), "up never: its condition 's > 3' does not depend on 'i'");
  EXPECT_EQ(endOf("for (int i = 1; i > 0; i = i * 2) {}").substr(0, 8), "up never");
  EXPECT_EQ(endOf("if (0) { for (int i = 0; i < A.mt(); --i) {} }"), "down"); // never reached
}

TEST(LoopEnds, StepsOfTrees) {
  EXPECT_EQ(endOf("for (int d = 1; d < A.mt(); d = d * 2) {}"), "up proved");
  EXPECT_EQ(endOf("for (int d = 0; d < A.mt(); d = d * 2) {}"), "up");
  EXPECT_EQ(endOf("for (int d = s; d < A.mt(); d = 2 * d) {}"), "up");
  EXPECT_EQ(endOf("for (int d = max(s, 1); d < A.mt(); d = 2 * d) {}"), "up proved");
  EXPECT_EQ(endOf("for (int d = 1; d < 9; d = d * 2) { for (int i = 0; i + d < A.mt(); i = i + 2 * d) {} }"),
            "up proved");
  EXPECT_EQ(endOf("for (int p = 64; p >= 1; p = p / 2) {}"), "down proved");
  EXPECT_EQ(endOf("for (int p = 64; p >= 0; p = p / 2) {}"), "down"); // stays at 0
  EXPECT_EQ(endOf("for (int p = 64; p >= 1; p = p / 2) { for (int i = 0; i < A.mt(); i = i + p) {} }"), "up proved");
}

TEST(LoopEnds, StepsOfArguments) {
  EXPECT_EQ(endOf("for (int i = 0; i < A.mt(); i = i + s) {}"), "up");
  EXPECT_EQ(endOf("for (int i = 9; i >= 0; i = i - s) {}"), "down");
  EXPECT_EQ(endOf("if (s > 0) { for (int i = 0; i < A.mt(); i = i + s) {} }"), "up proved");
  EXPECT_EQ(endOf("if (s >= 0) { for (int i = 0; i < A.mt(); i = i + s) {} }"), "up");
  EXPECT_EQ(endOf("for (int i = 0; i != s; i = i + s) {}"), "either");
  EXPECT_EQ(endOf("for (int i = 0; i < A.mt(); i = i + A.nb()) {}"), "up proved");
  EXPECT_EQ(endOf("for (int i = 0; i < A.mt(); i = i + A.nt()) {}"), "up");
}

TEST(LoopEnds, WhatIsAskedBeforeTheRun) {
  EXPECT_EQ(conditionsOf("for (int i = 0; i < A.mt(); i = i + s) {}"), "0 < A.mt() => s > 0; ");
  EXPECT_EQ(conditionsOf("for (int i = 0; i < A.mt(); i = i - s) {}"), "0 < A.mt() => s < 0; ");
  EXPECT_EQ(conditionsOf("for (int d = s; d < A.mt(); d = d * 2) {}"), "s < A.mt() => s * 2 > s; ");
  EXPECT_EQ(conditionsOf("for (int k = 0; k < A.mt(); ++k) { for (int i = k; i < A.nt(); i = i + s) {} }"),
            "0 < A.mt() => s > 0; ");
  EXPECT_EQ(conditionsOf("if (s == 1) {} else { for (int i = 0; i < 3; i = i + s) {} }"),
            "!(s == 1) && 0 < 3 => s > 0; ");
  // Seen when the loop runs.
  EXPECT_EQ(conditionsOf("for (int k = 0; k < A.mt(); ++k) { for (int i = 0; i < 3; i = i + k) {} }"), "");
  EXPECT_EQ(conditionsOf("for (int k = 0; k < A.mt(); ++k) { if (k > 2) { for (int i = 0; i < 3; i = i + s) {} } }"),
            "");
  EXPECT_EQ(conditionsOf("for (int i = 0; i < W.mt(); i = i + W.mt()) {}"), "");
}
