#include "tests/unit/compiler/dependence/isl_literals.hpp"
#include "tests/unit/compiler/dependence/programs.hpp"

#include <gtest/gtest.h>

namespace hetc::dependence {
namespace {

using test::isEqual;

class ModelTest : public ::testing::Test {
protected:
  const Model &model(const std::string &text) {
    program_ = test::parse(text);
    model_.emplace(buildModel(program_));
    return *model_;
  }
  /// Domain of the only task, in a loop nest given as text with the task's place marked by "task".
  isl::set domainOf(const std::string &statements) { return model(test::around(statements)).statements[0].domain; }
  isl::union_map accessesOf(const std::string &statements) {
    const Model &m = model(test::around(statements));
    return m.reads().unite(m.writes());
  }

  ir::Program program_;
  std::optional<Model> model_;
};

TEST_F(ModelTest, Cholesky) {
  const Model &m = model(test::cholesky);
  EXPECT_TRUE(isEqual(m.domain(), R"([T_n] -> {
      S0[k] : 0 <= k < T_n; S1[k, i] : 0 <= k < i < T_n; S2[k, j] : 0 <= k < j < T_n;
      S3[k, j, i] : 0 <= k < j < i < T_n })"));
  EXPECT_TRUE(isEqual(m.schedule().intersect_domain(m.domain()), R"([T_n] -> {
      S0[k] -> [0, k, 0, 0, 0, 0, 0] : 0 <= k < T_n;
      S1[k, i] -> [0, k, 1, i, 0, 0, 0] : 0 <= k < i < T_n;
      S2[k, j] -> [0, k, 2, j, 0, 0, 0] : 0 <= k < j < T_n;
      S3[k, j, i] -> [0, k, 2, j, 1, i, 0] : 0 <= k < j < i < T_n })"));
  EXPECT_TRUE(isEqual(m.writes(), R"([T_n] -> {
      S0[k] -> A[k, k] : 0 <= k < T_n; S1[k, i] -> A[i, k] : 0 <= k < i < T_n;
      S2[k, j] -> A[j, j] : 0 <= k < j < T_n; S3[k, j, i] -> A[i, j] : 0 <= k < j < i < T_n })"));
  EXPECT_TRUE(isEqual(m.matrices.at("A").tiles, "[T_n] -> { A[i, j] : 0 <= j <= i < T_n }"));
}

TEST_F(ModelTest, GemmOverAllOperations) {
  const Model &m = model(test::gemm);
  EXPECT_TRUE(isEqual(m.context, R"([T_m, T_n, T_k, opA, opB] -> { : T_m >= 0 and T_n >= 0 and T_k >= 0 and
      111 <= opA <= 113 and 111 <= opB <= 113 })"));
  EXPECT_TRUE(isEqual(m.statement(0).domain,
                      "[T_m, T_n, T_k, opA, opB] -> { S0[i, j] : 0 <= i < T_m and 0 <= j < T_n and T_k = 0 and "
                      "111 <= opA <= 113 and 111 <= opB <= 113 }"));
  EXPECT_TRUE(isEqual(m.statement(2).accesses[1].tiles,
                      "[T_m, T_n, T_k, opA, opB] -> { S2[i, j, l] -> B[j, l] : 0 <= i < T_m and 0 <= j < T_n and "
                      "0 <= l < T_k and opA = 111 and 112 <= opB <= 113 }"));
}

TEST_F(ModelTest, Loops) {
  EXPECT_TRUE(isEqual(domainOf("for (int i = 1; i <= A.mt(); i = i + 2) { task 0 f(rw A(0, 0)) }"),
                      "[T_m, T_n] -> { S0[i] : 1 <= i <= T_m and i mod 2 = 1 and T_n >= 0 }"));
  EXPECT_TRUE(isEqual(domainOf("for (int i = A.mt() - 1; i >= 0; --i) { task 0 f(rw A(0, 0)) }"),
                      "[T_m, T_n] -> { S0[i] : 0 <= i < T_m and T_n >= 0 }"));
  EXPECT_TRUE(isEqual(domainOf("for (int i = A.mt(); i > 0; i = i - 3) { task 0 f(rw A(0, 0)) }"),
                      "[T_m, T_n] -> { S0[i] : 0 < i <= T_m and (T_m - i) mod 3 = 0 and T_n >= 0 }"));
  EXPECT_TRUE(isEqual(domainOf("for (int i = 0; i != A.mt(); ++i) { task 0 f(rw A(0, 0)) }"),
                      "[T_m, T_n] -> { S0[i] : 0 <= i < T_m and T_n >= 0 }"));
  EXPECT_TRUE(isEqual(domainOf("for (int i = 0; i < A.mt() && p > 3; ++i) { task 0 f(rw A(0, 0)) }"),
                      "[T_m, T_n, p] -> { S0[i] : 0 <= i < T_m and p > 3 and T_n >= 0 }"));
}

// A condition that could come true again: the loop has ended by then.
TEST_F(ModelTest, LoopEndsAtTheFirstFailure) {
  EXPECT_TRUE(isEqual(domainOf("for (int i = 0; i < A.mt() && i != 5; ++i) { task 0 f(rw A(0, 0)) }"),
                      "[T_m, T_n] -> { S0[i] : 0 <= i < T_m and i < 5 and T_n >= 0 }"));
  EXPECT_TRUE(isEqual(domainOf("for (int i = A.mt(); i > 0 && (i + 1) % 4 != 0; --i) { task 0 f(rw A(0, 0)) }"),
                      R"([T_m, T_n] -> { S0[i] : 0 < i <= T_m and T_n >= 0 and
                        not (exists b : i <= b <= T_m and (b + 1) mod 4 = 0) })"));
}

TEST_F(ModelTest, DownwardLoopsHaveNegatedTime) {
  const Model &m = model(test::around(R"(
    for (int i = A.mt() - 1; i >= 0; i = i - 2) {
      task 0 f(rw A(i, 0))
      for (int j = 0; j < A.nt(); ++j) { task 1 f(rw A(i, j)) }
    }
    task 2 f(rw A(0, 0)))"));
  EXPECT_TRUE(isEqual(m.statement(0).time.as_map(), "{ S0[i] -> [0, -i, 0, 0, 0] }"));
  EXPECT_TRUE(isEqual(m.statement(1).time.as_map(), "{ S1[i, j] -> [0, -i, 1, j, 0] }"));
  EXPECT_TRUE(isEqual(m.statement(2).time.as_map(), "{ S2[] -> [1, 0, 0, 0, 0] }"));
}

TEST_F(ModelTest, BranchesPartitionTheirDomain) {
  const Model &m = model(test::around(R"(
    for (int i = 0; i < A.mt(); ++i) {
      if (i % 2 == 0 && i < p) { task 0 f(rw A(i, 0)) } else { task 1 f(rw A(i, 0)) }
      task 2 f(rw A(i, 0))
    })"));
  EXPECT_TRUE(isEqual(m.statement(0).domain,
                      "[T_m, T_n, p] -> { S0[i] : 0 <= i < T_m and i mod 2 = 0 and i < p and T_n >= 0 }"));
  EXPECT_TRUE(isEqual(m.statement(1).domain,
                      "[T_m, T_n, p] -> { S1[i] : 0 <= i < T_m and (i mod 2 = 1 or i >= p) and T_n >= 0 }"));
  EXPECT_TRUE(isEqual(m.statement(2).time.as_map(), "{ S2[i] -> [0, i, 2] }"));
}

TEST_F(ModelTest, PanelsAreRuns) {
  EXPECT_TRUE(isEqual(accessesOf("for (int k = 0; k < A.nt(); ++k) { task 0 h(rw A.panel(k, A.mt(), k)) }"),
                      "[T_m, T_n] -> { S0[k] -> A[i, k] : 0 <= k < T_n and k <= i < T_m }"));
}

TEST_F(ModelTest, Arithmetic) {
  EXPECT_TRUE(isEqual(accessesOf("for (int k = 0; k < A.nt(); ++k) { task 0 f(rw A(k / 2, (k - 3) % 2)) }"),
                      R"([T_m, T_n] -> {
                        S0[k] -> A[floor(k / 2), k - 3 - 2 * floor((k - 3) / 2)] : 3 <= k < T_n and T_m >= 0;
                        S0[k] -> A[floor(k / 2), -((3 - k) mod 2)] : 0 <= k < 3 and k < T_n and T_m >= 0 })"));
  EXPECT_TRUE(isEqual(accessesOf("for (int k = 0; k < A.nt(); ++k) { task 0 f(rw A(k < 2 ? 0 : k - 1, max(k, p))) }"),
                      R"([T_m, T_n, p] -> { S0[k] -> A[a, b] : 0 <= k < T_n and T_m >= 0 and
                        ((k < 2 and a = 0) or (k >= 2 and a = k - 1)) and b = max(k, p) })"));
}

TEST_F(ModelTest, HalvesAreTilesOfTheirOwn) {
  const Model &m = model(test::qr);
  EXPECT_TRUE(isEqual(m.statement(0).accesses[0].regions,
                      "[T_m, T_n] -> { S0[k] -> AL[k, k] : 0 <= k < T_m and k < T_n; "
                      "S0[k] -> AU[k, k] : 0 <= k < T_m and k < T_n }"));
  EXPECT_TRUE(isEqual(m.statement(1).accesses[0].regions,
                      "[T_m, T_n] -> { S1[k, j] -> AL[k, k] : 0 <= k < T_m and k < j < T_n }"));
  EXPECT_TRUE(isEqual(m.statement(2).accesses[0].regions,
                      "[T_m, T_n] -> { S2[k, i] -> AU[k, k] : 0 <= k < T_n and k < i < T_m }"));
  EXPECT_TRUE(isEqual(m.statement(3).accesses[3].regions,
                      "[T_m, T_n] -> { S3[k, i, j] -> T[i, k] : 0 <= k < i < T_m and k < j < T_n }"));
}

TEST_F(ModelTest, TileNamesAreUnique) {
  program_ = test::parse(R"(
    program p(A, AL, S0) type d source "p.tla" {
      size n
      Matrix<d> A(n, n)
      Matrix<d> AL(n, n)
      Matrix<d> S0(n, n)
      kernel f<T>(rw a, rw b, rw c)
      task 0 f(rw A(0, 0).lower(), rw AL(0, 0), rw S0(0, 0))
    })");
  const Model m = buildModel(program_);
  EXPECT_TRUE(isEqual(m.writes(), "[T_n] -> { S0[] -> AL_[0, 0] : T_n >= 0; S0[] -> AL[0, 0] : T_n >= 0; "
                                  "S0[] -> S0_[0, 0] : T_n >= 0 }"));
}

} // namespace
} // namespace hetc::dependence
