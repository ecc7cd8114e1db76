// Random expressions: what is printed parses back to the same tree, and a C++ compiler finds the value in it that the
// IR's evaluation does, as it is and simplified. As generated code has them, that holds for numbers of any size.
#include "compiler/backend/compile.hpp"
#include "compiler/codegen/integers.hpp"
#include "compiler/ir/simplify.hpp"
#include "tests/ir_text/parse.hpp"

#include <gtest/gtest.h>

#include <random>

namespace hetc::test {
namespace {

using ir::ExprKind;
using ir::ExprRef;

/// Names and their values; extents of A.
const ir::Environment environment = {
    {{"i", -7}, {"j", 3}, {"k", 0}, {"n", 11}},
    {{{"A", ir::Extent::Mt}, 5},
     {{"A", ir::Extent::Nt}, 4},
     {{"A", ir::Extent::M}, 9},
     {{"A", ir::Extent::Has}, 1}}, // a LowerMatrix
};

/// The declarations of the program in C++, with min and max as generated code has them.
const char *const prelude = R"(
enum Op { NoTrans = 111, Trans = 112 };
struct Matrix {
  constexpr int mt() const { return 5; }
  constexpr int nt() const { return 4; }
  constexpr int m() const { return 9; }
  constexpr bool has(long i, long j) const { return i >= 0 && i < 5 && j >= 0 && j < 4 && i >= j; }
};
constexpr Matrix A;
constexpr int min(int a, int b) { return b < a ? b : a; }
constexpr int max(int a, int b) { return a < b ? b : a; }
constexpr int i = -7, j = 3, k = 0, n = 11;
)";

class Maker {
public:
  explicit Maker(unsigned seed) : random_(seed) {}

  ExprRef expression(int depth) {
    static constexpr ExprKind binary[] = {ExprKind::Add, ExprKind::Sub, ExprKind::Mul, ExprKind::Div, ExprKind::Rem,
                                          ExprKind::Min, ExprKind::Max, ExprKind::Lt,  ExprKind::Le,  ExprKind::Gt,
                                          ExprKind::Ge,  ExprKind::Eq,  ExprKind::Ne,  ExprKind::And, ExprKind::Or};
    if (depth == 0 || below(6) == 0)
      return leaf();
    switch (below(9)) {
    case 8:
      return ir::makeHas("A", expression(depth - 1), expression(depth - 1));
    case 0:
      return ir::makeUnary(below(2) ? ExprKind::Neg : ExprKind::Not, expression(depth - 1));
    case 1:
    case 2:
      return ir::makeSelect(expression(depth - 1), expression(depth - 1), expression(depth - 1));
    default:
      return ir::makeBinary(binary[below(std::size(binary))], expression(depth - 1), expression(depth - 1));
    }
  }

private:
  ExprRef leaf() {
    static const char *const names[] = {"i", "j", "k", "n"};
    static constexpr ir::Extent extents[] = {ir::Extent::Mt, ir::Extent::Nt, ir::Extent::M};
    switch (below(4)) {
    case 0:
      return ir::makeInt(below(9));
    case 1:
      return ir::makeExtent("A", extents[below(std::size(extents))]);
    case 2:
      return below(4) ? ir::makeVar(names[below(std::size(names))])
                      : ir::makeBinary(ExprKind::Eq, ir::makeEnum("NoTrans", 111),
                                       below(2) ? ir::makeEnum("Trans", 112) : ir::makeEnum("NoTrans", 111));
    default:
      return ir::makeVar(names[below(std::size(names))]);
    }
  }
  unsigned below(std::size_t count) { return random_() % static_cast<unsigned>(count); }

