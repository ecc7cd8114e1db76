// The loops of every node against the reference, as ordered lists, for the standard algorithms.
#include "compiler/driver/compile.hpp"
#include "compiler/ir/period.hpp"
#include "compiler/specialize/specialize.hpp"
#include "compiler/support/paths.hpp"
#include "tests/unit/compiler/specialize/reference.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include <chrono>
#include <ostream>

namespace hetc::test {

namespace {

struct Case {
  std::string file, algorithm;
  std::vector<std::map<std::string, std::int64_t>> scalars = {{}};
  bool allGrids = false;
  int slices = 1;
  std::string directory = HETC_ALGORITHMS_DIR;
  /// For whose nodes isl finds no loops within its limits, or there are none because of a tree; they replay.
  std::vector<std::string> without = {};
};

void PrintTo(const Case &each, std::ostream *out) { *out << each.algorithm; }

/// The values of CBLAS.
const std::int64_t noTrans = 111, trans = 112, conjTrans = 113, upper = 121, lower = 122, nonUnit = 131, left = 141,
                   right = 142;

std::vector<std::map<std::string, std::int64_t>> triangularCases() {
  std::vector<std::map<std::string, std::int64_t>> cases;
  for (const std::int64_t side : {left, right})
    for (const std::int64_t uplo : {lower, upper})
      for (const std::int64_t op : {noTrans, trans})
        cases.push_back({{"side", side}, {"uplo", uplo}, {"op", op}, {"diag", nonUnit}});
  return cases;
}

const std::vector<std::map<std::string, std::int64_t>> bothTriangles = {{{"uplo", lower}}, {{"uplo", upper}}};
const std::vector<std::map<std::string, std::int64_t>> bothOps = {{{"op", noTrans}, {"ib", 1}},
                                                                  {{"op", conjTrans}, {"ib", 1}}};
const std::vector<std::map<std::string, std::int64_t>> pairsOfOps = {{{"opA", noTrans}, {"opB", noTrans}},
                                                                     {{"opA", noTrans}, {"opB", trans}},
                                                                     {{"opA", trans}, {"opB", noTrans}},
                                                                     {{"opA", conjTrans}, {"opB", trans}}};

const Case cases[] = {
    {"cholesky", "cholesky", {{}}, true},
    {"cholesky_upper", "cholesky_upper"},
    {"potrs", "potrs"},
    {"potrs_upper", "potrs_upper"},
    {"posv", "posv"},
    {"potri", "potri", bothTriangles},
    {"lauum", "lauum", bothTriangles},
    {"trtri", "trtri", bothTriangles},
    {"ldlt_nopiv", "ldlt_nopiv", {{}}, true},
    {"getrf", "getrf"},
    {"getrf", "getrs", bothOps},
    {"getrf", "getri"},
    {"getrf_nopiv", "getrf_nopiv"},
    {"gesv", "gesv"},
    {"geqrf", "geqrf", {{}}, true},
    {"geqrf", "geqrf_q", bothOps},
    {"geqrf", "orgqr"},
    {"getrf_tntpiv", "getrf_tntpiv"},
    {"qr", "qr", {{{"ib", 1}}}},
    {"qr", "qr_apply", bothOps},
    {"qr", "qr_form", {{{"ib", 1}}}},
    {"qr_tree", "qr_tree", {{{"ib", 1}, {"h", 1}}}},
    {"trsm", "trsm", triangularCases()},
    {"trmm", "trmm", triangularCases()},
    {"symm",
     "symm",
     {{{"side", left}, {"uplo", lower}},
      {{"side", left}, {"uplo", upper}},
      {{"side", right}, {"uplo", lower}},
      {{"side", right}, {"uplo", upper}}}},
    {"syrk",
     "syrk",
     {{{"op", noTrans}, {"uplo", lower}},
      {{"op", noTrans}, {"uplo", upper}},
      {{"op", trans}, {"uplo", lower}},
      {{"op", trans}, {"uplo", upper}}}},
    {"gemm", "gemm", pairsOfOps},
};

/// The cases for 'tools/test --label matrix', as longSplitCases.
const Case longCases[] = {
    {"getrf", "getrf", {{}}, true, 1, HETC_ALGORITHMS_DIR, {"2dbc:2x2,reflected=0:3,v=2", "2dbc:2x3,reflected=1:2"}},
    {"geqrf",
     "ormqr",
     {{{"side", left}, {"op", noTrans}},
      {{"side", left}, {"op", conjTrans}},
      {{"side", right}, {"op", noTrans}},
      {{"side", right}, {"op", conjTrans}}}},
    {"gels", "gels", bothOps, false, 1, HETC_ALGORITHMS_DIR, {"file:" HETC_INPUTS_DIR "/table.txt"}},
    {"qr", "qr", {{{"ib", 1}}}, true},
};

/// Tiles have two elements, so that edges are smaller ones.
std::vector<std::map<std::string, std::int64_t>> sizesOf(const ir::Program &program) {
  if (program.sizes == std::vector<std::string>{"n"})
    return {{{"n", 1}}, {{"n", 4}}, {{"n", 7}}, {{"n", 13}}};
  return {{{"m", 13}, {"n", 9}, {"k", 5}}, {{"m", 5}, {"n", 12}, {"k", 9}}, {{"m", 8}, {"n", 8}, {"k", 1}}};
}

/// Limits that count and do not time: the same on a slow or busy machine.
specialize::Limits untimed(specialize::Limits limits) {
  limits.maxTime = std::chrono::hours(1);
  return limits;
}

class Algorithms : public testing::TestWithParam<Case> {
protected:
  void SetUp() override {
    support::setExecutable(HETC_PROGRAM, nullptr);
    driver::Request request;
    request.file = GetParam().directory + "/" + GetParam().file + ".tla";
    request.algorithm = GetParam().algorithm;
    request.emit = driver::Emit::Check;
    request.remarks = false;
    request.split = GetParam().slices;
    driver::Result result = driver::compile(request);
    ASSERT_TRUE(result.ok);
    program_ = std::move(result.program);
    if (!ir::asksPeriod(program_)) {
      ASSERT_TRUE(analyze(program_));
    }
  }

