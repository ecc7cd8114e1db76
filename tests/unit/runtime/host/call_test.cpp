#include "tests/unit/runtime/host/test_algorithms.hpp"

#include <tla/generated/call.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

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
            "posv: B is 100 x 5 (n x k), but A is 90 x 90 (n x n)");
}

TEST_F(Call, RowsFitIntoTheLeadingDimension) {
  std::vector<double> a(90 * 90);
  const Algorithm cholesky = test::cholesky<double>();
  LowerMatrix<double> A(a.data(), 90, 89, 100);
  EXPECT_EQ(usageError([&] { call(executor, cholesky, {&A.storage()}, {}); }),
            "A has 90 rows, more than its leading dimension 89");
}

TEST_F(Call, SizesMakeSense) {
  double a[4] = {};
  const Algorithm cholesky = test::cholesky<double>();
  LowerMatrix<double> negative(a, -1, 2, 2), withoutTiles(a, 2, 2, 0);
  EXPECT_EQ(usageError([&] { call(executor, cholesky, {&negative.storage()}, {}); }),
            "A is -1 x -1: sizes must not be negative");
  LowerMatrix<double> cutTooFar(a, 2, 2, 2, {3, 1});
  EXPECT_EQ(usageError([&] { call(executor, cholesky, {&cutTooFar.storage()}, {}); }),
            "A is in tiles of 2 columns, which cannot be cut into 2 slices of 1 and another one");
  EXPECT_EQ(usageError([&] { call(executor, cholesky, {&withoutTiles.storage()}, {}); }),
            "A is in tiles of 0 x 0: their size must be positive");
}

TEST_F(Call, TuningParametersArePositive) {
  Algorithm cholesky = test::cholesky<double>();
  const int candidates[] = {32, 64};
  const ScalarParameter block{"ib", "int", true, {32, 0, 0}, candidates, 2};
  cholesky.scalars = &block;
  cholesky.scalarCount = 1;
  LowerMatrix<double> A(10, 10);
  EXPECT_EQ(usageError([&] { call(executor, cholesky, {&A.storage()}, {scalarValue(0)}); }),
            "cholesky: ib is 0, it must be positive");
}

/// The rules are those of the command.
TEST_F(Call, ScalarsAreWhatTheirParametersTake) {
  const Algorithm gemm = test::gemm<double>();
  Matrix<double> A(2, 2, 2), B(2, 2, 2), C(2, 2, 2);
  const auto error = [&](ScalarValue opA, ScalarValue alpha) {
    return usageError([&] {
      call(executor, gemm, {&A.storage(), &B.storage(), &C.storage()},
           {opA, scalarValue(Op::NoTrans), alpha, scalarValue(1.0)});
    });
  };
  EXPECT_EQ(error(scalarValue(Op::Trans), scalarValue(std::nan(""))), "gemm: alpha is nan, it must be a finite double");
  EXPECT_EQ(error(scalarValue(Op::Trans), scalarValue(std::complex<double>(0, 1))),
            "gemm: alpha is 0+1i, it must be real");
  EXPECT_EQ(error(scalarValue(static_cast<Op>(7)), scalarValue(1.0)),
            "gemm: opA is 7, it must be NoTrans, Trans or ConjTrans");
}

} // namespace
} // namespace tla::runtime
