#include "compiler/dependence/dependence.hpp"
#include "tests/unit/compiler/dependence/programs.hpp"

#include <gtest/gtest.h>

namespace hetc::dependence {
namespace {

class ViolationsTest : public ::testing::Test {
protected:
  Analysis analyzed(const std::string &text) {
    program_ = test::parse(text);
    auto result = analyze(program_);
    if (auto *analysis = std::get_if<Analysis>(&result))
      return *analysis;
    ADD_FAILURE() << "no analysis of\n" << text;
    return {};
  }
  std::string describeAll(const std::vector<Violation> &violations) {
    std::string text;
    for (const Violation &violation : violations)
      text += describe(program_, violation) + "\n";
    return text;
  }
  std::string outOfBounds(const std::string &statements) {
    return describeAll(analyzed(test::around(statements)).outOfBounds);
  }
  std::string uninitialized(const std::string &statements) {
    return describeAll(analyzed(test::around(statements)).uninitialized);
  }
  ir::Program program_;
};

TEST_F(ViolationsTest, CorrectProgramsHaveNone) {
  for (const std::string &text : {test::cholesky, test::gemm, test::posv, test::qr}) {
    const Analysis analysis = analyzed(text);
    EXPECT_EQ(describeAll(analysis.outOfBounds), "");
    EXPECT_EQ(describeAll(analysis.uninitialized), "");
  }
}

TEST_F(ViolationsTest, SmallestCounterexample) {
  EXPECT_EQ(outOfBounds("for (int k = 0; k < A.nt(); ++k) { task 0 g(read A(0, k - 1), rw L(k, k)) }"),
            "for k = 0 (A has 0 x 1 tiles) this reads A(0, -1)\n");
  EXPECT_EQ(outOfBounds("for (int k = 0; k < L.nt(); ++k) { task 0 g(read L(k, k + 1), rw L(k, k)) }"),
            "for k = 0 (L has 1 x 1 tiles) this reads L(0, 1)\n");
  EXPECT_EQ(outOfBounds("for (int k = 0; k + 1 < L.nt(); ++k) { task 0 f(rw L(k, k + 1)) }"),
            "for k = 0 (L has 2 x 2 tiles, lower triangle only) this writes L(0, 1)\n");
  EXPECT_EQ(outOfBounds("for (int k = 3; k < L.nt(); ++k) { task 0 f(rw L(k, k - p)) }"),
            "for p = -1, k = 3 (L has 4 x 4 tiles) this writes L(3, 4)\n");
  EXPECT_EQ(outOfBounds("task 0 f(rw A(0, 0))"), "(A has 0 x 0 tiles) this writes A(0, 0)\n");
}

TEST_F(ViolationsTest, FirstIterationInProgramOrder) {
  EXPECT_EQ(outOfBounds("for (int k = L.nt() - 1; k >= 0; --k) { task 0 f(rw L(k + 1, k)) }"),
            "for k = 0 (L has 1 x 1 tiles) this writes L(1, 0)\n");
  EXPECT_EQ(outOfBounds("for (int k = 2; k >= 0; --k) { task 0 f(rw L(k, k)) }"),
            "for k = 2 (L has 0 x 0 tiles) this writes L(2, 2)\n");
}

TEST_F(ViolationsTest, OnePerAccessInTextualOrder) {
  const Analysis analysis = analyzed(test::around(R"(
    for (int k = 0; k < L.nt(); ++k) {
      task 0 g(read L(k - 1, k), rw L(k, k))
      task 1 g(read L(k, k), rw L(k + 1, k)) release(L(k + 2, k))
    })"));
  ASSERT_EQ(analysis.outOfBounds.size(), 3u);
  EXPECT_EQ(analysis.outOfBounds[0].task, 0u);
  EXPECT_EQ(analysis.outOfBounds[0].argument, 0u);
  EXPECT_EQ(analysis.outOfBounds[1].task, 1u);
  EXPECT_EQ(analysis.outOfBounds[1].argument, 1u);
  EXPECT_TRUE(analysis.outOfBounds[2].release);
  EXPECT_EQ(describe(program_, analysis.outOfBounds[2]), "for k = 0 (L has 1 x 1 tiles) this releases L(2, 0)");
  EXPECT_EQ(analysis.outOfBounds[2].tileCounts, (Bindings{{"m", 0}, {"n", 1}}));
  EXPECT_EQ(analysis.outOfBounds[2].loops, (Bindings{{"k", 0}}));
}

TEST_F(ViolationsTest, EmptyPanelsTouchNothing) {
  EXPECT_EQ(outOfBounds("for (int k = 0; k < A.nt(); ++k) { task 0 h(rw A.panel(k, A.mt(), k)) }"), "");
  EXPECT_EQ(outOfBounds("for (int k = 0; k < A.nt(); ++k) { task 0 h(rw A.panel(k, A.mt() + 1, k)) }"),
            "for k = 0 (A has 0 x 1 tiles) this writes A(0, 0)\n");
}

TEST_F(ViolationsTest, EnumerationsByName) {
  const Analysis analysis = analyzed(R"(
    program p(A, op) type d source "p.tla" {
      size n
      Matrix<d> A(n, n)
      Op op
      kernel f<T>(rw a)
      for (int k = 0; k < A.nt(); ++k) {
        if (op != NoTrans) { task 0 f(rw A(k, k + 1)) }
      }
    })");
  EXPECT_EQ(describeAll(analysis.outOfBounds), "for op = Trans, k = 0 (A has 1 x 1 tiles) this writes A(0, 1)\n");
}

/// An algorithm that is called in a loop has a workspace of its own in each call.
TEST_F(ViolationsTest, EarlierCallsWroteIt) {
  const auto ofCalls = [&](const std::string &workspace, const std::string &body) {
    return describeAll(
        analyzed("program f(A) type d source \"f.tla\" {\n  size n\n  Matrix<d> A(n, n)\n  Workspace<d> W(" +
                 workspace + "\n  kernel f<T>(rw X)\n  kernel g<T>(write X)\n  for (int k = 0; k < A.nt(); ++k) {\n" +
                 body + "  }\n}\n")
            .uninitialized);
  };
  const std::string first = "if (k == 0) { task 0 g(write W(0, 0)) }\ntask 1 f(rw W(0, 0))\n";
  EXPECT_EQ(ofCalls("1, 1, A.nb(), A.nb())", first), "");
  EXPECT_EQ(ofCalls("1, 1, A.nb(), A.nb()) in(k)", first),
            "for k = 1 (W has 1 x 1 tiles) this reads W(0, 0), which no earlier task wrote\n");
  EXPECT_EQ(ofCalls("1, 1, A.nb(), A.nb()) in(k)", "task 0 g(write W(0, 0))\ntask 1 f(rw W(0, 0))\n"), "");
  const std::string row = "for (int i = 0; i < A.nt(); ++i) {\nif (i == 0) { task 0 g(write W(0, 0)) }\n"
                          "task 1 f(rw W(0, 0))\n}\n";
  EXPECT_EQ(ofCalls("1, 1, A.nb(), A.nb()) in(k)", row), "") << "the call is around the inner loop";
  EXPECT_EQ(ofCalls("1, 1, A.nb(), A.nb()) in(k, i)", row),
            "for k = 0, i = 1 (W has 1 x 1 tiles) this reads W(0, 0), which no earlier task wrote\n");
}

TEST_F(ViolationsTest, Uninitialized) {
  EXPECT_EQ(uninitialized(R"(
    for (int k = 0; k < min(A.mt(), A.nt()); ++k) {
      task 0 w(write W(k, k))
      for (int i = k + 1; i < A.mt(); ++i) { task 1 g(read W(k, k), rw A(i, k)) }
      for (int i_1 = k; i_1 < A.mt(); ++i_1) { task 2 g(read W(i_1, k), rw A(i_1, k)) }
    })"),
            "for k = 0, i = 1 (W has 2 x 1 tiles) this reads W(1, 0), which no earlier task wrote\n");
  EXPECT_EQ(uninitialized("for (int k = 0; k < A.mt(); ++k) { if (A.nt() > 0) { task 0 f(rw W(k, 0)) } }"),
            "for k = 0 (W has 1 x 1 tiles) this reads W(0, 0), which no earlier task wrote\n");
  EXPECT_EQ(uninitialized("for (int k = 0; k < A.mt(); ++k) { task 0 w(write A(k, 0)) }"), "");
}

TEST_F(ViolationsTest, UninitializedHalf) {
  const std::string both = R"(
    if (A.mt() > 0 && A.nt() > 0) {
      task 0 w(write W(0, 0).upper())
      task 1 g(read W(0, 0), rw A(0, 0))
      task 2 g(read W(0, 0).upper(), rw A(0, 0))
      task 3 g(read W(0, 0).lower(), rw A(0, 0))
    })";
  const std::string message = "(W has 1 x 1 tiles) this reads the lower half of W(0, 0), which no earlier task wrote\n";
  EXPECT_EQ(uninitialized(both), message + message);
}

/// A program over A (m x n), pivots (min(m, n) x 1), the caller's workspace C and two own ones, cut as matrices are.
std::string withWorkspaces(const std::string &statements) {
  return R"(
    program p(A, C, pivots, ib) type d source "p.tla" {
      size m
      size n
      Matrix<d> A(m, n)
      Workspace<d> C(A.mt(), A.nt(), ib, A.nb())
      Matrix<i> pivots(min(m, n), 1)
      Workspace<d> At(A.n(), A.m(), A.nb())
      Workspace<d> Other(A.n(), A.m(), ib)
      int ib
      kernel f<T>(rw a)
      kernel g<T>(read a, rw b)
      kernel w<T>(write a)
)" + statements +
         "}";
}

// The caller's workspace has content; one of the algorithm's own has none.
TEST_F(ViolationsTest, ParametersHaveContent) {
  const std::string reads = "for (int k = 0; k < min(A.mt(), A.nt()); ++k) { task 0 g(read C(k, k), rw A(k, k)) ";
  EXPECT_EQ(describeAll(analyzed(withWorkspaces(reads + "release(C(k, k)) task 1 f(rw C(k, k)) }")).uninitialized), "");
  EXPECT_EQ(describeAll(analyzed(withWorkspaces(reads + "task 1 f(rw At(k, k)) }")).uninitialized),
            "for k = 0 (At has 1 x 1 tiles) this reads At(0, 0), which no earlier task wrote\n");
}

TEST_F(ViolationsTest, TilesOfDerivedSizes) {
  const auto outside = [&](const std::string &statements) {
    return describeAll(analyzed(withWorkspaces(statements)).outOfBounds);
  };
  EXPECT_EQ(outside("for (int k = 0; k < min(A.mt(), A.nt()); ++k) { task 0 w(write pivots(k, 0)) }"), "");
  EXPECT_EQ(outside("for (int k = 0; k < A.mt(); ++k) { task 0 w(write pivots(k, 0)) }"),
            "for k = 0 (pivots has 0 x 1 tiles) this writes pivots(0, 0)\n");
  EXPECT_EQ(outside("for (int k = 0; k < A.mt(); ++k) { for (int i = 0; i < At.mt(); ++i) { "
                    "task 0 w(write At(i, k)) task 1 f(rw A(k, i)) } }"),
            "");
  EXPECT_EQ(outside("for (int k = 0; k < Other.mt(); ++k) { for (int i = 0; i < Other.nt(); ++i) { "
                    "task 0 w(write Other(k, i)) } }"),
            "");
  EXPECT_EQ(outside("for (int k = 0; k < At.mt(); ++k) { task 0 w(write A(k, 0)) }"),
            "for k = 0 (A has 0 x 1 tiles) this writes A(0, 0)\n");
}

// A matrix with more rows has no fewer tiles in a column.
TEST_F(ViolationsTest, SizesAndTilesGrowTogether) {
  const auto outside = [&](const std::string &condition, const std::string &tile) {
    return describeAll(analyzed(withWorkspaces("if (" + condition +
                                               ") { for (int k = 0; k < A.nt(); ++k) { task 0 f(rw " + tile + ") } }"))
                           .outOfBounds);
  };
  EXPECT_EQ(outside("A.m() >= A.n()", "A(k, k)"), "");
  EXPECT_EQ(outside("A.m() == A.n()", "A(A.mt() - 1 - k, k)"), "");
  EXPECT_EQ(outside("!(A.n() > A.m())", "A(k, k)"), "");
  EXPECT_EQ(outside("A.m() <= A.n()", "A(k, k)"), "for k = 0 (A has 0 x 1 tiles) this writes A(0, 0)\n");
}

// A comparison of real arguments is the same wherever it stands; what rests on two of them is not called wrong.
TEST_F(ViolationsTest, ComparisonsOfNumbers) {
  const auto program = [](const std::string &second) {
    return R"(
    program p(A, alpha) type d source "p.tla" {
      size n
      Matrix<d> A(n, n)
      Workspace<d> W(A.mt(), 1, A.nb(), A.nb())
      T alpha
      kernel w<T>(write a)
      kernel f<T>(rw a)
      for (int k = 0; k < A.nt(); ++k) { if (alpha == T(0)) { task 0 w(write W(k, 0)) } }
      for (int k_1 = 0; k_1 < A.nt(); ++k_1) { if ()" +
           second + ") { task 1 f(rw W(k_1, 0)) @5:6 } } }";
  };
  for (const std::string same : {"alpha == T(0)", "!(alpha != T(0))"}) {
    const Analysis analysis = analyzed(program(same));
    EXPECT_EQ(describeAll(analysis.uninitialized) + describeAll(analysis.unproved), "");
  }
  const Analysis other = analyzed(program("alpha == T(0.5)"));
  EXPECT_TRUE(other.uninitialized.empty());
  EXPECT_EQ(other.unproved.size(), 1u);
}

TEST_F(ViolationsTest, OutsideIsNotReportedTwice) {
  const Analysis analysis =
      analyzed(test::around("for (int k = 0; k < A.mt(); ++k) { task 0 g(read W(k, -1), rw A(k, 0)) }"));
  EXPECT_EQ(analysis.uninitialized.size(), 0u);
  EXPECT_EQ(analysis.outOfBounds.size(), 2u);
}

} // namespace
} // namespace hetc::dependence
