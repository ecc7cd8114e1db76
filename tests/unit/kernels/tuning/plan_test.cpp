#include "kernels/tuning/plan.hpp"

#include "tests/unit/kernels/tuning/naive.hpp"

#include <gtest/gtest.h>

using namespace hetc::tuning;

namespace {

/// One line per loop: "i: d c0! c1(j)"; '!' is a cut, parentheses hold the bindings of a relaxed test.
std::string print(const EnumerationPlan &plan) {
  std::string result;
  const auto steps = [&](const std::vector<Step> &steps) {
    for (const Step &step : steps) {
      if (!step.isTest) {
        result += " " + plan.space.symbols[step.index].name;
        continue;
      }
      const Test &test = plan.tests[step.index];
      result += " " + plan.space.constraints[test.constraint].name + (test.isCut ? "!" : "");
      for (std::size_t each = 0; each < test.bindings.size(); ++each)
        result += (each ? "," : "(") + plan.space.symbols[test.bindings[each]].name;
      result += test.bindings.empty() ? "" : ")";
    }
    result += "\n";
  };
  if (!plan.prologue.empty()) {
    result += "-:";
    steps(plan.prologue);
  }
  for (const Loop &loop : plan.loops) {
    result += plan.space.symbols[loop.iterator].name + ":";
    steps(loop.steps);
  }
  return result;
}

std::string planned(const std::string &text) { return print(planOf("kernel gemm\n" + text)); }

} // namespace

TEST(Plan, ConstraintsMoveToTheOutermostLoopThatKnowsThem) {
  EXPECT_EQ(planned("param p = 3 iter i from 1 to 9 iter j from 1 to 9 iter k from 1 to 9\n"
                    "hard on_k: (i + j + k) % 2 == 0\nhard on_j: (i + j) % 2 == 0\nhard on_i: i % 2 == 0\n"
                    "hard on_none: p > 2"),
            "-: on_none\ni: on_i\nj: on_j\nk: on_k\n");
}

TEST(Plan, DerivedValuesAreComputedWhereTheyAreKnownAndWhenTheyAreNeeded) {
  EXPECT_EQ(planned("iter i from 1 to 9 iter j from 1 to 9\nlet di = i * i\nlet dj = di + j\nlet unused = i / 0\n"
                    "hard first: i % 2 == 0\nhard then: dj % 3 == 0"),
            "i: first di\nj: dj then\n");
}

TEST(Plan, LoopsKeepTheOrderOfTheFileUnlessTheirRangesForbidIt) {
  EXPECT_EQ(planned("iter i from d to 9 iter j from 1 to 9 iter k from 1 to 2\nlet d = k + 1\n"), "k: d\ni:\nj:\n");
}

TEST(Plan, ConstraintsThatOnlyTurnFalseCutTheirLoop) {
  EXPECT_EQ(planned("iter i from 1 to 9\nhard a: i * i <= 20\nhard b: i >= 3\nhard c: 20 - i > 3\nhard d: i != 4\n"
                    "hard e: 100 / i > 12 && i < 9"),
            "i: a! c! e! b d\n");
}

TEST(Plan, ConstraintsThatAreWeakestAtFirstValuesAreTestedOutside) {
  EXPECT_EQ(planned("iter i from 1 to 9 iter j from i to 9 iter k from 1 to 9\nlet s = i + j\nhard c: s * k <= 30"),
            "i: c!(j,k,s)\nj: s c!(k)\nk: c!\n");
}

TEST(Plan, ConstraintsThatGetWeakerInsideAreNot) {
  // For a larger j it may hold again.
  EXPECT_EQ(planned("iter i from 1 to 9 iter j from 1 to 9\nhard c: i <= j"), "i:\nj: c\n");
  // It does in some j what it does in others, so that k alone says nothing.
  EXPECT_EQ(planned("iter i from 1 to 9 iter j from 1 to 9 iter k from 1 to 9\nhard c: i + j % 2 + k <= 9"),
            "i:\nj:\nk: c!\n");
}

TEST(Plan, NothingIsTestedEarlyThatMightDivideByZero) {
  EXPECT_EQ(planned("iter i from 1 to 9 iter j from 0 to 9\nhard c: i / j <= 3"), "i:\nj: c\n");
  EXPECT_EQ(planned("iter i from 1 to 9 iter j from 1 to 9\nhard c: j * (i / i) <= 3"), "i:\nj: c!\n");
}

TEST(Plan, NegativeValues) {
  EXPECT_EQ(planned("iter i from -3 to 9\nhard c: i * i <= 4\nhard d: -2 * i >= -6\nhard e: 3 - i"), "i: d! c e\n");
}

TEST(Plan, OpenEndedIteratorsEnd) {
  EXPECT_EQ(planned("iter i from 1\nhard c: i < 10"), "i: c!\n");
  EXPECT_EQ(planned("iter i from 1 step 3 iter j from i\nhard c: i * j <= 100"), "i: c!(j)\nj: c!\n");
  EXPECT_EQ(planned("iter i from 1\nhard c: max(i, 3) / 2 <= 7 || 3 * i < 8"), "i: c!\n");
}

TEST(Plan, IteratorsThatNeverEnd) {
  const auto error = [](const std::string &text) { return errorOf("kernel gemm\n" + text); };
  const std::string message =
      "2:6: iterator 'i' never ends: it has no 'to', and no constraint is seen to fail for all its large values";
  EXPECT_EQ(error("iter i from 1"), message);
  EXPECT_EQ(error("iter i from 1\nhard c: i > 3"), message);
  EXPECT_EQ(error("iter i from 1\nhard c: i % 3 == 0"), message);
  EXPECT_EQ(error("iter i from 1\nhard c: min(i, 5) <= 7"), message);
  EXPECT_EQ(error("iter i from 1\nhard c: (i <= 3) >= 0"), message);
  EXPECT_EQ(error("iter i from 1 iter j from 1 to 3\nhard c: i <= 2 * j"), message);
  EXPECT_EQ(error("iter i from 1 iter j from 0 to 3\nhard c: i * j <= 7"), message); // not where j = 0
  EXPECT_EQ(error("iter i from 1 iter j from 1 to 3\nhard c: i * j <= 7"), "none");
}

TEST(Plan, OtherErrors) {
  const auto error = [](const std::string &text) { return errorOf("kernel gemm\n" + text); };
  EXPECT_EQ(error("param n = 3"), "1:8: the space has no iterator");
  EXPECT_EQ(error("iter i in 1, 4, 4"), "2:17: the values of 'i' must ascend");
  EXPECT_EQ(error("iter i from 1 to 2\nparam p = 3 / (2 - 2)"), "3:15: division by zero");
}
