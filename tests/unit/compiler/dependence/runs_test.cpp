// Runs of updates against the program itself: where the conditions hold is where running the loops shows a run to begin
// and to end.
#include "compiler/dependence/runs.hpp"
#include "compiler/ir/unroll.hpp"
#include "tests/unit/compiler/dependence/oracle.hpp"
#include "tests/unit/compiler/dependence/programs.hpp"
#include "tests/unit/compiler/dependence/random_program.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <map>

namespace hetc::dependence {
namespace {

using Values = std::map<std::string, std::int64_t>;

const ir::TileAccess &mainTile(const ir::Task &task) {
  return std::get<ir::TileAccess>(task.arguments[task.mainOutput]);
}

/// Tasks that could be updates.
std::set<unsigned> candidates(const ir::Program &program) {
  std::set<unsigned> found;
  ir::forEachTask(program.body, [&](const ir::Task &task) {
    const ir::TileAccess &tile = mainTile(task);
    if (tile.access == ir::Access::ReadWrite && !tile.isRun() && !tile.isPartial() && tile.region == ir::Region::Full &&
        task.releases.empty())
      found.insert(task.id);
  });
  return found;
}

bool holds(const ir::ExprRef &condition, const ir::Environment &environment) {
  const auto value = ir::evaluate(*condition, environment);
  EXPECT_TRUE(value) << ir::print(*condition);
  return value && *value;
}

/// An access to one tile: by which instance, and whether it is an update.
struct Touch {
  std::size_t instance;
  bool isUpdate;
};

class Comparison {
public:
  Comparison(const ir::Program &program, const Runs &runs)
      : program_(program), runs_(runs), loops_(ir::loopsAround(program.body)) {}

  void at(const Values &values) {
    const ir::Sizes sizes = test::makeSizes(values);
    const auto unrolled = ir::unroll(program_, sizes, 100'000);
    const auto *instances = std::get_if<std::vector<ir::TaskInstance>>(&unrolled);
    const auto bound = ir::bindSizes(program_, sizes);
    ASSERT_TRUE(instances && std::holds_alternative<ir::Environment>(bound));
    std::map<std::pair<std::size_t, std::pair<std::int64_t, std::int64_t>>, std::vector<Touch>> tiles;
    for (std::size_t i = 0; i < instances->size(); ++i)
      for (const ir::TaskInstance::Use &use : (*instances)[i].uses) {
        const ir::Task &task = *(*instances)[i].task;
        tiles[{use.tile.matrix, {use.tile.row, use.tile.column}}].push_back(
            {i, use.argument == task.mainOutput && runs_.ends.contains(task.id)});
      }
    for (const auto &[tile, touches] : tiles)
      for (std::size_t t = 0; t < touches.size(); ++t) {
        if (!touches[t].isUpdate)
          continue;
        const bool begins = t == 0 || !touches[t - 1].isUpdate,
                   ends = t + 1 == touches.size() || !touches[t + 1].isUpdate;
        expect((*instances)[touches[t].instance], std::get<ir::Environment>(bound), begins, ends);
      }
  }

  int runs = 0; ///< number of runs that were found

private:
  void expect(const ir::TaskInstance &instance, ir::Environment environment, bool begins, bool ends) {
    const std::vector<std::string> &names = loops_.at(instance.task->id);
    for (std::size_t d = 0; d < names.size(); ++d)
      environment.variables[names[d]] = instance.indices[d];
    const RunEnds &found = runs_.ends.at(instance.task->id);
    EXPECT_EQ(holds(found.begins, environment), begins) << "task " << instance.task->id << ": " << print(*found.begins);
    EXPECT_EQ(holds(found.ends, environment), ends) << "task " << instance.task->id << ": " << print(*found.ends);
    runs += begins;
  }

  const ir::Program &program_;
  const Runs &runs_;
  const std::map<unsigned, std::vector<std::string>> loops_;
};

TEST(RunsTest, OfCholesky) {
  const ir::Program program = test::parse(test::cholesky);
  const auto found = findRuns(program, {2, 3});
  ASSERT_TRUE(std::holds_alternative<Runs>(found)) << std::get<std::string>(found);
  const Runs &runs = std::get<Runs>(found);
  EXPECT_TRUE(runs.obstacles.empty());
  ASSERT_TRUE(runs.ends.contains(2) && runs.ends.contains(3));
  EXPECT_EQ(print(*runs.ends.at(3).begins), "0 == k");
  EXPECT_EQ(print(*runs.ends.at(3).ends), "k + 1 == j");
  Comparison comparison(program, runs);
  for (std::int64_t n = 0; n <= 5; ++n)
    comparison.at({{"n", n}});
  EXPECT_EQ(comparison.runs, 0 + 0 + 1 + 3 + 6 + 10); // tiles to the right of the first column
}

TEST(RunsTest, OfProductsWhoseBetaALoopDecides) {
  const ir::Program program = test::parse(test::gemm);
  const auto found = findRuns(program, {1, 2, 3, 4});
  ASSERT_TRUE(std::holds_alternative<Runs>(found)) << std::get<std::string>(found);
  Comparison comparison(program, std::get<Runs>(found));
  EXPECT_EQ(std::get<Runs>(found).ends.size(), 4u);
  for (std::int64_t opA : {111, 112, 113})
    for (std::int64_t opB : {111, 113})
      for (std::int64_t k : {0, 1, 3})
        comparison.at({{"m", 2}, {"n", 3}, {"k", k}, {"opA", opA}, {"opB", opB}});
}

/// Limits that count and do not time: the same on a slow or busy machine.
AnalysisLimits limits() { return {.maxOperations = 1'000'000, .maxTime = std::chrono::hours(1)}; }

TEST(RunsTest, OfRandomPrograms) {
  int compared = 0, updates = 0, longRuns = 0;
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const std::string text = test::randomProgram(seed, true);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    const ir::Program program = test::parse(text);
    std::set<unsigned> some = candidates(program);
    if (seed % 3 == 0 && !some.empty()) // others look on
      some.erase(some.begin());
    const auto found = findRuns(program, some, limits());
    const auto *runs = std::get_if<Runs>(&found);
    if (!runs || runs->ends.empty())
      continue;
    ++compared;
    Comparison comparison(program, *runs);
    for (std::int64_t m = 0; m <= 4; ++m)
      for (std::int64_t n = 0; n <= 4; ++n)
        comparison.at({{"m", m}, {"n", n}, {"p", static_cast<std::int64_t>(seed % 5) - 1}});
    updates += static_cast<int>(runs->ends.size());
    longRuns += comparison.runs > 0;
    if (HasFailure())
      return;
  }
  EXPECT_GE(compared, 40);
  EXPECT_GE(longRuns, 20);
  EXPECT_GE(updates, compared);
}

} // namespace
} // namespace hetc::dependence
