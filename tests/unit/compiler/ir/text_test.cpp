#include "tests/unit/compiler/ir/programs.hpp"

#include "compiler/ir/verifier.hpp"

#include <random>

using namespace hetc::ir;
using namespace hetc::ir::test;

namespace {
std::string errorOf(const std::string &text) {
  const auto result = parse(text);
  const auto *error = std::get_if<ParseError>(&result);
  return error ? std::to_string(error->line) + ":" + std::to_string(error->column) + ": " + error->message : "none";
}

std::string inProgram(const std::string &body) { return "program p() type s source \"p.tla\" {\n" + body + "\n}\n"; }

/// Every construct of the language once.
const std::string everything =
    R"(program every_thing(alpha, A, opA, C, ib, R) type z source "dir with \"quotes\"/\\x.tla" {
  size m
  size n
  size k = m / 2
  UpperMatrix<z> A(n, n) input(matern(0.1, -2)) @1:2
  Matrix<z> C(opA == NoTrans ? m : k, n) input(template mine(0.5))
  Workspace<z> R(A.mt(), A.nt(), ib, A.nb())
  Workspace<i> pivots(A.mt(), 1, A.mb(), 1) @"other.tla":3:4
  Workspace<z> cut(A.m(), A.n(), A.nb())
  T alpha = -0.5 @5:6
  Op opA = NoTrans
  int ib = 16 tune(16, 32) @5:7
  requires(A.n() <= C.m() && ib >= 1)
  check gemm(opA, apply_q(ib, before(A), -2, NoTrans), alpha)
  kernel mine::factor<T>(write A, scalar, rw panel panel) returns info continues bound(memory) flops(A.n() * 2.5) @7:8
  kernel plain(read A, read panel P, rw B) requires(A.m() == B.m()) requires(P.mt() > 0) alias(A, B) alias(P, B) @7:9

  for (int i = A.nt() - 1; i >= 0; --i) {
    for (int j = 0; j < 10; j = j + 3) @9:10 {
    }
    if (i % 2 == 0) {
      task 0 mine::factor(write pivots(i, 0), 1.5e-3, rw C.panel(i, A.mt(), 0))
    } else if (i > 3) @11:12 {
    } else {
      task 1 plain(read A(i, i).conjTrans().upper(), read C.panel(0, i, 0).lower(), rw C(i, 0).rows(2 * i, 3).cols(0, C.n() - i)) priority(2 * i) device(gpu) bound(memory) release(A(i, i).upper(), rw C(0, 0)) fits distinct @13:14 (20, -, "f.tla":1:2, 15:3, 14)
    }
    if (i == 7) {
      task 5 mine::factor(rw pivots(i, 0).cols(1, 2), T(alpha), rw C.panel(0, i, 0)) at(argument 2) @0:0 (9:18, -)
    }
  }
}
)";
} // namespace

TEST(Text, PrintsWhatItParsed) {
  EXPECT_EQ(print(parsed(cholesky)), cholesky);
  EXPECT_EQ(verify(parsed(cholesky)), "");
  EXPECT_EQ(print(parsed(everything)), everything);
}

