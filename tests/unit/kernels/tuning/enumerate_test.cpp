#include "kernels/tuning/enumerate.hpp"

#include "kernels/tuning/evaluate.hpp"
#include "tests/unit/kernels/tuning/naive.hpp"
#include "tests/unit/kernels/tuning/random_space.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <numeric>

using namespace hetc::tuning;

namespace {

std::variant<Enumeration, Diagnostic> tryToEnumerate(const EnumerationPlan &plan, int workers = 1) {
  return enumerate(plan, {workers, /*collectPoints=*/true});
}
Enumeration enumerated(const EnumerationPlan &plan, int workers = 1) {
  return std::get<Enumeration>(tryToEnumerate(plan, workers));
}

/// "raw 100; c0: 50 tests, -60 = 40; ..."
std::string print(const EnumerationPlan &plan, const Enumeration &result) {
  std::ostringstream out;
  out << "raw " << result.raw;
  for (const FunnelRow &row : result.funnel)
    out << "; " << plan.space.constraints[row.constraint].name << ": " << row.tests << " tests, -" << row.removed
        << " = " << row.left;
  return out.str();
}

std::vector<int> funnelOrder(const Enumeration &result) {
  std::vector<int> order;
  for (const FunnelRow &row : result.funnel)
    order.push_back(row.constraint);
  return order;
}

std::string emptyMessage(const std::string &text) {
  const EnumerationPlan plan = planOf("kernel gemm\n" + text);
  const Enumeration result = enumerated(plan);
  return result.left ? "not empty" : explainEmpty(plan, result).message;
}

std::string failure(const std::string &text) {
  const EnumerationPlan plan = planOf("kernel gemm\n" + text);
  const auto outcome = tryToEnumerate(plan);
  return std::holds_alternative<Diagnostic>(outcome) ? std::get<Diagnostic>(outcome).message : "none";
}

} // namespace

TEST(Enumerate, AFunnelByHand) {
  const EnumerationPlan plan = planOf("kernel gemm\niter i from 1 to 10 iter j from 1 to 10\n"
                                      "soft even: i % 2 == 0\nhard odd: j % 2 == 1\nhard apart: i != j + 1");
  EXPECT_EQ(print(plan, enumerated(plan)), "raw 100; even: 10 tests, -50 = 50; odd: 50 tests, -25 = 25; "
                                           "apart: 25 tests, -5 = 20");
}

TEST(Enumerate, ACutRemovesTheRestOfItsLoop) {
  const EnumerationPlan plan = planOf("kernel gemm\niter i from 1 to 10 iter j from 1 to 10\nhard c: i + j <= 4");
  // In loop i up to the first that fails, i = 4; in loop j for i = 1, 2, 3 up to j = 4, 3, 2.
  EXPECT_EQ(print(plan, enumerated(plan)), "raw 100; c: 13 tests, -94 = 6");
}

TEST(Enumerate, OpenEndedIteratorsAreCountedUpToTheirLargestValueLeft) {
  const EnumerationPlan plan =
      planOf("kernel gemm\niter i from 1 iter j from i step i\nhard c: i * j <= 20\nhard d: j % 4 == 0");
  const Enumeration result = enumerated(plan);
  EXPECT_EQ(result.last, (std::vector<std::int64_t>{4, 20}));
  const std::vector<Point> expected = {{1, 4}, {1, 8}, {1, 12}, {1, 16}, {1, 20}, {2, 4}, {2, 8}, {4, 4}};
  EXPECT_EQ(result.points, expected);
  EXPECT_EQ(result.raw, 20 + 10 + 6 + 5);
}

TEST(Enumerate, WithoutCutsAPointIsRemovedByTheFirstConstraintThatFails) {
  const EnumerationPlan plan =
      planOf("kernel gemm\niter i from 1 to 12 iter j from i to 2 * i iter k in 1, 2, 5\nlet d = i * k\n"
             "hard a: (i + j) % 3 != 0\nsoft b: d % 4 < 3\ncorrectness c: i % 5 != 1\nhard e: k != j");
  const Enumeration result = enumerated(plan);
  const NaiveResult naive = enumerateNaively(plan, result.last, funnelOrder(result));
  EXPECT_EQ(result.raw, naive.raw);
  for (const FunnelRow &row : result.funnel)
    EXPECT_EQ(row.removed, naive.firstFailures[row.constraint]) << plan.space.constraints[row.constraint].name;
  EXPECT_EQ(result.points, naive.points);
}

TEST(Enumerate, EmptyResults) {
  EXPECT_EQ(emptyMessage("iter i from 1 to 9\nhard a: i > 3\nhard b: i % 2 == 0\nhard c: i % 2 == 1\nhard d: i > 0"),
            "no candidate is left: 'c' removes the last 3 points");
  EXPECT_EQ(emptyMessage("iter i from 1 iter j from 1\nhard a: i < 4\nhard b: j < 4\nhard c: i > 5"),
            "no candidate is left: 'c' removes the last 3 points");
  EXPECT_EQ(emptyMessage("param p = 1 iter i from 1 to 9\nhard a: p > 3"),
            "no candidate is left: 'a' removes the last 9 points");
  EXPECT_EQ(emptyMessage("iter i from 1 to 9 iter j from i to 0"), "the space has no points: 'j' has no values");
}

