// The analysis against the program itself: at concrete sizes its relations must say exactly what running the loops
// shows.
#include "tests/unit/compiler/dependence/oracle.hpp"
#include "tests/unit/compiler/dependence/programs.hpp"
#include "tests/unit/compiler/dependence/random_program.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

namespace hetc::dependence {
namespace {

using test::Facts;
using Values = std::map<std::string, std::int64_t>;

std::vector<ir::TaskInstance> instancesOf(const ir::Program &program, const ir::Sizes &sizes) {
  auto unrolled = ir::unroll(program, sizes, 100'000);
  if (auto *error = std::get_if<ir::UnrollError>(&unrolled)) {
    ADD_FAILURE() << error->message;
    return {};
  }
  return std::move(std::get<std::vector<ir::TaskInstance>>(unrolled));
}

bool fails(const ir::Program &program, const Values &values) {
  return std::holds_alternative<ir::UnrollError>(ir::unroll(program, test::makeSizes(values), 100'000));
}

std::string difference(const Facts &left, const Facts &right) {
  std::string text;
  std::vector<std::string> only;
  std::set_difference(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(only));
  for (std::size_t f = 0; f < std::min<std::size_t>(only.size(), 10); ++f)
    text += "  " + only[f] + "\n";
  return text;
}

std::string textOf(const Values &values) {
  std::string text;
  for (const auto &[name, value] : values)
    text += name + " = " + std::to_string(value) + " ";
  return text;
}

/// One program's relations, to be compared at many sizes.
class Comparison {
public:
  Comparison(const ir::Program &program, const Relations &relations, bool withLastUses = true)
      : program_(program), relations_(relations), withLastUses_(withLastUses),
        lastUses_(withLastUses ? computeLastUses(relations.model) : isl::union_map::empty(relations.model.ctx.get())) {}

  void at(const Values &values) const {
    const ir::Sizes sizes = test::makeSizes(values);
    const Facts actual = test::factsOf(relations_, lastUses_, sizes);
    Facts expected = test::factsOf(program_, instancesOf(program_, sizes));
    if (!withLastUses_)
      std::erase_if(expected, [](const std::string &fact) { return fact.find(" last uses ") != std::string::npos; });
    EXPECT_EQ(difference(actual, expected), "") << "found by the analysis only, for " << textOf(values);
    EXPECT_EQ(difference(expected, actual), "") << "missed by the analysis, for " << textOf(values);
  }

private:
  const ir::Program &program_;
  const Relations &relations_;
  bool withLastUses_;
  isl::union_map lastUses_;
};

/// All combinations of sizes 0 to 4 for `sizes`, with these scalars.
std::vector<Values> grid(const std::vector<std::string> &sizes, const Values &scalars) {
  std::vector<Values> result = {scalars};
  for (const std::string &size : sizes) {
    std::vector<Values> next;
    for (const Values &values : result)
      for (std::int64_t tiles = 0; tiles <= 4; ++tiles) {
        next.push_back(values);
        next.back()[size] = tiles;
      }
    result = std::move(next);
  }
  return result;
}

void compareOnGrid(const std::string &text, const std::vector<std::string> &sizes, const Values &scalars = {}) {
  const ir::Program program = test::parse(text);
  const Relations relations = computeDependences(buildModel(program));
  const Comparison comparison(program, relations);
  for (const Values &values : grid(sizes, scalars))
    comparison.at(values);
}

TEST(OracleTest, Cholesky) { compareOnGrid(test::cholesky, {"n"}); }
TEST(OracleTest, Posv) { compareOnGrid(test::posv, {"n", "k"}); }
TEST(OracleTest, Qr) { compareOnGrid(test::qr, {"m", "n"}); }

TEST(OracleTest, Gemm) {
  const ir::Program program = test::parse(test::gemm);
  const Relations relations = computeDependences(buildModel(program));
  const Comparison comparison(program, relations);
  for (std::int64_t opA : {111, 112, 113})
    for (std::int64_t opB : {111, 113})
      for (std::int64_t k : {0, 1, 3})
        comparison.at({{"m", 2}, {"n", 3}, {"k", k}, {"opA", opA}, {"opB", opB}});
}

/// Limits that count and do not time: the same on a slow or busy machine.
AnalysisLimits limitsOf(unsigned long operations) {
  AnalysisLimits limits;
  limits.maxOperations = operations;
  limits.maxTime = std::chrono::hours(1);
  return limits;
}

/// Nothing when isl needs too long, as it may for a random program.
std::optional<Relations> relationsOf(const ir::Program &program) {
  const ContextOwner ctx = makeContext();
  const Guard guard(ctx.get(), limitsOf(1'000'000));
  try {
    Model model = buildModel(program, ctx);
    EXPECT_TRUE(findBoundsViolations(model).empty());
    return computeDependences(std::move(model));
  } catch (const isl::exception_quota &) {
    return std::nullopt;
  }
}

/// The initial reads of the program's own workspaces.
isl::union_map unwrittenReads(const Relations &relations) {
  const Model &model = relations.model;
  isl::union_map result = isl::union_map::empty(relations.initialReads.ctx());
  relations.initialReads.foreach_map([&](const isl::map &map) {
    if (!model.program->isParameter(*model.matrixOf(map.range_tuple_id().name()).matrix))
      result = result.unite(map);
  });
  return result;
}

TEST(OracleTest, RandomPrograms) {
  int analyzed = 0;
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const std::string text = test::randomProgram(seed, true);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    const ir::Program program = test::parse(text);
    if (const auto relations = relationsOf(program)) {
      ++analyzed;
      EXPECT_TRUE(computeUnwrittenReads(relations->model).is_equal(unwrittenReads(*relations)));
      const Comparison comparison(program, *relations, seed % 10 == 0);
      const auto choices = grid({"m", "n"}, {{"p", static_cast<std::int64_t>(seed % 5) - 1}});
      for (std::size_t c = seed % 4; c < choices.size(); c += 4)
        comparison.at(choices[c]);
    }
    if (HasFailure())
      return;
  }
  EXPECT_GE(analyzed, 180);
}

/// The tile counts and scalars of a counterexample.
Values valuesOf(const Violation &violation) {
  Values values = {{"m", 0}, {"n", 0}, {"p", 0}};
  for (const Bindings *bindings : {&violation.tileCounts, &violation.scalars})
    for (const auto &[name, value] : *bindings)
      values[name] = value;
  return values;
}

// Bounds: a counterexample makes the run fail, no smaller size does, and without one no run fails.
TEST(OracleTest, RandomBounds) {
  int violations = 0;
  for (std::uint32_t seed = 1000; seed < 1150; ++seed) {
    const std::string text = test::randomProgram(seed, false);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    const ir::Program program = test::parse(text);
    const auto found = findBoundsViolations(buildModel(program));
    violations += !found.empty();
    std::pair<std::int64_t, std::int64_t> smallest(99, 99);
    for (const Violation &violation : found) {
      const Values values = valuesOf(violation);
      EXPECT_TRUE(fails(program, values)) << describe(program, violation);
      smallest = std::min(smallest, {values.at("m"), values.at("n")});
    }
    for (std::int64_t p : {-1, 0, 2})
      for (const Values &values : grid({"m", "n"}, {{"p", p}})) {
        if (std::pair(values.at("m"), values.at("n")) < smallest) {
          EXPECT_FALSE(fails(program, values)) << textOf(values);
        }
      }
    if (HasFailure())
      return;
  }
  EXPECT_GE(violations, 50);
  EXPECT_LE(violations, 145);
}

/// The same program with one workspace for all calls.
std::string withoutCalls(std::string text) {
  const std::string calls = " in(c)";
  return text.replace(text.find(calls), calls.size(), "");
}

/// Whether a task reads a half of a tile of a workspace that no earlier task of the same call wrote.
bool readsOutsideOfCall(const ir::Program &program, const std::vector<ir::TaskInstance> &instances) {
  using Half = std::tuple<std::vector<std::int64_t>, std::size_t, std::int64_t, std::int64_t, ir::Region>;
  std::set<Half> written;
  const auto forEachHalf = [&](const ir::TaskInstance &instance, const ir::TaskInstance::Use &use, auto &&visit) {
    const ir::Matrix &matrix = program.matrices[use.tile.matrix];
    const auto end = instance.indices.begin() + static_cast<std::ptrdiff_t>(matrix.madeIn.size());
    for (const ir::Region half : {ir::Region::Lower, ir::Region::Upper})
      if (!matrix.madeIn.empty() && (use.tile.region == ir::Region::Full || use.tile.region == half))
        visit(Half{{instance.indices.begin(), end}, use.tile.matrix, use.tile.row, use.tile.column, half});
  };
  for (const ir::TaskInstance &instance : instances) {
    bool isMissing = false;
    for (const auto &use : instance.uses)
      forEachHalf(instance, use, [&](const Half &half) {
        isMissing = isMissing || (use.access != ir::Access::Write && !written.contains(half));
      });
    if (isMissing)
      return true;
    for (const auto &use : instance.uses)
      forEachHalf(instance, use, [&](const Half &half) {
        if (use.access != ir::Access::Read)
          written.insert(half);
      });
  }
  return false;
}

// The same of workspaces that each iteration of a loop has anew, whichever way hetc finds the reads.
TEST(OracleTest, RandomCallsOfAlgorithms) {
  int violations = 0, earlierCalls = 0;
  for (std::uint32_t seed = 3000; seed < 3080; ++seed) {
    const std::string text = test::randomProgram(seed, true, true);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    const ir::Program program = test::parse(text);
    EXPECT_EQ(program.matrices.back().madeIn, std::vector<std::string>{"c"});
    const auto isWrong = [&](const Values &values) {
      return readsOutsideOfCall(program, instancesOf(program, test::makeSizes(values)));
    };
    using enum Questions::Dependences;
    const auto result = analyze(program, limitsOf(3'000'000), {seed % 2 == 0 ? Unwritten : Flow, false});
    if (auto *analysis = std::get_if<Analysis>(&result); analysis && !analysis->incomplete) {
      violations += !analysis->uninitialized.empty();
      for (const Violation &violation : analysis->uninitialized)
        EXPECT_TRUE(isWrong(valuesOf(violation))) << describe(program, violation);
      if (!analysis->uninitialized.empty()) {
        const auto together = analyze(test::parse(withoutCalls(text)), limitsOf(3'000'000), {Unwritten, false});
        const auto *accepted = std::get_if<Analysis>(&together);
        earlierCalls += accepted && !accepted->incomplete && accepted->uninitialized.empty();
      }
      for (std::int64_t p : {-1, 2})
        for (const Values &values : grid({"m", "n"}, {{"p", p}}))
          if (analysis->uninitialized.empty()) {
            EXPECT_FALSE(isWrong(values)) << textOf(values);
          }
    }
    if (HasFailure())
      return;
  }
  EXPECT_GE(violations, 10);
  EXPECT_GE(earlierCalls, 1) << "programs in which an earlier call has written the tile";
}

// Workspace reads: the counterexample's sizes make some task read an unwritten workspace tile, and no other sizes do
// when none is reported.
TEST(OracleTest, RandomUninitializedReads) {
  int violations = 0;
  for (std::uint32_t seed = 2000; seed < 2080; ++seed) {
    const std::string text = test::randomProgram(seed, true);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    const ir::Program program = test::parse(text);
    auto readsUnwritten = [&](const Values &values) {
      const Facts facts = test::factsOf(program, instancesOf(program, test::makeSizes(values)));
      return std::any_of(facts.begin(), facts.end(),
                         [](const std::string &fact) { return fact.find(" reads initial W") != std::string::npos; });
    };
    const auto result = analyze(program, limitsOf(3'000'000), {Questions::Dependences::Unwritten, seed % 2 == 0});
    if (auto *analysis = std::get_if<Analysis>(&result); analysis && !analysis->incomplete) {
      violations += !analysis->uninitialized.empty();
      for (const Violation &violation : analysis->uninitialized)
        EXPECT_TRUE(readsUnwritten(valuesOf(violation))) << describe(program, violation);
      for (std::int64_t p : {-1, 2})
        for (const Values &values : grid({"m", "n"}, {{"p", p}})) {
          if (analysis->uninitialized.empty()) {
            EXPECT_FALSE(readsUnwritten(values)) << textOf(values);
          }
        }
    }
    if (HasFailure())
      return;
  }
  EXPECT_GE(violations, 10);
}

} // namespace
} // namespace hetc::dependence
