#include "compiler/ir/expr.hpp"
#include "compiler/ir/expr_properties.hpp"
#include "tests/ir_text/parse.hpp"

#include <gtest/gtest.h>

using namespace hetc::ir;

namespace {
ExprRef parsed(const std::string &text) {
  auto result = parseExpr(text);
  if (const auto *error = std::get_if<ParseError>(&result)) {
    ADD_FAILURE() << text << ": " << error->column << ": " << error->message;
    return makeInt(0);
  }
  return std::get<ExprRef>(result);
}

std::string errorOf(const std::string &text) {
  const auto result = parseExpr(text);
  const auto *error = std::get_if<ParseError>(&result);
  return error ? std::to_string(error->line) + ":" + std::to_string(error->column) + ": " + error->message : "none";
}
} // namespace

TEST(Expr, PrintsWithTheFewestParentheses) {
  const ExprRef a = makeVar("a"), b = makeVar("b"), c = makeVar("c");
  const auto sub = [](ExprRef x, ExprRef y) { return makeBinary(ExprKind::Sub, x, y); };
  EXPECT_EQ(print(*sub(sub(a, b), c)), "a - b - c");
  EXPECT_EQ(print(*sub(a, sub(b, c))), "a - (b - c)");
  EXPECT_EQ(print(*makeBinary(ExprKind::Mul, sub(a, b), c)), "(a - b) * c");
  EXPECT_EQ(print(*makeUnary(ExprKind::Neg, makeUnary(ExprKind::Neg, a))), "-(-a)");
  EXPECT_EQ(print(*makeUnary(ExprKind::Not, makeBinary(ExprKind::Lt, a, b))), "!(a < b)");
  EXPECT_EQ(print(*sub(a, makeInt(-1))), "a - -1");
  EXPECT_EQ(print(*makeSelect(makeSelect(a, b, c), a, makeSelect(a, b, c))), "(a ? b : c) ? a : a ? b : c");
}

TEST(Expr, CanonicalTextParsesBackToAnEqualTree) {
  for (const char *text : {"2 * (k + 1) < A.nt() && opA == NoTrans",
                           "min(a, max(b, 3)) % 4",
                           "T(-1)",
                           "real(2)",
                           "unsigned long(a) / 2",
                           "a - (b - c) - -1",
                           "-k",
                           "-(-k)",
                           "-(a + b) * c",
                           "!(a && b) || c && d",
                           "a ? b : c ? d : e",
                           "(a ? b : c) ? d : e",
                           "a ? b ? c : d : e",
                           "1e-3 * 0.5f + .5 - 0x1p-3",
                           "-0.5",
                           "A.mb() + A.nb() + A.m() + A.n()",
                           "T.nt() - 1",
                           "-9223372036854775808",
                           "a == b != c",
                           "a <= b == c >= d",
                           "a <= (b == c)",
                           "a * (b / c) % d"}) {
    const ExprRef expr = parsed(text);
    EXPECT_EQ(print(*expr), text);
    EXPECT_TRUE(equal(*expr, *parsed(print(*expr)))) << text;
  }
}

TEST(Expr, ParsesNamesAsWhatTheyMean) {
  EXPECT_EQ(parsed("ConjTrans")->kind, ExprKind::Enum);
  EXPECT_EQ(parsed("ConjTrans")->value, 113);
  EXPECT_EQ(parsed("alpha")->kind, ExprKind::Var);
  EXPECT_EQ(parsed("A.nt()")->extent, Extent::Nt);
  EXPECT_EQ(parsed("1.0")->kind, ExprKind::Real);
  EXPECT_EQ(parsed("- 1")->kind, ExprKind::Int);
  EXPECT_FALSE(equal(*parsed("A.nt()"), *parsed("A.mt()")));
}

TEST(Expr, RejectsWithAPosition) {
  EXPECT_EQ(errorOf("a +"), "1:4: expected an expression, found the end of the text");
  EXPECT_EQ(errorOf("(a"), "1:3: expected ')', found the end of the text");
  EXPECT_EQ(errorOf("a b"), "1:3: expected the end of the text, found 'b'");
  EXPECT_EQ(errorOf("min(a)"), "1:6: expected ',' between the operands, found ')'");
  EXPECT_EQ(errorOf("A.rows()"),
            "1:3: expected one of mt, nt, m, n, mb, nb, ns, sliceBegin, sliceCols, has after 'A.', found 'rows'");
  EXPECT_EQ(errorOf("a ? b"), "1:6: expected ':' between the branches of '?', found the end of the text");
  EXPECT_EQ(errorOf("1foo"), "1:1: '1foo' is neither an integer nor a real literal");
  EXPECT_EQ(errorOf("99999999999999999999"), "1:1: '99999999999999999999' is neither an integer nor a real literal");
  EXPECT_EQ(errorOf("\n  a $"), "2:5: unexpected character");
  EXPECT_EQ(errorOf("\"x"), "1:1: a string does not end on its line");
  EXPECT_EQ(errorOf(std::string(10000, '(')), "1:126: nested more than 250 deep");
  EXPECT_EQ(errorOf(std::string(10000, '!')), "1:250: nested more than 250 deep");
  std::string sum = "1";
  for (int i = 0; i < 2000; ++i)
    sum += "+1";
  EXPECT_EQ(errorOf(sum), "1:2002: more than 1000 operators in one expression");
}

