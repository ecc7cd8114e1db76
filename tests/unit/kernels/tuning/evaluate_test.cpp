#include "kernels/tuning/evaluate.hpp"

#include "tests/unit/kernels/tuning/naive.hpp"

#include <gtest/gtest.h>

using namespace hetc::tuning;

namespace {
/// The value of an expression over constants, or why there is none.
std::string valueOf(const std::string &expression) {
  const Space space = spaceOf("kernel gemm\nparam a = " + expression);
  try {
    return std::to_string(evaluate(space.symbols[0].value, {}));
  } catch (const EvaluationError &error) {
    return error.message;
  }
}
} // namespace

TEST(Evaluate, ArithmeticIsThatOfC) {
  EXPECT_EQ(valueOf("2 + 3 * 4 - 1"), "13");
  EXPECT_EQ(valueOf("-7 / 2"), "-3");
  EXPECT_EQ(valueOf("-7 % 2"), "-1");
  EXPECT_EQ(valueOf("8 - 4 - 2"), "2");
  EXPECT_EQ(valueOf("(1 < 2) + (2 <= 2) + (3 > 4) + (4 >= 4) + (1 == 2) + (1 != 2)"), "4");
  EXPECT_EQ(valueOf("!3 + !0"), "1");
  EXPECT_EQ(valueOf("2 && 3 || 0"), "1");
  EXPECT_EQ(valueOf("0 ? 1 : 0 ? 2 : 3"), "3");
  EXPECT_EQ(valueOf("min(3, 1, 2) + 10 * max(1, 3, 2)"), "31");
  EXPECT_EQ(valueOf("gcd(12, -18) + gcd(0, 5)"), "11");
}

TEST(Evaluate, WhatIsNotNeededIsNotComputed) {
  EXPECT_EQ(valueOf("0 && 1 / 0"), "0");
  EXPECT_EQ(valueOf("1 || 1 / 0"), "1");
  EXPECT_EQ(valueOf("1 ? 2 : 1 / 0"), "2");
}

TEST(Evaluate, Errors) {
  EXPECT_EQ(valueOf("1 / 0"), "division by zero");
  EXPECT_EQ(valueOf("1 % 0"), "division by zero");
  EXPECT_EQ(valueOf("9223372036854775807 + 1"), "a value does not fit into 64 bits");
  EXPECT_EQ(valueOf("-9223372036854775807 - 2"), "a value does not fit into 64 bits");
  EXPECT_EQ(valueOf("9223372036854775807 * 2"), "a value does not fit into 64 bits");
  EXPECT_EQ(valueOf("(-9223372036854775807 - 1) / -1"), "a value does not fit into 64 bits");
  EXPECT_EQ(valueOf("-(-9223372036854775807 - 1)"), "a value does not fit into 64 bits");
}
