#include "compiler/dependence/dependence.hpp"
#include "tests/unit/compiler/dependence/programs.hpp"

#include <gtest/gtest.h>

namespace hetc::dependence {
namespace {

class PrioritiesTest : public ::testing::Test {
protected:
  /// "0: -k\n1: ...", of the tasks that have one.
  std::string priorities(const std::string &text) {
    program_ = test::parse(text);
    auto result = analyze(program_);
    if (!std::holds_alternative<Analysis>(result))
      return "no analysis";
    derivePriorities(program_, std::get<Analysis>(result));
    std::string lines;
    ir::forEachTask(program_.body, [&](const ir::Task &task) {
      if (task.priority)
        lines += std::to_string(task.id) + ": " + ir::print(*task.priority) + (task.derivedPriority ? "\n" : " user\n");
    });
    return lines;
  }
  ir::Program program_;
};

TEST_F(PrioritiesTest, Cholesky) { EXPECT_EQ(priorities(test::cholesky), "0: -k\n1: -k\n2: -j\n3: -j\n"); }

TEST_F(PrioritiesTest, CompositionCountsOn) {
  EXPECT_EQ(priorities(test::posv), "0: A.nt() == k + 1 ? -A.nt() : -k\n"
                                    "1: -k\n"
                                    "2: A.nt() == j + 1 ? -A.nt() : -j\n"
                                    "3: -j\n"
                                    "4: -A.nt() - j_1\n"
                                    "5: -A.nt() - j_1\n"
                                    "6: -A.nt() - j_1\n"
                                    "7: -A.nt() - j_1\n");
}

TEST_F(PrioritiesTest, NoneWhereOnlyItsOwnTasksReadATile) { EXPECT_EQ(priorities(test::gemm), ""); }

TEST_F(PrioritiesTest, OtherOutputsCountWhereTheMainOneIsNotRead) {
  EXPECT_EQ(priorities(test::qr), "0: -k\n1: -k\n2: -k\n3: -k - 1\n");
}

TEST_F(PrioritiesTest, UserPrioritiesStay) {
  EXPECT_EQ(priorities(test::around(R"(
    for (int k = 0; k + 1 < L.nt(); ++k) {
      task 0 f(rw L(k, k)) priority(2 * k)
      task 1 g(read L(k, k), rw L(k + 1, k))
      task 2 g(read L(k + 1, k), rw L(k + 1, k + 1))
    })")),
            "0: 2 * k user\n1: -k\n2: -k - 1\n");
}

TEST_F(PrioritiesTest, DownwardLoopsCountIterations) {
  EXPECT_EQ(priorities(test::around(R"(
    for (int k = L.nt() - 1; k >= 0; --k) {
      task 0 f(rw L(k, k))
      for (int j = 0; j < k; ++j) { task 1 g(read L(k, k), rw L(j, j)) }
    })")),
            "0: k - L.nt() + 1\n1: j - L.nt() + 1\n");
}

TEST_F(PrioritiesTest, UnreadTilesComeLast) {
  EXPECT_EQ(priorities(test::around(R"(
    for (int k = 0; k < A.mt(); ++k) {
      if (A.nt() > 1) {
        task 0 f(rw A(k, 0))
        task 1 g(read A(k, 0), rw A(k, 1))
      }
    })")),
            "0: -k\n1: -A.mt()\n");
}

} // namespace
} // namespace hetc::dependence