TEST(Enumerate, FailuresNameThePoint) {
  EXPECT_EQ(failure("iter i from 1 to 9 iter j from 0 to 9\nhard a: 5 / (i - 3 + j) < 100"),
            "division by zero for i = 1, j = 2");
  EXPECT_EQ(failure("iter i from 1 to 9 iter j from 0 to 9 step 3 - i"),
            "the step of 'j' is 0 here, and must be positive for i = 3");
  EXPECT_EQ(failure("iter i from 1 to 9\nlet d = 3 % (i - 4)\nhard a: d == 0\n"), "division by zero for i = 4");
  EXPECT_EQ(failure("iter i from 4611686018427387904 to 4611686018427387905\nhard a: i * 2 > 0"),
            "a value does not fit into 64 bits for i = 4611686018427387904");
  // Guarded.
  EXPECT_EQ(failure("iter i from 0 to 9\nhard a: i != 0 && 5 / i > 0"), "none");
  // In the raw nest only.
  EXPECT_EQ(failure("iter i from 0 to 9\niter j from 1 to 5 / i\nhard a: i != 0"), "none");
}

TEST(Enumerate, RandomSpacesByBruteForce) {
  std::mt19937 random(20140628);
  int compared = 0, cuts = 0, left = 0;
  for (int each = 0; each < 3000; ++each) {
    const std::string text = randomSpace(random);
    auto made = plan(spaceOf(text));
    if (std::holds_alternative<Diagnostic>(made))
      continue;
    const EnumerationPlan &plan = std::get<EnumerationPlan>(made);
    const auto outcome = tryToEnumerate(plan);
    if (std::holds_alternative<Diagnostic>(outcome))
      continue;
    const auto &result = std::get<Enumeration>(outcome);
    std::vector<std::int64_t> beyond = result.last;
    for (std::int64_t &last : beyond)
      last = last == unknownLast ? 12 : last + 12; // nothing is left there
    try {
      if (enumerateNaively(plan, result.last, {}).raw > 20000)
        continue;
      EXPECT_EQ(enumerateNaively(plan, beyond, funnelOrder(result)).points, result.points) << text;
      const NaiveResult naive = enumerateNaively(plan, result.last, funnelOrder(result));
      if (result.left > 0) {
        EXPECT_EQ(naive.raw, result.raw) << text;
      }
    } catch (const EvaluationError &) {
      continue; // where the nest does not come
    }
    EXPECT_EQ(result.funnel.back().left, static_cast<double>(result.left)) << text;
    ++compared;
    left += result.left > 0;
    for (const auto &test : plan.tests)
      cuts += !test.bindings.empty();
  }
  EXPECT_GT(compared, 1000);
  EXPECT_GT(left, 500);
  EXPECT_GT(cuts, 100);
}

TEST(Enumerate, AnyNumberOfWorkersCountsTheSame) {
  std::mt19937 random(7);
  for (int each = 0; each < 100; ++each) {
    const std::string text = randomSpace(random);
    auto made = plan(spaceOf(text));
    if (std::holds_alternative<Diagnostic>(made))
      continue;
    const EnumerationPlan &plan = std::get<EnumerationPlan>(made);
    const auto alone = tryToEnumerate(plan), together = tryToEnumerate(plan, 4);
    ASSERT_EQ(alone.index(), together.index()) << text;
    if (const auto *diagnostic = std::get_if<Diagnostic>(&alone)) {
      EXPECT_EQ(diagnostic->message, std::get<Diagnostic>(together).message) << text;
      continue;
    }
    EXPECT_EQ(print(plan, std::get<0>(alone)), print(plan, std::get<0>(together))) << text;
    EXPECT_EQ(std::get<0>(alone).points, std::get<0>(together).points) << text;
  }
}

TEST(Enumerate, TheSpaceOfThePaper) {
  std::ifstream in(HETC_SPACES "/beast_k40c.space");
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  const EnumerationPlan plan = planOf(text);
  const Enumeration result = enumerated(plan, 2);
  EXPECT_EQ(result.left, 14767); // [Dongarra14] section 3
  EXPECT_EQ(result.last, (std::vector<std::int64_t>{unknownLast, unknownLast, 720, 672, 88}));
  double blocksM = 0, blocksN = 0; // Figure 7's loops without constraints
  for (int dim = 1; dim <= 1024; ++dim) {
    blocksM += 720 / dim;
    blocksN += 672 / dim;
  }
  EXPECT_EQ(result.raw, blocksM * blocksN * 88);
  EXPECT_EQ(result.funnel.back().left, 14767);
  // The fastest of them: tiles of 96 x 64 x 12, 16 x 8 threads, 32 x 4 to read A, 4 x 32 to read B.
  const Point fastest = {16, 8, 96, 64, 12};
  EXPECT_TRUE(std::ranges::binary_search(result.points, fastest));
  const auto values = valuesAt(plan, fastest);
  const auto value = [&](const char *name) { return values[plan.space.find(name)]; };
  EXPECT_EQ(value("dim_ma"), 32);
  EXPECT_EQ(value("dim_na"), 4);
  EXPECT_EQ(value("dim_mb"), 4);
  EXPECT_EQ(value("dim_nb"), 32);
}