  /// False where the program is beyond isl.
  bool analyze(const ir::Program &program) {
    auto analysis = dependence::analyze(program, untimed({}));
    if (!std::holds_alternative<dependence::Analysis>(analysis))
      return false;
    analysis_ = std::move(std::get<dependence::Analysis>(analysis));
    return analysis_.relations != nullptr;
  }

  void check(const std::string &grid) {
    SCOPED_TRACE(grid);
    const bool isWithout = std::ranges::find(GetParam().without, grid) != GetParam().without.end();
    const auto distribution = tla::parseDistribution(grid);
    // The reference runs the program as it is.
    const bool binds = ir::asksPeriod(program_);
    const ir::Program bound = ir::bindPeriod(program_, distribution.period().rows, distribution.period().columns);
    if (binds && !analyze(bound)) {
      EXPECT_TRUE(isWithout) << "cannot be analyzed";
      return;
    }
    const auto result =
        specialize::specialize(binds ? bound : program_, analysis_, distribution, untimed(specialize::defaultLimits));
    const auto *obstacle = std::get_if<specialize::Obstacle>(&result);
    ASSERT_EQ(obstacle != nullptr, isWithout) << (obstacle ? obstacle->reason : "has loops");
    if (isWithout)
      return;
    const auto &nodeProgram = std::get<specialize::NodeProgram>(result);
    for (const auto &sizes : sizesOf(program_))
      for (const auto &scalars : GetParam().scalars)
        compare(nodeProgram, distribution, sizes, scalars);
  }

  /// Whether the program's requirements on sizes and scalars hold.
  bool isFor(const ir::Sizes &sizes) const {
    const auto environment = std::get<ir::Environment>(ir::bindSizes(program_, sizes));
    return std::ranges::all_of(program_.requirements, [&](const ir::Requirement &requirement) {
      return ir::evaluate(*requirement.condition, environment).value() != 0;
    });
  }