TEST(Text, KeepsEveryField) {
  const Program program = parsed(everything);
  EXPECT_EQ(program.source, "dir with \"quotes\"/\\x.tla");
  EXPECT_EQ(program.type, ElementType::Z);
  EXPECT_EQ(program.parameterOrder, (std::vector<std::string>{"alpha", "A", "opA", "C", "ib", "R"}));
  ASSERT_EQ(program.sizeDefaults.size(), 1u);
  EXPECT_EQ(print(*program.sizeDefaults[0].second), "m / 2");
  const Matrix &workspace = *program.findMatrix("pivots");
  EXPECT_EQ(workspace.type, ElementType::I);
  EXPECT_EQ(workspace.location, (Location{3, 4, "other.tla"}));
  EXPECT_EQ(print(*workspace.tileRows), "A.mb()");
  EXPECT_TRUE(!workspace.isCut() && !program.isParameter(workspace));
  EXPECT_TRUE(program.findMatrix("cut")->isCut());
  EXPECT_TRUE(program.isParameter(*program.findMatrix("R")));
  EXPECT_EQ(program.findScalar("ib")->candidates, (std::vector<std::int64_t>{16, 32}));
  ASSERT_EQ(program.checkArguments.size(), 3u);
  EXPECT_TRUE(program.checkArguments[1].isCall() && !program.checkArguments[2].isCall());
  EXPECT_EQ(print(program.checkArguments[1]), "apply_q(ib, before(A), -2, NoTrans)");
  EXPECT_EQ(program.findMatrix("A")->generatorArguments.size(), 2u);
  EXPECT_EQ(program.findScalar("alpha")->type, "T");
  const Kernel &kernel = *program.findKernel("mine::factor");
  EXPECT_TRUE(kernel.returnsInfo && kernel.infoContinues && kernel.isTemplate && kernel.bound == Bound::Memory);
  EXPECT_EQ(print(*kernel.flops), "A.n() * 2.5");
  EXPECT_TRUE(kernel.parameters[0].isTile && kernel.parameters[0].access == Access::Write);
  EXPECT_TRUE(!kernel.parameters[1].isTile && !kernel.parameters[1].isPanel);
  EXPECT_TRUE(kernel.parameters[2].isPanel && kernel.parameters[2].name == "panel");
  const Kernel &plain = *program.findKernel("plain");
  EXPECT_FALSE(plain.isTemplate);
  ASSERT_EQ(plain.requirements.size(), 2u);
  EXPECT_EQ(print(*plain.requirements[1]), "P.mt() > 0");
  EXPECT_TRUE(plain.mayAlias(0, 2) && plain.mayAlias(2, 0) && plain.mayAlias(1, 2) && !plain.mayAlias(0, 1));
  ASSERT_EQ(program.requirements.size(), 1u);

  std::vector<const Task *> tasks;
  forEachTask(program.body, [&](const Task &task) { tasks.push_back(&task); });
  ASSERT_EQ(tasks.size(), 3u);
  const Task &second = *tasks[1], &third = *tasks[2];
  EXPECT_TRUE(second.fits && second.distinct && !third.fits && !third.distinct);
  EXPECT_EQ(second.device, Device::Gpu);
  EXPECT_EQ(second.bound, Bound::Memory);
  EXPECT_EQ(second.mainOutput, 2u);
  EXPECT_EQ(std::get<TileAccess>(second.arguments[0]).location, (Location{13, 20, ""}));
  EXPECT_EQ(std::get<TileAccess>(second.arguments[1]).location, Location());
  EXPECT_EQ(std::get<TileAccess>(second.arguments[2]).location, (Location{1, 2, "f.tla"}));
  const TileAccess &viewed = std::get<TileAccess>(second.arguments[2]);
  EXPECT_EQ(print(*viewed.rows.first) + "; " + print(*viewed.rows.count), "2 * i; 3");
  EXPECT_EQ(print(*viewed.cols.first) + "; " + print(*viewed.cols.count), "0; C.n() - i");
  const TileAccess &transposed = std::get<TileAccess>(second.arguments[0]);
  EXPECT_TRUE(transposed.isTransposed && transposed.isPartial() && transposed.touched() == Region::Full);
  EXPECT_FALSE(viewed.isTransposed);
  EXPECT_TRUE(std::get<TileAccess>(third.arguments[0]).isView());
  EXPECT_FALSE(std::get<TileAccess>(second.arguments[0]).isView());
  EXPECT_EQ(second.releases[0].region, Region::Upper);
  EXPECT_EQ(second.releases[0].location, (Location{15, 3, ""}));
  EXPECT_EQ(second.releases[1].access, Access::ReadWrite);
  EXPECT_EQ(third.mainOutput, 2u);
  EXPECT_EQ(third.id, 5u);
  EXPECT_EQ(third.location, Location());
  EXPECT_EQ(std::get<TileAccess>(third.arguments[0]).location, (Location{9, 18, ""}));
}

TEST(Text, AcceptsCommentsAndOtherSpellings) {
  const Program program =
      parsed(inProgram("// nothing\n for (int k = 0; k < 3; k += 2) {} if (1) {} else { if (0) {} }"));
  EXPECT_EQ(print(program),
            inProgram("\n  for (int k = 0; k < 3; k = k + 2) {\n  }\n  if (1) {\n  } else if (0) {\n  }"));
}

