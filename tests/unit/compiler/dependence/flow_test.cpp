#include "tests/unit/compiler/dependence/isl_literals.hpp"
#include "tests/unit/compiler/dependence/programs.hpp"

#include <gtest/gtest.h>

namespace hetc::dependence {
namespace {

using test::between;
using test::isEqual;

class FlowTest : public ::testing::Test {
protected:
  Relations compute(const std::string &text) {
    program_ = test::parse(text);
    return computeDependences(buildModel(program_));
  }
  ir::Program program_;
};

TEST_F(FlowTest, Cholesky) {
  const Relations r = compute(test::cholesky);
  EXPECT_TRUE(isEqual(r.flow, R"([T_n] -> {
    S0[k] -> [S1[k, i] -> A[k, k]] : 0 <= k < i < T_n;
    S1[k, i] -> [S2[k, i] -> A[i, k]] : 0 <= k < i < T_n;
    S1[k, i] -> [S3[k, j, i] -> A[i, k]] : 0 <= k < j < i < T_n;
    S1[k, j] -> [S3[k, j, i] -> A[j, k]] : 0 <= k < j < i < T_n;
    S2[k, j] -> [S0[j] -> A[j, j]] : j = k + 1 and 0 <= k and j < T_n;
    S2[k, j] -> [S2[k + 1, j] -> A[j, j]] : 0 <= k and k + 1 < j < T_n;
    S3[k, j, i] -> [S1[j, i] -> A[i, j]] : j = k + 1 and 0 <= k and j < i < T_n;
    S3[k, j, i] -> [S3[k + 1, j, i] -> A[i, j]] : 0 <= k and k + 1 < j < i < T_n })"));
  EXPECT_TRUE(r.anti.is_empty());
  EXPECT_TRUE(r.output.is_empty());
  EXPECT_TRUE(isEqual(r.initialReads, R"([T_n] -> {
    S0[0] -> A[0, 0] : T_n > 0; S1[0, i] -> A[i, 0] : 0 < i < T_n; S2[0, j] -> A[j, j] : 0 < j < T_n;
    S3[0, j, i] -> A[i, j] : 0 < j < i < T_n })"));
}

TEST_F(FlowTest, GemmChainsOnlyWithinOneOperationPair) {
  const Relations r = compute(test::gemm);
  for (unsigned from = 0; from < 5; ++from)
    for (unsigned to = 0; to < 5; ++to)
      if (from != to || from == 0) {
        EXPECT_TRUE(between(r, r.flow, from, to).is_empty()) << from << " -> " << to;
      }
  EXPECT_TRUE(isEqual(between(r, r.flow, 3, 3), R"([T_m, T_n, T_k, opA, opB] -> {
    S3[i, j, l] -> [S3[i, j, l + 1] -> C[i, j]] : 0 <= i < T_m and 0 <= j < T_n and 0 <= l and l + 1 < T_k and
      112 <= opA <= 113 and opB = 111 })"));
  EXPECT_TRUE(r.anti.is_empty());
}

// The halves of a diagonal tile of R part ways: unmqr reads V from the lower one while tsqrt goes on with the upper.
TEST_F(FlowTest, QrHalves) {
  const Relations r = compute(test::qr);
  EXPECT_TRUE(isEqual(between(r, r.flow, 0, 1), R"([T_m, T_n] -> {
    S0[k] -> [S1[k, j] -> AL[k, k]] : 0 <= k < T_m and k < j < T_n;
    S0[k] -> [S1[k, j] -> T[k, k]] : 0 <= k < T_m and k < j < T_n })"));
  EXPECT_TRUE(isEqual(between(r, r.flow, 0, 2), R"([T_m, T_n] -> {
    S0[k] -> [S2[k, k + 1] -> AU[k, k]] : 0 <= k and k + 1 < T_m and k < T_n })"));
  EXPECT_TRUE(isEqual(between(r, r.flow, 2, 2), R"([T_m, T_n] -> {
    S2[k, i] -> [S2[k, i + 1] -> AU[k, k]] : 0 <= k < i and i + 1 < T_m and k < T_n })"));
  EXPECT_TRUE(r.anti.is_empty()) << "no anti dependence from unmqr to tsqrt";
  EXPECT_TRUE(r.output.is_empty());
}

TEST_F(FlowTest, AntiAndOutput) {
  const Relations r = compute(test::around(R"(
    for (int i = 0; i < A.mt(); ++i) {
      task 0 w(write W(i, 0))
      task 1 w(write W(i, 0))
      task 2 r(read W(i, 0), write A(i, 0))
      task 3 r(read W(i, 0), write A(i, 0))
      task 4 w(write W(i, 0))
    })"));
  EXPECT_TRUE(isEqual(r.flow, R"([T_m, T_n] -> {
    S1[i] -> [S2[i] -> W[i, 0]] : 0 <= i < T_m and T_n >= 0;
    S1[i] -> [S3[i] -> W[i, 0]] : 0 <= i < T_m and T_n >= 0 })"));
  EXPECT_TRUE(isEqual(r.anti, R"([T_m, T_n] -> {
    S2[i] -> [S4[i] -> W[i, 0]] : 0 <= i < T_m and T_n >= 0;
    S3[i] -> [S4[i] -> W[i, 0]] : 0 <= i < T_m and T_n >= 0 })"));
  EXPECT_TRUE(isEqual(r.output, R"([T_m, T_n] -> {
    S0[i] -> [S1[i] -> W[i, 0]] : 0 <= i < T_m and T_n >= 0;
    S2[i] -> [S3[i] -> A[i, 0]] : 0 <= i < T_m and T_n >= 0 })"));
}

TEST_F(FlowTest, PanelsFlowTileByTile) {
  const Relations r = compute(test::around(R"(
    for (int k = 0; k < A.nt(); ++k) {
      task 0 h(rw A.panel(k, A.mt(), k))
      for (int j = k + 1; j < A.nt(); ++j) {
        task 1 c(read A.panel(k, A.mt(), k), rw W(0, 0))
        task 2 f(rw A(k, j))
      }
    })"));
  EXPECT_TRUE(isEqual(between(r, r.flow, 0, 1), R"([T_m, T_n] -> {
    S0[k] -> [S1[k, j] -> A[i, k]] : 0 <= k <= i < T_m and k < j < T_n })"));
}

TEST_F(FlowTest, LastUses) {
  const Relations r = compute(test::cholesky);
  EXPECT_TRUE(isEqual(computeLastUses(r.model), R"([T_n] -> {
    S0[k] -> A[k, k] : 0 <= k and k = T_n - 1;
    S1[k, i] -> A[k, k] : 0 <= k < i and i = T_n - 1;
    S2[k, j] -> A[j, k] : 0 <= k < j and j = T_n - 1;
    S3[k, j, i] -> A[j, k] : 0 <= k < j < i and i = T_n - 1 })"));
}

} // namespace
} // namespace hetc::dependence
