#include "tests/unit/runtime/bootstrap/test_algorithms.hpp"

#include <tla/runtime/call.hpp>

#include <gtest/gtest.h>

namespace tla::runtime {
namespace {
using test::usageError;

struct Call : ::testing::Test {
  Executor executor{{.threads = 1}};
};

TEST_F(Call, RunsOnTheCallersArrayAndKeepsItsScalars) {
  double a[] = {1, 2, -1, 3, 4, -1}, b[] = {5, 6}, c[] = {7, 8, -1}; // A is 2 x 2 with lda 3
  const Algorithm gemm = test::gemm<double>();
  Matrix<double> A(a, 2, 2, 3, 2), B(b, 2, 1, 2, 2), C(c, 2, 1, 3, 2);
  const Outcome outcome =
      call(executor, gemm, {&A.storage(), &B.storage(), &C.storage()},
           {scalarValue(Op::NoTrans), scalarValue(Op::NoTrans), scalarValue(2.0), scalarValue(1.0)});
  EXPECT_EQ(outcome.kind, Outcome::Kind::Finished);
  EXPECT_EQ(c[0], 7 + 2 * (1 * 5 + 3 * 6));
  EXPECT_EQ(c[1], 8 + 2 * (2 * 5 + 4 * 6));
  EXPECT_EQ(c[2], -1);
}

TEST_F(Call, ShapesThatDoNotFitAreNamedWithoutAFile) {
  const Algorithm posv = test::posv<double>();
  LowerMatrix<double> A(90, 100);
  Matrix<double> B(100, 5, 100);
  EXPECT_EQ(usageError([&] {
              call(executor, posv, {&A.storage(), &B.storage()}, {});
            }),
            "B is 100 x 5, but n = 90 (from A) asks for 90 x k");
}

TEST_F(Call, AllTilesHaveOneSize) {
  const Algorithm posv = test::posv<double>();
  LowerMatrix<double> A(90, 100);
  Matrix<double> B(90, 5, 50);
  EXPECT_EQ(
      usageError([&] {
        call(executor, posv, {&A.storage(), &B.storage()}, {});
      }),
      "B has tiles of 50 x 50, but those of A are 100 x 100; all matrices of a call have square tiles of one size");
}

TEST_F(Call, RowsFitIntoTheLeadingDimension) {
  std::vector<double> a(90 * 90);
  const Algorithm cholesky = test::cholesky<double>();
  LowerMatrix<double> A(a.data(), 90, 89, 100);
  EXPECT_EQ(usageError([&] { call(executor, cholesky, {&A.storage()}, {}); }),
            "A has 90 rows, more than its leading dimension 89");
}

/// As of a factorization of A: for each of its tiles one column.
WorkspaceShape columns() {
  WorkspaceShape shape{};
  shape.tilesDown = shape.tilesAcross = [](const Values &values, long nb) { return (values.n + nb - 1) / nb; };
  shape.tileRows = [](const Values &, long nb) { return nb; };
  shape.tileCols = [](const Values &, long) { return 1l; };
  shape.rows = [](const Values &values, long nb) { return (values.n + nb - 1) / nb * nb; };
  shape.cols = [](const Values &values, long nb) { return (values.n + nb - 1) / nb; };
  return shape;
}

TEST_F(Call, WorkspacesHaveTheirOwnTiles) {
  const WorkspaceShape shape = columns();
  const auto n = [](const Values &values) { return values.n; };
  const MatrixParameter matrices[] = {
      {"A", Shape::General, ElementType::D, n, n, "n x n", "", nullptr, 0, true},
      {"W", Shape::General, ElementType::D, n, n, "", "", nullptr, 0, true, false, &shape}};
  Algorithm algorithm{};
  algorithm.name = "factor";
  algorithm.matrices = matrices;
  algorithm.matrixCount = 2;
  algorithm.sizes = "n";
  algorithm.generate = [](Generator &, const Arguments &) {};
  Matrix<double> A(10, 10, 4);
  Workspace<double> fits(3, 3, 4, 1), tooFew(3, 2, 4, 1);
  EXPECT_EQ(call(executor, algorithm, {&A.storage(), &fits.storage()}, {}).kind, Outcome::Kind::Finished);
  EXPECT_EQ(usageError([&] {
              call(executor, algorithm, {&A.storage(), &tooFew.storage()}, {});
            }),
            "W is 12 x 2 in tiles of 4 x 1; factor asks for 12 x 3 in tiles of 4 x 1");
}

} // namespace
} // namespace tla::runtime