TEST(Text, RejectsWithAPosition) {
  EXPECT_EQ(errorOf(""), "1:1: expected 'program', found the end of the text");
  EXPECT_EQ(errorOf("program p() type x"), "1:18: expected an element type, one of s, d, c, z, i, found 'x'");
  EXPECT_EQ(errorOf(inProgram("  task -1 f()")), "2:8: expected the task's number, found '-'");
  EXPECT_EQ(errorOf(inProgram("  task 0 f(read A(1))")), "2:20: expected ',' between the indices, found ')'");
  EXPECT_EQ(errorOf(inProgram("  task 0 f(reads A(1, 2))")),
            "2:12: expected read, rw or write before a tile, found 'reads'");
  EXPECT_EQ(errorOf(inProgram("  task 0 f(read A(1, 2).left())")),
            "2:25: expected lower, upper, rows or cols, found 'left'");
  EXPECT_EQ(errorOf(inProgram("  task 0 f(read A(1, 2).rows(1))")),
            "2:31: expected ',' between the first of the rows and their number, found ')'");
  EXPECT_EQ(errorOf(inProgram("  task 0 f(1) @1:2 (3)")), "2:20: expected the places of 0 tiles, found 1");
  EXPECT_EQ(errorOf(inProgram("  task 0 f() device(cpu)")), "2:21: expected any, host or gpu, found 'cpu'");
  EXPECT_EQ(errorOf(inProgram("  Workspace<d> W(1, 2)")), "2:17: expected 3 or 4 sizes of 'W', found 2");
  EXPECT_EQ(errorOf(inProgram("  Matrix<d> A(1, 2, 3)")), "2:14: expected 2 sizes of 'A', found 3");
  EXPECT_EQ(errorOf(inProgram("  int ib tune(x)")), "2:15: expected a candidate, found 'x'");
  EXPECT_EQ(errorOf(inProgram("  Tensor<d> W(1, 2)")),
            "2:3: expected Matrix, LowerMatrix, UpperMatrix or Workspace, found 'Tensor'");
  EXPECT_EQ(errorOf(inProgram("  for (int i = 0; i < 2; ++j) {}")), "2:28: expected 'i', found 'j'");
  EXPECT_EQ(errorOf(inProgram("  while (1) {}")), "2:3: expected 'for', 'if', 'task', 'call' or '}', found 'while'");
  EXPECT_EQ(errorOf(inProgram("") + "x"), "4:1: expected the end of the text, found 'x'");
  EXPECT_EQ(errorOf(inProgram("  task 0 f() @99999999999:1")), "2:15: '99999999999' is too large");
}

// Whatever happens to valid text, the parser returns a program or an error; the sanitizers watch. A program that comes
// out has a stable text, and the verifier can look at it.
TEST(Text, SurvivesDamagedText) {
  std::mt19937 random(1);
  const auto survives = [](const std::string &text) {
    const auto result = parse(text);
    if (const auto *program = std::get_if<Program>(&result)) {
      const std::string once = print(*program);
      EXPECT_EQ(print(parsed(once)), once);
      verify(*program);
    } else
      EXPECT_FALSE(std::get<ParseError>(result).message.empty());
  };
  for (const std::string &text : {cholesky, everything}) {
    for (std::size_t length = 0; length < text.size(); length += 3)
      survives(text.substr(0, length));
    for (int round = 0; round < 1500; ++round) {
      std::string damaged = text;
      for (unsigned count = 1 + random() % 3; count > 0; --count) {
        const std::size_t at = random() % damaged.size(), other = random() % text.size();
        switch (random() % 4) {
        case 0:
          damaged[at] = static_cast<char>(random());
          break;
        case 1:
          damaged.erase(at, 1 + random() % 8);
          break;
        case 2:
          damaged.insert(at, text.substr(other, 1 + random() % 20));
          break;
        default:
          damaged[at] = text[other];
        }
      }
      survives(damaged);
    }
  }
  survives(inProgram(std::string(100000, '{')));
  std::string nested;
  for (int i = 0; i < 100000; ++i)
    nested += "if (1) { ";
  survives(inProgram(nested));
  nested.clear();
  for (int i = 0; i < 100000; ++i)
    nested += "if (1) {} else ";
  survives(inProgram(nested));
}
