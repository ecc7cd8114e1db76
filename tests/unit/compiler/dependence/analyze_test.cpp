#include "compiler/dependence/dependence.hpp"
#include "compiler/ir/unroll.hpp"
#include "tests/unit/compiler/dependence/programs.hpp"

#include <gtest/gtest.h>

namespace hetc::dependence {
namespace {

std::string reasonFor(const std::string &statements) {
  const ir::Program program = test::parse(test::around(statements));
  const auto result = analyze(program);
  if (auto *reason = std::get_if<NonAffine>(&result))
    return std::to_string(reason->location.line) + ": " + reason->reason;
  return std::holds_alternative<Analysis>(result) ? "affine" : "limit";
}

TEST(AnalyzeTest, NonAffineProgramsSayWhere) {
  EXPECT_EQ(reasonFor("for (int i = 0; i < A.mt(); ++i) @3:1 { task 0 f(rw A(i * i, 0)) @7:2 }"),
            "7: 'i * i' is not affine");
  EXPECT_EQ(reasonFor("for (int i = 1; i < A.mt(); i = 2 * i) @3:1 { task 0 f(rw A(i, 0)) }"),
            "3: the step of loop 'i' is not a constant");
  EXPECT_EQ(reasonFor("for (int i = 1; i < A.mt(); i = i + p) @3:1 { task 0 f(rw A(i, 0)) }"),
            "3: the step of loop 'i' is not a constant");
  EXPECT_EQ(reasonFor("for (int i = 1; i < A.mt(); i = i + 0) @3:1 { task 0 f(rw A(i, 0)) }"),
            "3: the step of loop 'i' is zero");
  EXPECT_EQ(reasonFor("for (int i = 0; i != A.mt(); i = i + 2) @3:1 { task 0 f(rw A(i, 0)) }"),
            "3: loop 'i' tests '!=' with a step other than 1 or -1");
  EXPECT_EQ(reasonFor("for (int i = p; i != A.mt(); ++i) @3:1 { task 0 f(rw A(i, 0)) }"),
            "3: loop 'i' is not known to end");
  EXPECT_EQ(reasonFor("for (int i = 0; i < A.mt(); --i) @3:1 { task 0 f(rw A(i, 0)) }"),
            "3: loop 'i' is not known to end");
  EXPECT_EQ(reasonFor("if (p * p > 2) @5:1 { task 0 f(rw A(0, 0)) }"), "5: 'p * p' is not affine");
  EXPECT_EQ(reasonFor("if (p > 2) { task 0 f(rw A(0, 0)) }"), "affine");
}

/// Lines of the accesses that are not proved to stay inside, or "no" when none is.
std::string unproved(const std::string &statements) {
  const ir::Program program = test::parse(test::around("if (A.nt() > 0) { " + statements + " }"));
  const auto result = analyze(program);
  const NonAffine &notAffine = std::get<NonAffine>(result);
  if (!notAffine.unproved)
    return "no";
  for (std::int64_t m = 0; m < 20 && notAffine.unproved->empty(); ++m) {
    ir::Sizes sizes;
    sizes.values = {{"m", m}, {"n", 2}, {"p", 3}};
    const auto unrolled = ir::unroll(program, sizes);
    EXPECT_FALSE(std::holds_alternative<ir::UnrollError>(unrolled)) << "m = " << m;
  }
  std::string lines;
  for (const Violation &violation : *notAffine.unproved)
    lines += std::to_string(violation.location.line) + " ";
  return lines;
}

TEST(AnalyzeTest, IndicesOfTreesAreProved) {
  const std::string level = "for (int i = 0; i + d < A.mt(); i = i + 2 * d) { task 0 g(read A(i + d, 0), rw A(i, 0)) }";
  EXPECT_EQ(unproved("for (int d = 1; d < A.mt(); d = 2 * d) { " + level + " }"), "");
  EXPECT_EQ(unproved("for (int d = 64; d > 0; d = d / 2) { " + level + " }"), "");
  EXPECT_EQ(unproved("for (int d = 1; d < A.mt(); d = d + p) { " + level + " }"), "no") << "p may be negative";
  EXPECT_EQ(unproved("if (p > 0) { for (int d = 1; d < A.mt(); d = d + p) { " + level + " } }"), "");
  EXPECT_EQ(unproved("for (int d = 0; d < A.mt(); d = 2 * d) { " + level + " }"), "no") << "0 stays 0";
  EXPECT_EQ(unproved("for (int d = 1; d != 7 && d < A.mt(); d = 2 * d) { task 0 f(rw A(d, 0)) }"), "no")
      << "8 is not 7";
  EXPECT_EQ(unproved("for (int d = 2; d < A.mt(); d = d * d) { " + level + " }"), "no") << "not affine at all";
  EXPECT_EQ(
      unproved("for (int d = 1; d < A.mt(); d = 2 * d) { task 0 f(rw A(d, 0)) @5:1 task 1 f(rw A(d + 1, 0)) @6:1 }"),
      "6 ");
  EXPECT_EQ(unproved("for (int d = 1; d < A.mt(); d = 2 * d) { task 0 f(rw A(d * d, 0)) }"), "no");
}

/// The limit that stopped the analysis, before or after the indices were proved; empty when none did.
std::string limitReached(const std::variant<Analysis, NonAffine, LimitExceeded> &result) {
  if (const auto *limit = std::get_if<LimitExceeded>(&result))
    return limit->reason;
  const auto &incomplete = std::get<Analysis>(result).incomplete;
  return incomplete ? incomplete->reason : "";
}

TEST(AnalyzeTest, LimitsAreValues) {
  const ir::Program program = test::parse(test::posv);
  AnalysisLimits few;
  for (unsigned long operations : {1, 10, 100, 1000, 3000}) {
    few.maxOperations = operations;
    EXPECT_EQ(limitReached(analyze(program, few)), "more than " + std::to_string(operations) + " operations");
  }
  AnalysisLimits noTime;
  noTime.maxTime = std::chrono::milliseconds(0);
  EXPECT_EQ(limitReached(analyze(program, noTime)), "more than 0 ms");
}

/// A wrong index is found even when the dependences are out of reach.
TEST(AnalyzeTest, IndicesAreProvedBeforeDependences) {
  const ir::Program program = test::parse(test::posv);
  AnalysisLimits limits;
  std::size_t incomplete = 0;
  for (limits.maxOperations = 1000; limits.maxOperations < 200'000; limits.maxOperations *= 2)
    if (const auto result = analyze(program, limits); const auto *analysis = std::get_if<Analysis>(&result))
      if (analysis->incomplete) {
        ++incomplete;
        EXPECT_TRUE(analysis->outOfBounds.empty());
        EXPECT_EQ(analysis->relations, nullptr);
      }
  EXPECT_GT(incomplete, 0u);
}

TEST(AnalyzeTest, PrintIsReadableAndDeterministic) {
  const ir::Program program = test::parse(test::cholesky);
  const std::string text = print(program, std::get<Analysis>(analyze(program)));
  EXPECT_EQ(text, print(program, std::get<Analysis>(analyze(program))));
  for (const char *line :
       {"context [T_n] -> {  : T_n >= 0 }\n", "statement S1 // tla::trsm at 12:7\n",
        "  domain   [T_n] -> { S1[k, i] : k >= 0 and k < i < T_n }\n",
        "  schedule { S1[k, i] -> [0, k, 1, i, 0, 0, 0] }\n", "  rw       { S1[k, i] -> A[i, k] } // A(i, k)\n",
        "flow S0 -> S1 on A // tla::potrf at 9:5 -> tla::trsm at 12:7\n"
        "  [T_n] -> { S0[k] -> [S1[k' = k, i] -> A[k, k]] : k >= 0 and k < i < T_n }\n",
        "priority S3 -j\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << "is not in\n" << text;
}

TEST(AnalyzeTest, EmptyPrograms) {
  const ir::Program program = test::parse(test::around(""));
  const auto result = analyze(program);
  ASSERT_TRUE(std::holds_alternative<Analysis>(result));
  EXPECT_TRUE(std::get<Analysis>(result).outOfBounds.empty());
}

} // namespace
} // namespace hetc::dependence
