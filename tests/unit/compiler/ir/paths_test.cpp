#include "tests/unit/compiler/ir/programs.hpp"

#include "compiler/ir/paths.hpp"
#include "compiler/ir/text.hpp"
#include "compiler/ir/unroll.hpp"

#include <algorithm>

using namespace hetc::ir;
using namespace hetc::ir::test;

namespace {

std::vector<std::string> conditions(const std::string &body, std::size_t most = 8) {
  std::vector<std::string> result;
  const Program program = withBody(body);
  for (const Path &path : pathsOf(program, most))
    result.push_back(path.condition ? print(*path.condition) : "");
  return result;
}
using Conditions = std::vector<std::string>;

const std::string sides = R"(
  if (s == 1) {
    task 0 f(rw A(0, 0))
  } else {
    for (int i = 0; i < A.mt(); ++i) {
      if (A.m() >= A.n()) {
        task 1 f(rw A(i, 0))
      } else {
        task 2 f(rw A(i, 0))
      }
    }
  }
  task 3 f(rw A(0, 0))
  if (s == 1) {
    task 4 f(rw A(0, 0))
  } else {
    task 5 f(rw A(0, 0))
  }
)";

} // namespace

TEST(Paths, OneOfProgramsWithoutForks) {
  EXPECT_EQ(conditions("task 0 f(rw A(0, 0))"), Conditions{""});
  EXPECT_EQ(conditions("if (s == 1) { task 0 f(rw A(0, 0)) }"), Conditions{""}) << "nothing is on the other side";
  EXPECT_EQ(conditions("for (int i = 0; i < A.mt(); ++i) {\n"
                       "if (i == s) { task 0 f(rw A(i, 0)) } else { task 1 f(rw A(i, 0)) } }"),
            Conditions{""})
      << "each iteration decides";
  EXPECT_EQ(conditions("if (s > 0) {\n"
                       "if (A.m() / s > 2) { task 0 f(rw A(0, 0)) } else { task 1 f(rw A(0, 0)) } }"),
            Conditions{""})
      << "may have no value where it is not asked";
}

TEST(Paths, ForEachDecision) {
  EXPECT_EQ(conditions(sides), (Conditions{"s == 1", "!(s == 1) && A.m() >= A.n()", "!(s == 1) && !(A.m() >= A.n())"}));
  EXPECT_EQ(conditions(sides, 2), Conditions{""}) << "too many";
}

/// With any arguments one condition holds, and that path has the program's instances in their order.
TEST(Paths, TogetherAreTheProgram) {
  const Program program = withBody(sides);
  const std::vector<Path> paths = pathsOf(program);
  for (const std::int64_t s : {0, 1})
    for (const std::int64_t m : {2, 3, 4}) {
      const Sizes sizes{{{"m", m}, {"n", 3}, {"s", s}}, 1};
      const auto instances = [&](const Program &each) {
        std::vector<unsigned> tasks;
        const auto unrolled = unroll(each, sizes);
        for (const TaskInstance &instance : std::get<std::vector<TaskInstance>>(unrolled))
          tasks.push_back(instance.task->origin.value_or(instance.task->id));
        return tasks;
      };
      int hold = 0;
      for (const Path &path : paths) {
        const auto environment = std::get<Environment>(bindSizes(program, sizes));
        if (!evaluate(*path.condition, environment).value())
          continue;
        ++hold;
        EXPECT_EQ(instances(path.program), instances(program)) << "s = " << s << ", m = " << m;
      }
      EXPECT_EQ(hold, 1) << "s = " << s << ", m = " << m;
    }
}