  std::mt19937 random_;
};

TEST(Expressions, AreWhatACompilerReads) {
  Maker maker(1);
  std::string source = prelude;
  int count = 0;
  while (count < 1500) {
    const ExprRef expression = maker.expression(4);
    const std::string text = ir::print(*expression);
    const auto parsed = ir::parseExpr(text);
    ASSERT_TRUE(std::holds_alternative<ExprRef>(parsed)) << text;
    EXPECT_TRUE(ir::equal(*std::get<ExprRef>(parsed), *expression)) << text;
    const auto value = ir::evaluate(*expression, environment);
    if (!value) // a division by zero, in C++ too
      continue;
    ++count;
    const ExprRef simple = ir::simplify(expression);
    EXPECT_EQ(ir::evaluate(*simple, environment), value) << text << " became " << ir::print(*simple);
    for (const std::string &each : {text, ir::print(*simple)})
      source += "static_assert((" + each + ") == " + std::to_string(*value) + ");\n";
  }
  EXPECT_TRUE(backend::compileText(source, "expressions.cpp", backend::OutputKind::LlvmText, {{"-w"}, false, ""}));
}

/// Names of the largest values that they may have, as generated code declares them.
const char *const largePrelude = R"(
#include <tla/generated/integers.hpp>
namespace rt = tla::runtime;
using rt::min, rt::max;
enum Op { NoTrans = 111, Trans = 112 };
struct Matrix {
  constexpr int mt() const { return 1 << 30; }
  constexpr int nt() const { return 4; }
  constexpr int m() const { return 2147483647; }
  constexpr bool has(int i, int j) const { return i >= 0 && i < 1 << 30 && j >= 0 && j < 4 && i >= j; }
};
constexpr Matrix A;
constexpr int i = -2147483647 - 1, j = 2147483647, k = 0, n = 50000;
)";

TEST(Expressions, AreExactForLargeNumbers) {
  ir::Program program;
  for (const char *scalar : {"i", "j", "k", "n"})
    program.scalars.push_back({scalar, "int", nullptr, {}, {}});
  const ir::Environment large = {{{"i", INT32_MIN}, {"j", INT32_MAX}, {"k", 0}, {"n", 50000}},
                                 {{{"A", ir::Extent::Mt}, 1 << 30},
                                  {{"A", ir::Extent::Nt}, 4},
                                  {{"A", ir::Extent::M}, INT32_MAX},
                                  {{"A", ir::Extent::Has}, 1}}};
  const codegen::Integers integers(program);
  Maker maker(2);
  std::string source = largePrelude;
  int beyondInt = 0;
  for (int count = 0; count < 1500;) {
    const ExprRef expression = maker.expression(4);
    const auto value = ir::evaluate(*expression, large);
    if (!value) // a division by zero, or more than 64 bits: generated code says so
      continue;
    ++count;
    const codegen::IntegerRange range = integers.rangeOf(expression);
    EXPECT_TRUE(range.least <= *value && *value <= range.greatest) << ir::print(*expression);
    source += "static_assert((" + integers.value(expression) + ") == " + std::to_string(*value) + ");\n";
    const bool isInt = codegen::intRange.holds({*value, *value});
    beyondInt += !isInt;
    if (isInt)
      source += "static_assert((" + integers.asInt(expression) + ") == " + std::to_string(*value) + ");\n";
  }
  EXPECT_GT(beyondInt, 10);
  const std::string file = __FILE__, headers = file.substr(0, file.rfind("tests/unit")) + "runtime/include";
  EXPECT_TRUE(backend::compileText(source, "expressions.cpp", backend::OutputKind::LlvmText,
                                   {{"-w", "-I" + headers}, false, ""}));
}

/// The compiler would say so if one were wrong.
TEST(Expressions, AreJudgedByTheCompiler) {
  testing::internal::CaptureStderr();
  EXPECT_FALSE(backend::compileText(std::string(prelude) + "static_assert(i / 2 == -4);", "expressions.cpp",
                                    backend::OutputKind::LlvmText, {{"-w"}, false, ""}));
  EXPECT_NE(testing::internal::GetCapturedStderr().find("static assertion failed"), std::string::npos);
}

} // namespace
} // namespace hetc::test