TEST(Expr, EvaluatesAsCxx) {
  Environment environment;
  environment.variables = {{"a", 7}, {"b", -2}};
  environment.extents[{"A", Extent::Mt}] = 4;
  const auto value = [&](const char *text) { return evaluate(*parsed(text), environment); };
  EXPECT_EQ(value("a / b"), -3);
  EXPECT_EQ(value("a % b"), 1);
  EXPECT_EQ(value("b % 7"), -2);
  EXPECT_EQ(value("min(a, b) + max(a, b)"), 5);
  EXPECT_EQ(value("a < A.mt() ? 1 : Trans"), 112);
  EXPECT_EQ(value("a > 0 || 1 / 0"), 1);
  EXPECT_EQ(value("a < 0 && 1 / 0"), 0);
  EXPECT_EQ(value("a > 0 ? 1 : unknown"), 1);
  EXPECT_EQ(value("int(a) + bool(a)"), 8);
  EXPECT_EQ(value("!a"), 0);
  EXPECT_EQ(value("a / 0"), std::nullopt);
  EXPECT_EQ(value("a % 0"), std::nullopt);
  EXPECT_EQ(value("-9223372036854775808 / -1"), std::nullopt);
  EXPECT_EQ(value("9223372036854775807 + 1"), std::nullopt);
  EXPECT_EQ(value("-(-9223372036854775808)"), std::nullopt);
  EXPECT_EQ(value("unknown"), std::nullopt);
  EXPECT_EQ(value("B.mt()"), std::nullopt);
  EXPECT_EQ(value("1.5"), std::nullopt);
  EXPECT_EQ(value("T(1)"), std::nullopt);
}

TEST(Expr, TilesOfAMatrixWithoutAPattern) {
  Environment environment;
  environment.variables = {{"i", 2}, {"j", 1}};
  const auto value = [&](const char *text) { return evaluate(*parsed(text), environment); };
  EXPECT_EQ(value("A.has(i, j)"), std::nullopt);
  environment.extents = {{{"A", Extent::Mt}, 3}, {{"A", Extent::Nt}, 2}};
  for (const MatrixKind kind : {MatrixKind::General, MatrixKind::Lower, MatrixKind::Upper, MatrixKind::Workspace}) {
    environment.extents[{"A", Extent::Has}] = static_cast<std::int64_t>(kind);
    EXPECT_EQ(value("A.has(i, j)"), kind != MatrixKind::Upper);
    EXPECT_EQ(value("A.has(j - 1, j)"), kind != MatrixKind::Lower);
    EXPECT_EQ(value("A.has(0, 0)"), 1);
    for (const char *outside : {"A.has(-1, 0)", "A.has(0, -1)", "A.has(i + j, 0)", "A.has(0, i)"})
      EXPECT_EQ(value(outside), 0) << outside;
    EXPECT_EQ(value("A.has(1 / 0, 0)"), std::nullopt);
  }
  EXPECT_EQ(print(*parsed("!A.has(i + 1, j ? 1 : 2)")), "!A.has(i + 1, j ? 1 : 2)");
  EXPECT_EQ(print(*substitute(parsed("A.has(i, k)"), {{"k", parsed("j - 1")}}, {{"A", "L"}})), "L.has(i, j - 1)");
}

TEST(Expr, SubstitutesVariablesAndMatrices) {
  const ExprRef expr = parsed("-i + A.nt() * B.nt() - j");
  const ExprRef result = substitute(expr, {{"i", makeInt(3)}, {"j", parsed("k + 1")}}, {{"A", "L"}});
  EXPECT_EQ(print(*result), "-3 + L.nt() * B.nt() - (k + 1)");
  EXPECT_TRUE(equal(*result, *parsed(print(*result))));
  EXPECT_EQ(print(*expr), "-i + A.nt() * B.nt() - j");
}

TEST(Expr, ListsVariablesOnceInOrder) {
  EXPECT_EQ(variables(*parsed("j + i * j + A.nt() + T(k) + NoTrans")), (std::vector<std::string>{"j", "i", "k"}));
}

TEST(Expr, OperatorsAreCountedAsInATree) {
  ExprRef value = makeVar("a");
  EXPECT_TRUE(hasAtMost(*value, 0));
  for (int i = 0; i < 3; ++i)
    value = makeBinary(ExprKind::Mul, value, value);
  EXPECT_TRUE(hasAtMost(*value, 7));
  EXPECT_FALSE(hasAtMost(*value, 6));
  for (int i = 0; i < 100; ++i) // as long as 2^100 would take
    value = makeBinary(ExprKind::Mul, value, value);
  EXPECT_FALSE(hasAtMost(*value, maxOperators));
}
