#include "tests/unit/kernels/tuning/naive.hpp"

#include <gtest/gtest.h>

#include <random>

using namespace hetc::tuning;

namespace {
std::string withKernel(const std::string &text) { return "kernel gemm\n" + text; }
} // namespace

TEST(Parse, EveryStatement) {
  const Space space = spaceOf("// a comment\n"
                              "kernel gemm\n"
                              "param n = 2 * 3  // another\n"
                              "iter i from 1 to n step 2 iter j from i\n"
                              "iter v in 1, 2,\n  4\n"
                              "let d = i\n  + j\n"
                              "hard h: d <= n\nsoft s: d > 0\ncorrectness c: d % 2 == 0");
  EXPECT_EQ(space.kernel, "gemm");
  ASSERT_EQ(space.symbols.size(), 5u);
  EXPECT_EQ(space.symbols[0].kind, SymbolKind::Parameter);
  EXPECT_TRUE(space.symbols[1].to && space.symbols[1].step);
  EXPECT_FALSE(space.symbols[1].isOpenEnded());
  EXPECT_TRUE(space.symbols[2].isOpenEnded());
  EXPECT_EQ(space.symbols[3].values.size(), 3u);
  EXPECT_EQ(space.symbols[4].kind, SymbolKind::Derived);
  ASSERT_EQ(space.constraints.size(), 3u);
  EXPECT_EQ(space.constraints[0].kind, ConstraintKind::Hard);
  EXPECT_EQ(space.constraints[1].kind, ConstraintKind::Soft);
  EXPECT_EQ(space.constraints[2].kind, ConstraintKind::Correctness);
}

TEST(Parse, NamesMayBeUsedBeforeTheirDefinition) {
  EXPECT_EQ(errorOf(withKernel("let d = i + n\niter i from 1 to n\nparam n = 3\n")), "none");
}

TEST(Parse, SyntaxErrors) {
  EXPECT_EQ(errorOf(""), "1:1: which kernel is this space for? it needs a line such as 'kernel gemm'");
  EXPECT_EQ(errorOf("kernel gemm\nharf c: 1"), "2:1: unknown statement 'harf'; did you mean 'hard'?");
  EXPECT_EQ(errorOf("kernel gemm\nparam n 3"), "2:9: expected '=' between a name and its value");
  EXPECT_EQ(errorOf("kernel gemm\nparam n = "), "2:11: expected an expression");
  EXPECT_EQ(errorOf("kernel gemm\nparam = 3"), "2:7: expected a name");
  EXPECT_EQ(errorOf("kernel gemm\nparam let = 3"), "2:7: 'let' is a word of the language and cannot be a name");
  EXPECT_EQ(errorOf("kernel gemm\niter i = 3"), "2:8: expected 'from' or 'in' after the iterator's name");
  EXPECT_EQ(errorOf("kernel gemm\niter i from 1 to\n"), "3:1: expected an expression");
  EXPECT_EQ(errorOf("kernel gemm\nhard c 1 < 2"), "2:8: expected ':' between a constraint's name and its condition");
  EXPECT_EQ(errorOf("kernel gemm\nparam n = (1 + 2"), "2:17: expected ')' to close '('");
  EXPECT_EQ(errorOf("kernel gemm\nparam n = 1 ;"), "2:13: expected an operator or a statement");
  EXPECT_EQ(errorOf("kernel gemm\nparam n = 1.5"), "2:11: expected an integer");
  EXPECT_EQ(errorOf("kernel gemm\nparam n = 99999999999999999999"), "2:11: the number does not fit into 64 bits");
  EXPECT_EQ(errorOf("kernel gemm\nkernel trsm"), "2:1: the kernel is given twice");
}

TEST(Parse, Defaults) {
  const std::string known = "param size = 3\niter i from 1 to size\nlet d = i\n";
  const Space space = spaceOf(withKernel("default i = size / 2\n" + known));
  EXPECT_TRUE(space.symbols[space.find("i")].usual);
  EXPECT_EQ(errorOf(withKernel(known + "default d = 1")), "5:9: only iterators have defaults, and 'd' is none");
  EXPECT_EQ(errorOf(withKernel(known + "default size2 = 1")), "5:9: unknown name 'size2'; did you mean 'size'?");
  EXPECT_EQ(errorOf(withKernel(known + "default i = 1 default i = 2")), "5:23: the default of 'i' is given twice");
  EXPECT_EQ(errorOf(withKernel(known + "default i = d")),
            "5:13: a default may depend on parameters only, and 'd' is none");
}

