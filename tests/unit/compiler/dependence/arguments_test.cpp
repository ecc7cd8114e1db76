#include "compiler/dependence/arguments.hpp"
#include "tests/unit/compiler/dependence/programs.hpp"

#include <gtest/gtest.h>

namespace hetc::dependence {
namespace {

/// A (m x n), B (m x n), L (n x n, lower), workspaces W of full tiles and R cut as A is, and an int p; kernels with
/// requirements.
std::string around(const std::string &statements) {
  return R"(program f(A, B, L, op, p) type d source "f.tla" {
    size m
    size n
    Matrix<d> A(m, n)
    Matrix<d> B(m, n)
    LowerMatrix<d> L(n, n)
    Workspace<d> W(A.mt(), A.nt(), A.nb(), A.nb())
    Workspace<d> R(A.m(), A.n(), A.nb())
    Op op
    int p
    kernel same(read A, rw C) requires(A.m() == C.m()) requires(A.n() == C.n())
    kernel fits(read A, rw C) requires(A.m() >= C.m()) requires(A.n() >= C.n())
    kernel chosen(op, read A, rw C) requires((op == NoTrans ? A.m() : A.n()) == C.m())
    kernel swap(read A, rw C) alias(A, C)
    kernel rows(read panel P, rw panel Q) requires(P.m() == Q.m() && P.mt() == Q.mt())
    kernel square(rw A) requires(A.m() == A.n())
    kernel positive(p, rw A) requires(p >= 1)
)" + statements +
         "}";
}

std::string text(const std::set<unsigned> &ids) {
  std::string result;
  for (const unsigned id : ids)
    result += (result.empty() ? "" : " ") + std::to_string(id);
  return result;
}

/// The proved facts, "fits distinct", about one task in loops over the tiles of A.
std::string proved(const std::string &task) {
  const ir::Program program = test::parse(around("for (int i = 0; i < A.mt(); ++i) { for (int j = 0; j < A.nt(); ++j) {"
                                                 "task 0 " +
                                                 task + " } }"));
  const ProvedArguments result = proveArguments(program);
  return std::string(result.fits.contains(0) ? "fits" : "-") + (result.distinct.contains(0) ? " distinct" : " -");
}

std::string misfits(const std::string &statements) {
  const ir::Program program = test::parse(around(statements));
  std::string result;
  for (const Misfit &misfit : findMisfits(program, proveArguments(program)).misfits)
    result += std::to_string(misfit.location.line) + ": " + misfit.message + "\n";
  return result;
}

TEST(ArgumentsTest, SizesThatAreEqualForAllMatrices) {
  EXPECT_EQ(proved("same(read A(i, j), rw B(i, j))"), "fits distinct");
  EXPECT_EQ(proved("same(read A(i, j), rw R(i, j))"), "fits distinct");
  EXPECT_EQ(proved("same(read A(i, j), rw W(i, j))"), "- distinct");
  EXPECT_EQ(proved("same(read A(i, j), rw A(j, i))"), "- -");
  EXPECT_EQ(proved("fits(read W(i, j), rw A(i, j))"), "fits distinct");
  EXPECT_EQ(proved("fits(read A(i, j), rw W(i, j))"), "- distinct");
  EXPECT_EQ(proved("square(rw W(i, j))"), "fits distinct");
  EXPECT_EQ(proved("square(rw A(i, j))"), "- distinct");
}

TEST(ArgumentsTest, TilesBeforeTheLastAreFull) {
  const auto proved = [](const std::string &bounds, const std::string &task) {
    return text(
        proveArguments(test::parse(around("for (int i = 0; " + bounds + "; ++i) { task 0 " + task + " }"))).fits);
  };
  EXPECT_EQ(proved("i < A.mt() - 1", "same(read A(i, 0).cols(0, 1), rw W(i, 0).cols(0, 1))"), "0");
  EXPECT_EQ(proved("i < A.mt()", "same(read A(i, 0).cols(0, 1), rw W(i, 0).cols(0, 1))"), "");
  EXPECT_EQ(proved("i < min(A.mt(), A.nt()) - 1", "square(rw A(i, i))"), "0");
  EXPECT_EQ(proved("i < min(A.mt(), A.nt())", "square(rw A(i, i))"), "");
  EXPECT_EQ(proved("i < L.nt()", "square(rw L(i, i))"), "0");
}

TEST(ArgumentsTest, OptionsAndIntegers) {
  EXPECT_EQ(proved("chosen(NoTrans, read A(i, j), rw B(i, j))"), "fits distinct");
  EXPECT_EQ(proved("chosen(Trans, read A(i, j), rw B(i, j))"), "- distinct");
  EXPECT_EQ(proved("chosen(op, read A(i, j), rw B(i, j))"), "- distinct");
  EXPECT_EQ(proved("positive(i + 1, rw B(i, j))"), "fits distinct");
  EXPECT_EQ(proved("positive(p, rw B(i, j))"), "- distinct");
}

TEST(ArgumentsTest, ViewsAndPanels) {
  EXPECT_EQ(proved("same(read A(i, j).rows(0, 1), rw B(i, j).rows(i, 1))"), "fits distinct");
  EXPECT_EQ(proved("same(read A(i, j).rows(0, 1), rw B(i, j).rows(i, 2))"), "- distinct");
  EXPECT_EQ(proved("rows(read A.panel(i, A.mt(), j), rw B.panel(i, B.mt(), j))"), "fits distinct");
  EXPECT_EQ(proved("rows(read A.panel(i, A.mt(), j), rw B.panel(0, B.mt(), j))"), "- distinct");
  EXPECT_EQ(proved("rows(read A.panel(i, A.mt(), j), rw W.panel(i, W.mt(), j))"), "- distinct");
}

TEST(ArgumentsTest, TilesThatAreTheSame) {
  EXPECT_EQ(proved("swap(read A(i, j), rw A(i, j))"), "fits distinct");
  EXPECT_EQ(proved("swap(read A(i, j).lower(), rw A(i, j).upper())"), "fits distinct");
  EXPECT_EQ(proved("square(rw A(i, j).lower())"), "- distinct");
  EXPECT_EQ(proved("same(read W(i, j), rw W(i, j))"), "fits -");
  EXPECT_EQ(proved("same(read W(i, j).lower(), rw W(i, j).upper())"), "fits distinct");
  EXPECT_EQ(proved("same(read W(0, j), rw W(i + 1, j))"), "fits distinct");
}

TEST(ArgumentsTest, SmallestCounterexamples) {
  EXPECT_EQ(
      misfits("for (int i = 0; i < A.mt(); ++i) { if (A.nt() > 0) { task 0 same(read A(i, 0), rw W(i, 0)) @7:3 } }"),
      "7: for m = 1, n = 1, nb = 2, op = NoTrans, p = 1, i = 0: same requires A.m() == C.m(), but A, which is "
      "A(0, 0), is 1 x 1; C, which is W(0, 0), is 2 x 2\n");
  EXPECT_EQ(
      misfits(
          "for (int i = 1; i < A.mt(); ++i) { if (A.nt() > 0) { task 0 chosen(op, read B(i, 0), rw A(i, 0)) @7:3 } }"),
      "7: for m = 3, n = 2, nb = 2, op = Trans, p = 1, i = 1: chosen requires (op == NoTrans ? A.m() : A.n()) == "
      "C.m(), but op is Trans; A, which is B(1, 0), is 1 x 2; C, which is A(1, 0), is 1 x 2\n");
  EXPECT_EQ(misfits("for (int i = 0; i < A.mt(); ++i) { if (A.nt() > 0) { task 0 same(read A(i, 0), rw B(i, 0)) } }"),
            "");
}

TEST(ArgumentsTest, CounterexamplesOfSharedTiles) {
  EXPECT_EQ(
      misfits("for (int i = 0; i < L.nt(); ++i) { task 0 same(read L(i, i), rw L(i, i)) @7:3 (8, 20) }"),
      "7: for m = 0, n = 1, nb = 2, op = NoTrans, p = 1, i = 0: same writes C, which is L(0, 0) and shares elements "
      "with A, which is L(0, 0); a kernel that can take that says alias(C, A)\n");
  const auto views = [](const std::string &first, const std::string &second) {
    return misfits("for (int i = 0; i < L.nt() - 1; ++i) { task 0 swap(read L(i, i)" + first + ", rw L(i, i)" + second +
                   ") task 1 same(read L(i, i)" + first + ", rw L(i, i)" + second + ") @9:1 }")
        .empty();
  };
  EXPECT_TRUE(views(".rows(0, 1)", ".rows(1, 1)"));
  EXPECT_FALSE(views(".rows(0, 1)", ".rows(0, 1)"));
  EXPECT_FALSE(views(".rows(0, 1)", ".rows(0, 1).cols(0, 2)"));
  EXPECT_TRUE(views(".rows(0, 1).cols(0, 1)", ".rows(0, 1).cols(1, 1)"));
}

TEST(ArgumentsTest, ATreeIsProvedOnItsCover) {
  const ir::Program program = test::parse(around(
      "for (int d = 1; d < A.mt(); d = d * 2) { for (int i = 0; i + d < A.mt(); i = i + 2 * d) { if (A.nt() > 0) {"
      "task 0 same(read A(i, 0), rw B(i, 0)) task 1 fits(read A(i, 0), rw A(i + d, 0)) } } }"));
  const ProvedArguments result = proveArguments(program);
  EXPECT_EQ(text(result.fits), "0 1"); // i is before the last
  EXPECT_EQ(text(result.distinct), "0 1");
}

} // namespace
} // namespace hetc::dependence
