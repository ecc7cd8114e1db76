#include "compiler/dependence/dependence.hpp"
#include "compiler/ir/unroll.hpp"
#include "tests/unit/compiler/dependence/programs.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace hetc::dependence {
namespace {

class PrioritiesTest : public ::testing::Test {
protected:
  /// "0: -k\n1: ...", of the tasks that have one.
  std::string priorities(const std::string &text) {
    program_ = test::parse(text);
    const auto result = analyze(program_);
    if (std::holds_alternative<LimitExceeded>(result))
      return "no analysis";
    const NonAffine *notAffine = std::get_if<NonAffine>(&result);
    derivePriorities(program_, notAffine ? notAffine->priorities : std::get<Analysis>(result).priorities);
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
  EXPECT_EQ(priorities(test::qr), "0: -k\n1: max(-j, -k - 3)\n2: -k\n3: max(-j_1, -k - 4)\n");
}

// All columns wait for the next panel, but only one of them is it: lookahead.
TEST_F(PrioritiesTest, PanelsComeEarly) {
  EXPECT_EQ(priorities(test::around(R"(
    for (int k = 0; k < L.nt(); ++k) {
      task 0 h(rw A.panel(k, A.mt(), k))
      for (int j = k + 1; j < A.nt(); ++j) {
        task 1 h(rw A.panel(k, A.mt(), j))
        for (int i = k + 1; i < A.mt(); ++i) { task 2 g(read A(i, k), rw A(i, j)) }
      }
    })")),
            "0: -k\n1: max(-j, -k - 4)\n2: max(-j, -k - 4)\n");
}

TEST_F(PrioritiesTest, TheOutputThatIsNeededFirstCounts) {
  const std::string lines = priorities(R"(
    program p(A, B) type d source "p.tla" {
      size n
      Matrix<d> A(n, n)
      Matrix<d> B(n, n)
      Workspace<d> W(A.mt(), 1, A.nb(), A.nb())
      kernel two<T>(write a, write b)
      kernel g<T>(read a, rw b)
      for (int k = 0; k < A.mt(); ++k) { task 0 two(write A(k, 0), write W(k, 0)) }
      for (int i = 0; i < A.mt(); ++i) { task 1 g(read W(i, 0), rw B(i, 0)) }
      for (int j = 0; j < A.mt(); ++j) { task 2 g(read A(j, 0), rw B(j, 0)) }
    })");
  EXPECT_EQ(lines.substr(0, lines.find('\n')), "0: -A.nt() - k");
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
            "0: k - A.nt() + 1\n1: j - A.nt() + 1\n");
}

// Steps of trees are not affine: priorities come from a program that covers this one.
TEST_F(PrioritiesTest, TreesOfCandidates) {
  const std::string panels = R"(
    for (int k = 0; k < L.nt(); ++k) {
      for (int i = k; i < A.mt(); ++i) { task 0 f(rw A(i, k)) }
      TREE { for (int i_1 = k; i_1 + d < A.mt(); i_1 = i_1 + 2 * d) { task 1 g(read A(i_1 + d, k), rw A(i_1, k)) } }
      for (int j = k + 1; j < A.nt(); ++j) {
        task 2 h(rw A.panel(k, A.mt(), j))
        for (int i_2 = k + 1; i_2 < A.mt(); ++i_2) { task 3 g(read A(i_2, k), rw A(i_2, j)) }
      }
    })";
  for (const std::string tree : {"for (int d = 1; k + d < A.mt(); d = 2 * d)", "for (int d = 4; d > 0; d = d / 2)"}) {
    std::string text = panels;
    EXPECT_EQ(priorities(test::around(text.replace(text.find("TREE"), 4, tree))),
              "0: -k\n1: -k\n2: max(-j, -k - 4)\n3: max(-j, -k - 4)\n")
        << tree;
  }
}

TEST_F(PrioritiesTest, NoneWhereMoreThanStepsIsNotAffine) {
  EXPECT_EQ(priorities(test::around(R"(
    for (int k = 1; k < A.mt(); k = 2 * k) {
      task 0 f(rw A(k, 0))
      task 1 g(read A(k, 0), rw A(k * k, 1))
    })")),
            "");
  EXPECT_EQ(priorities(test::around(R"(
    for (int k = 1; k < A.mt() || k > 7; k = 2 * k) {
      task 0 f(rw A(k, 0))
      task 1 g(read A(k, 0), rw A(k, 1))
    })")),
            "");
}

TEST_F(PrioritiesTest, OwnTimeWhereTheFirstUseTakesTooManyWords) {
  EXPECT_EQ(priorities(test::around(R"(
    for (int k = 0; k < L.nt(); ++k) {
      for (int i = k; i < A.mt(); i = i + p) {
        task 0 f(rw A(i, k))
        for (int j = k + 1; j < A.nt(); ++j) { task 1 g(read A(i, k), rw A(i, j)) }
        for (int r = i + 1; r < min(i + p, A.mt()); ++r) {
          task 2 g(read A(i, k), rw A(r, k))
          for (int j_1 = k + 1; j_1 < A.nt(); ++j_1) { task 3 g(read A(i, j_1), rw A(r, j_1)) }
        }
      }
      for (int d = p; k + d < A.mt(); d = 2 * d) {
        for (int i_1 = k; i_1 + d < A.mt(); i_1 = i_1 + 2 * d) {
          task 4 g(read A(i_1 + d, k), rw A(i_1, k))
          for (int j_2 = k + 1; j_2 < A.nt(); ++j_2) { task 5 g(read A(i_1 + d, j_2), rw A(i_1, j_2)) }
        }
      }
    })")),
            "0: -k\n"
            "1: max(-j, -k - 3)\n" // not k, but k + 1 or j where neither the block nor the tree has another row
            "2: -k\n"
            "3: max(-j_1, A.mt() == r + 1 && A.mt() <= p + k ? -j_1 - 3 : -k - 3)\n"
            "4: -k\n"
            "5: max(-j_2, -k - 3)\n");
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

// Every instance whose tile another tile's task reads, by running the program: posv at n x n and n x k tiles.
TEST_F(PrioritiesTest, MatchTheFirstUseInARun) {
  priorities(test::posv);
  const std::int64_t n = 4, k = 2;
  ir::Sizes sizes;
  sizes.values = {{"n", n}, {"k", k}};
  const auto unrolled = ir::unroll(program_, sizes);
  const auto &instances = std::get<std::vector<ir::TaskInstance>>(unrolled);
  auto mainTile = [](const ir::TaskInstance &instance) {
    for (const auto &use : instance.uses)
      if (use.argument == instance.task->mainOutput)
        return use.tile;
    return ir::TileRef();
  };
  auto time = [&](const ir::TaskInstance &instance) { return (instance.task->id < 4 ? 0 : n) + instance.indices[0]; };
  const std::vector<std::vector<std::string>> loops = {
      {"k"},          {"k", "i"},           {"k", "j"}, {"k", "j", "i_1"}, {"j_1", "k_1"}, {"j_1", "k_1", "i_2"},
      {"j_1", "k_2"}, {"j_1", "k_2", "i_3"}};
  int used = 0;
  for (std::size_t producer = 0; producer < instances.size(); ++producer) {
    const ir::TileRef tile = mainTile(instances[producer]);
    auto isForeignUse = [&](const ir::TaskInstance &consumer) {
      return mainTile(consumer) != tile &&
             std::any_of(consumer.uses.begin(), consumer.uses.end(),
                         [&](const auto &use) { return use.tile == tile && use.access != ir::Access::Write; });
    };
    const auto user =
        std::find_if(instances.begin() + static_cast<std::ptrdiff_t>(producer) + 1, instances.end(), isForeignUse);
    if (user == instances.end())
      continue;
    ++used;
    ir::Environment environment;
    environment.extents = {{{"A", ir::Extent::Nt}, n}, {{"B", ir::Extent::Nt}, k}};
    const auto &names = loops[instances[producer].task->id];
    for (std::size_t d = 0; d < names.size(); ++d)
      environment.variables[names[d]] = instances[producer].indices[d];
    EXPECT_EQ(ir::evaluate(*instances[producer].task->priority, environment), -time(*user))
        << "task " << instances[producer].task->id;
  }
  EXPECT_GT(used, 30);
}

} // namespace
} // namespace hetc::dependence