TEST(Parse, NameErrors) {
  const std::string known = "param size = 3\niter i from 1 to size\n";
  EXPECT_EQ(errorOf(withKernel(known + "let d = sise")), "4:9: unknown name 'sise'; did you mean 'size'?");
  EXPECT_EQ(errorOf(withKernel(known + "let size = 1")), "4:5: 'size' is defined twice");
  EXPECT_EQ(errorOf(withKernel(known + "hard size: 1")), "4:6: 'size' is defined twice");
  EXPECT_EQ(errorOf(withKernel(known + "hard c: 1\nlet d = c")), "5:9: 'c' is a constraint, which has no value");
  EXPECT_EQ(errorOf(withKernel(known + "let d = mac(1, 2)")), "4:9: unknown function 'mac'; did you mean 'max'?");
  EXPECT_EQ(errorOf(withKernel(known + "let d = gcd(1, 2, 3)")), "4:9: 'gcd' takes two arguments");
  EXPECT_EQ(errorOf(withKernel(known + "let d = max(1)")), "4:9: 'max' takes at least two arguments");
  EXPECT_EQ(errorOf(withKernel(known + "let d = i.size()")), "4:9: there are no members in a space: '.size'");
}

TEST(Parse, DefinitionsThatNeedThemselves) {
  EXPECT_EQ(errorOf(withKernel("let a = b\nlet b = c + 1\nlet c = a\niter i from 1 to 2")),
            "2:5: 'a' is defined by itself: a -> b -> c -> a");
  EXPECT_EQ(errorOf(withKernel("iter i from 1 to i")), "2:6: 'i' is defined by itself: i -> i");
  EXPECT_EQ(errorOf(withKernel("iter i from 1 to j\niter j from 1 to d\nlet d = i")),
            "2:6: 'i' is defined by itself: i -> j -> d -> i");
}

TEST(Parse, ParametersAndListsAreKnownBeforeTheLoops) {
  EXPECT_EQ(errorOf(withKernel("iter i from 1 to 2\nparam p = i")),
            "3:11: a parameter may depend on parameters only, and 'i' is none");
  EXPECT_EQ(errorOf(withKernel("iter i from 1 to 2\niter j in 1, i")),
            "3:14: a list of values may depend on parameters only, and 'i' is none");
}

TEST(Parse, Excess) {
  EXPECT_EQ(errorOf(withKernel("let a = " + std::string(200, '(') + "1" + std::string(200, ')'))),
            "2:109: the expression is nested too deep");
  EXPECT_EQ(errorOf(withKernel("let a = " + std::string(200, '!') + "1")), "2:109: the expression is nested too deep");
  std::string sum = "1", choice;
  for (int each = 0; each < 2000; ++each)
    sum += "+1";
  EXPECT_EQ(errorOf(withKernel("let a = " + sum)), "2:9: the expression is too long");
  for (int each = 0; each < 200; ++each)
    choice += "1?1:";
  EXPECT_NE(errorOf(withKernel("let a = " + choice + "1")).find("nested too deep"), std::string::npos);
  EXPECT_EQ(errorOf(std::string(40000, ' ')), "1:32769: the file is longer than 32768 characters");
  std::string many = "iter i from 1 to 2\n"; // deep in none of its statements
  for (int each = 0; each < 150; ++each)
    many += "let a" + std::to_string(each) + " = i > 1 ? -1 : (2)\n";
  EXPECT_EQ(errorOf(withKernel(many)), "none");
}

TEST(Parse, DamagedTextIsReadOrRejected) {
  const std::string text = "kernel gemm // c\nparam p = 2 * (3 - 1)\niter i from 1 to p step 2\niter j from i\n"
                           "iter v in 1, 2, 4\nlet d = i > 1 ? min(i, j) : gcd(v, p) % 3\n"
                           "hard h: !(d == 2) && j <= 9\n";
  std::mt19937 random(1);
  int rejected = 0;
  for (int each = 0; each < 5000; ++each) {
    std::string damaged = text;
    for (int edit = 0; edit < 1 + each % 3; ++edit) {
      const std::size_t at = random() % damaged.size();
      const std::string inserted(1, each % 5 ? text[random() % text.size()] : static_cast<char>(random() % 256));
      damaged.replace(at, random() % 6, random() % 2 ? inserted : "");
    }
    const auto space = parseSpace(damaged);
    if (const auto *diagnostic = std::get_if<Diagnostic>(&space)) {
      ++rejected;
      EXPECT_LE(diagnostic->place.offset, damaged.size()) << damaged;
      EXPECT_NE(render("a", damaged, *diagnostic).find("error: "), std::string::npos);
    } else
      plan(std::get<Space>(space));
  }
  EXPECT_GT(rejected, 1000);
  EXPECT_LT(rejected, 4900);
}

TEST(Diagnostics, ShowTheLineAndNotes) {
  const std::string text = "kernel gemm\n\tparam size = 1\nparam size = 2";
  const auto space = parseSpace(text);
  EXPECT_EQ(render("a.space", text, std::get<Diagnostic>(space)),
            "a.space:3:7: error: 'size' is defined twice\nparam size = 2\n      ^~~~\n"
            "a.space:2:8: note: first defined here\n\tparam size = 1\n\t      ^~~~\n");
}
