// Constants in expressions: what is computed, and what stays as it is written.
#include "compiler/ir/simplify.hpp"
#include "tests/ir_text/parse.hpp"

#include <gtest/gtest.h>

namespace hetc::ir {

namespace {

std::string simplified(const std::string &text) { return print(*simplify(std::get<ExprRef>(parseExpr(text)))); }

TEST(Simplify, ComputesIntegers) {
  EXPECT_EQ(simplified("3 * (2 + 1) - 4"), "5");
  EXPECT_EQ(simplified("min(3, 7) + A.nt()"), "3 + A.nt()");
  EXPECT_EQ(simplified("3 * k + 0"), "3 * k");
  EXPECT_EQ(simplified("0 + 1 * k"), "k");
  EXPECT_EQ(simplified("k - 0"), "k");
  EXPECT_EQ(simplified("k + 3 - 1"), "k + 2");
  EXPECT_EQ(simplified("A.sliceBegin(2 - 2)"), "0");
  EXPECT_EQ(simplified("A.sliceCols(3 * 0 + d)"), "A.sliceCols(d)");
}

TEST(Simplify, DecidesConditions) {
  EXPECT_EQ(simplified("NoTrans == NoTrans"), "1");
  EXPECT_EQ(simplified("(Lower == Upper) == (op == NoTrans)"), "!(op == NoTrans)");
  EXPECT_EQ(simplified("(Lower == Lower) == (op == NoTrans)"), "op == NoTrans");
  EXPECT_EQ(simplified("k < n && 1 < 2"), "k < n");
  EXPECT_EQ(simplified("k < n && 2 < 1"), "0");
  EXPECT_EQ(simplified("k < n || 1 < 2"), "1");
  EXPECT_EQ(simplified("k && 1 < 2"), "k && 1"); // no truth, and its value is another
}

TEST(Simplify, KeepsTypes) {
  EXPECT_EQ(simplified("1 < 2 ? NoTrans : Trans"), "NoTrans");
  EXPECT_EQ(simplified("l == 0 ? T(1) : T(1)"), "T(1)");
  EXPECT_EQ(simplified("l == 0 ? 1 : T(1)"), "T(1)");
  EXPECT_EQ(simplified("l == 0 ? 2 : T(1)"), "l == 0 ? 2 : T(1)");
  EXPECT_EQ(simplified("l == 0 ? beta : T(1)"), "l == 0 ? beta : T(1)");
  EXPECT_EQ(simplified("T(-1)"), "T(-1)");
  EXPECT_EQ(simplified("0.5 * 2"), "0.5 * 2");
  EXPECT_EQ(simplified("1 / 0"), "1 / 0");
}

} // namespace
} // namespace hetc::ir
