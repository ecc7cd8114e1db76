// Functions of a program and their calls: text, verifier, unroller.
#include "tests/unit/compiler/ir/programs.hpp"

#include "compiler/ir/loop_ends.hpp"
#include "compiler/ir/unroll.hpp"
#include "compiler/ir/verifier.hpp"

using namespace hetc::ir;
using namespace hetc::ir::test;

namespace {
std::string halving(const std::string &condition, const std::string &second = "begin + (end - begin) / 2, end") {
  return R"(program halving(A) type d source "halving.tla" {
  size n
  LowerMatrix<d> A(n, n)
  kernel f<T>(rw A)
  function halve(begin, end) of halve part A(A, begin, end, begin, end) requires(end >= begin) @1:2 {
    if ()" +
         condition +
         R"() {
      call halve(begin, begin + (end - begin) / 2) @2:3
      call halve()" +
         second + R"() @3:4
    } else {
      for (int i = begin; i < end; ++i) {
        task 1 f(rw A(i, i)) @4:5
      }
    }
  }

  task 0 f(rw A(0, 0))
  call halve(0, A.nt())
}
)";
}

std::string outcomeOf(const std::string &text, std::int64_t n) {
  const Program program = parsed(text);
  const auto result = unroll(program, {{{"n", n}}, 1}, 1000);
  if (const auto *error = std::get_if<UnrollError>(&result))
    return std::to_string(error->location.line) + ": " + error->message;
  std::string tiles;
  for (const TaskInstance &instance : std::get<std::vector<TaskInstance>>(result)) {
    tiles += (tiles.empty() ? "" : " ") + std::to_string(instance.uses.at(0).tile.row) + "[";
    for (const std::int64_t index : instance.indices)
      tiles += (tiles.back() == '[' ? "" : ",") + std::to_string(index);
    tiles += "]";
  }
  return tiles;
}

std::string verdictOn(const std::string &from, const std::string &to) {
  std::string text = halving("end - begin > 1");
  text.replace(text.find(from), from.size(), to);
  return verify(parsed(text));
}
} // namespace

TEST(Functions, AreTextAndBack) {
  const Program program = parsed(halving("end - begin > 1"));
  EXPECT_EQ(print(program), halving("end - begin > 1"));
  EXPECT_EQ(verify(program), "");
  EXPECT_EQ(program.functions.at(0).parts.at(0).rowEnd, 1U);
  std::vector<unsigned> tasks;
  forEachTask(program, [&](const Task &task) { tasks.push_back(task.id); });
  EXPECT_EQ(tasks, (std::vector<unsigned>{0, 1}));
  EXPECT_EQ(loopEnds(program).size(), 1U);
  EXPECT_TRUE(stepConditions(program).empty());
}

TEST(Functions, AreUnrolledCallByCall) {
  EXPECT_EQ(outcomeOf(halving("end - begin > 1"), 3), "0[] 0[0,1,0] 1[1,2,1] 2[2,3,2]");
  EXPECT_EQ(outcomeOf(halving("end - begin > 2"), 3), "0[] 0[0,1,0] 1[1,3,1] 2[1,3,2]");
}

TEST(Functions, ThatDoNotEndAreErrors) {
  EXPECT_EQ(outcomeOf(halving("end - begin > 0"), 3), "2: more than 1000 calls of 'halve' are inside one another");
  EXPECT_EQ(outcomeOf(halving("end - begin > 0", "begin, end"), 1),
            "2: more than 1000 calls of 'halve' are inside one another");
  EXPECT_EQ(outcomeOf(halving("end - begin > 1", "begin, end + 1"), 2),
            "2: more than 1000 calls of 'halve' are inside one another");
  EXPECT_EQ(outcomeOf(halving("end - begin > 1", "end, end + 1"), 2),
            "4: A(2, 2) is outside the 2 x 2 tiles of A for begin = 2, end = 3, i = 2");
}

TEST(Functions, AreVerified) {
  EXPECT_EQ(verdictOn("call halve(0, ", "call quarter(0, "), "call of 'quarter': there is no such function");
  EXPECT_EQ(verdictOn("call halve(0, ", "call halve(0, 0, "), "call of 'halve': it has other parameters");
  EXPECT_EQ(verdictOn("call halve(0, ", "call halve(begin, "),
            "call of 'halve': an argument: 'begin' is not a variable in scope");
  EXPECT_EQ(verdictOn("int i = begin; i < end; ++i", "int end = 0; end < 3; ++end"),
            "loop 'end': the variable's name is already in use");
  EXPECT_EQ(verdictOn("part A(A, begin", "part A(B, begin"), "function 'halve': 'A' is not a part of a matrix");
  EXPECT_EQ(verdictOn("part A(A, begin", "part A(A, middle"), "function 'halve': 'A' is not a part of a matrix");
  EXPECT_EQ(verdictOn("requires(end", "requires(last"),
            "function 'halve': a requirement: 'last' is not a variable in scope");
}