  void compare(const specialize::NodeProgram &nodeProgram, const tla::Distribution &distribution,
               std::map<std::string, std::int64_t> values, const std::map<std::string, std::int64_t> &scalars) {
    std::string trace;
    values.insert(scalars.begin(), scalars.end());
    for (const auto &[name, value] : values)
      trace += name + " = " + std::to_string(value) + " ";
    SCOPED_TRACE(trace);
    const tla::Period period = distribution.period();
    const ir::Sizes sizes{values, GetParam().slices == 1 ? 2 : GetParam().slices + 1, 1, period.rows, period.columns};
    if (!isFor(sizes))
      return;
    const std::vector<Actions> expected = referenceActions(program_, sizes, distribution);
    for (int node = 0; node < distribution.nodes(); ++node)
      ASSERT_EQ(runNode(nodeProgram, program_, sizes, distribution, node).actions, expected[node]) << "node " << node;
  }

  ir::Program program_;
  dependence::Analysis analysis_;
};

class Cholesky : public Algorithms {};

TEST_P(Algorithms, EveryNodeDoesWhatTheRulesSay) {
  check("2dbc:2x3");
  check("2dbc:1x2,reflected=0:3");
  if (GetParam().allGrids)
    for (const char *grid : {"2dbc:1x1", "2dbc:1x2", "2dbc:2x1", "2dbc:2x2", "2dbc:3x2", "2dbc:2x2,v=2",
                             "2dbc:2x1,reflected", "2dbc:2x2,reflected=1:0", "2dbc:2x2,reflected=0:3,v=2"})
      check(grid);
}

/// Checks a distribution by which each node has several parts.
TEST_P(Algorithms, EveryNodeDoesWhatItsPartsDo) {
  check("file:" HETC_INPUTS_DIR "/table.txt");
  if (GetParam().allGrids)
    for (const char *grid : {"2dbc:2x3,reflected=1:2", "2dbc:3x1,reflected=2:0,v=2", "sbc:3"})
      check(grid);
}

TEST_P(Cholesky, SymmetricDistribution) {
  for (const char *grid : {"sbc:3", "sbc:6", "sbc:8", "sbc:10"})
    check(grid);
}

TEST_P(Cholesky, SaysWhereThereAreNoLoops) {
  const auto distribution = tla::parseDistribution("2dbc:3x4,reflected");
  const auto result = specialize::specialize(program_, analysis_, distribution, {1});
  const auto *obstacle = std::get_if<specialize::Obstacle>(&result);
  ASSERT_TRUE(obstacle);
  EXPECT_EQ(obstacle->reason, "more than 1 operations");
}

/// Iterations for each task, send and receive of a node; 400 x 400 tiles on 1024 nodes.
TEST_P(Cholesky, LoopsVisitLittleElse) {
  const auto distribution = tla::parseDistribution("2dbc:32x32");
  const auto result = specialize::specialize(program_, analysis_, distribution);
  const auto &nodeProgram = std::get<specialize::NodeProgram>(result);
  for (const int node : {0, 33, 500, 1023}) {
    const NodeRun run = runNode(nodeProgram, program_, {{{"n", 400}}, 1}, distribution, node);
    const double ratio = double(run.iterations) / run.actions.size();
    RecordProperty("iterations_" + std::to_string(node), std::to_string(run.iterations));
    RecordProperty("actions_" + std::to_string(node), std::to_string(run.actions.size()));
    EXPECT_LT(ratio, 2) << run.iterations << " iterations for " << run.actions.size() << " actions of node " << node;
  }
}
INSTANTIATE_TEST_SUITE_P(One, Cholesky, testing::Values(cases[0]));

/// Programs on slices of one column and a last one of two, in tiles whose last ones have fewer slices.
class Slices : public Algorithms {};

TEST_P(Slices, EveryNodeDoesWhatTheRulesSay) {
  check("2dbc:2x3");
  if (GetParam().allGrids)
    for (const char *grid : {"2dbc:1x1", "2dbc:2x1", "2dbc:3x2", "2dbc:2x2,v=2", "2dbc:1x2,reflected"})
      check(grid);
}

const Case splitCases[] = {
    {"cholesky", "cholesky", {{}}, true, 3},
    {"cholesky_upper", "cholesky_upper", {{}}, false, 2},
    {"potrs", "potrs", {{}}, false, 3},
    {"ldlt_nopiv", "ldlt_nopiv", {{}}, false, 2},
    {"getrf_nopiv", "getrf_nopiv", {{}}, false, 3},
    {"getrf", "getrs", bothOps, false, 2},
    {"geqrf", "geqrf", {{}}, false, 2},
    {"gemm", "gemm", pairsOfOps, false, 3},
    {"columns", "transposed", {{}}, false, 2, HETC_INPUTS_DIR},
};

/// With 'tools/test --label matrix': what takes isl longest, of kinds that the other cases have, too.
const Case longSplitCases[] = {
    {"getrf", "getrf", {{}}, true, 3, HETC_ALGORITHMS_DIR, {"2dbc:3x2", "2dbc:2x2,v=2"}},
    {"qr", "qr", {{{"ib", 1}}}, false, 3},
    {"qr", "qr_apply", bothOps, false, 2},
    {"qr", "qr_form", {{{"ib", 1}}}, false, 2, HETC_ALGORITHMS_DIR, {"2dbc:2x3"}}, // asks for slices of min(m, n)
                                                                                   // columns, and nothing has m
    {"posv", "posv", {{}}, false, 3},
    {"trtri", "trtri", bothTriangles, false, 3},
    {"columns", "transposed", {{}}, true, 3, HETC_INPUTS_DIR},
};

/// Never a stand-in for a number of slices that has no name.
class NamelessSlices : public Algorithms {};

TEST_P(NamelessSlices, AreAnObstacle) {
  const auto result = specialize::specialize(program_, analysis_, tla::parseDistribution("2dbc:2x3"));
  const auto *obstacle = std::get_if<specialize::Obstacle>(&result);
  ASSERT_TRUE(obstacle);
  EXPECT_EQ(obstacle->reason, "what runs depends on a size that has no name in the program");
}
INSTANTIATE_TEST_SUITE_P(Split, NamelessSlices,
                         testing::Values(Case{"columns", "widest", {{}}, false, 2, HETC_INPUTS_DIR}));

/// Coordinates that are quotients of the loops' variables, and halves of tiles that travel alone.
class Halves : public Algorithms {};

TEST_P(Halves, EveryNodeDoesWhatTheRulesSay) {
  for (const char *grid : {"2dbc:2x1", "2dbc:4x1", "2dbc:3x1", "2dbc:2x2", "2dbc:6x1", "2dbc:4x1,v=2"})
    check(grid);
}
INSTANTIATE_TEST_SUITE_P(All, Halves,
                         testing::Values(Case{"halves", "halves", {{}}, true, 1, HETC_INPUTS_DIR},
                                         Case{"triangles", "triangles", {{}}, true, 1, HETC_INPUTS_DIR}));

std::string nameOf(const testing::TestParamInfo<Case> &info) { return info.param.algorithm; }
std::string nameOfSplit(const testing::TestParamInfo<Case> &info) {
  return info.param.algorithm + "_" + std::to_string(info.param.slices);
}

INSTANTIATE_TEST_SUITE_P(Split, Slices, testing::ValuesIn(splitCases), nameOfSplit);
INSTANTIATE_TEST_SUITE_P(LongSplit, Slices, testing::ValuesIn(longSplitCases), nameOfSplit);
INSTANTIATE_TEST_SUITE_P(All, Algorithms, testing::ValuesIn(cases), nameOf);
INSTANTIATE_TEST_SUITE_P(Long, Algorithms, testing::ValuesIn(longCases), nameOf);

} // namespace
} // namespace hetc::test
