// The recursive bodies for triangular tiles against the reference bodies. Sizes lie on both sides of every leaf.
#include "tests/unit/kernels/products_fixture.hpp"
#include "tests/unit/kernels/triangular_cases.hpp"

using namespace tla;
using namespace tla::test;

namespace {
template <typename T> class FastTriangular : public ProductsTest<T> {};
TYPED_TEST_SUITE(FastTriangular, Types);

constexpr int sizes[] = {0, 1, 2, 5, 16, 17, 33, 140};

TYPED_TEST(FastTriangular, Trmm) {
  using T = TypeParam;
  for (Side side : sides)
    for (Uplo uplo : uplos)
      for (Op op : ops)
        for (Diag diag : diags)
          for (int order : sizes)
            for (int other : {0, 1, 5, 16, 70})
              for (T alpha : {T(0), T(1), T(-1.5)}) {
                Sample<T> A = randomSample<T>(order, order, 2, 1);
                A.poisonOther(uplo, diag);
                Sample<T> B =
                    side == Side::Left ? randomSample<T>(order, other, 1, 2) : randomSample<T>(other, order, 1, 2);
                if (alpha == T(0)) {
                  A.fill(nan<T>());
                  B.fill(nan<T>());
                }
                Sample<T> expected = B;
                tla::trmm<T>(side, uplo, op, diag, alpha, A.tile(), expected.tile());
                bodies<T>().trmm.body(side, uplo, op, diag, alpha, A.tile(), B.tile());
                SCOPED_TRACE(testing::Message() << int(side) << int(uplo) << int(op) << int(diag) << " order " << order
                                                << " other " << other << " alpha " << alpha);
                expectNear(expected, B, this->tolerance(order));
              }
}

/// The last diagonal tile of a rectangular matrix may be a rectangle: its leading square counts.
TYPED_TEST(FastTriangular, LargerTriangles) {
  using T = TypeParam;
  for (Side side : sides)
    for (Uplo uplo : uplos)
      for (Op op : ops)
        for (int order : {1, 5, 16, 17, 40}) {
          Sample<T> square = randomSample<T>(order, order, 2, 1), large(order + 3, order + 4, 1);
          square.makeDominant();
          large.fill(nan<T>());
          for (int j = 0; j < order; ++j)
            for (int i = 0; i < order; ++i)
              large(i, j) = square(i, j);
          const Sample<T> B = side == Side::Left ? randomSample<T>(order, 9, 1, 2) : randomSample<T>(9, order, 1, 2);
          SCOPED_TRACE(testing::Message() << int(side) << int(uplo) << int(op) << " order " << order);
          Sample<T> expected = B, actual = B;
          tla::trsm<T>(side, uplo, op, Diag::NonUnit, T(1), square.tile(), expected.tile());
          bodies<T>().trsm.body(side, uplo, op, Diag::NonUnit, T(1), large.tile(), actual.tile());
          expectNear(expected, actual, this->tolerance(order));
          actual = B;
          tla::trsm<T>(side, uplo, op, Diag::NonUnit, T(1), large.tile(), actual.tile());
          expectNear(expected, actual, this->tolerance(order));
          expected = actual = B;
          tla::trmm<T>(side, uplo, op, Diag::NonUnit, T(1), square.tile(), expected.tile());
          bodies<T>().trmm.body(side, uplo, op, Diag::NonUnit, T(1), large.tile(), actual.tile());
          expectNear(expected, actual, this->tolerance(order));
          actual = B;
          tla::trmm<T>(side, uplo, op, Diag::NonUnit, T(1), large.tile(), actual.tile());
          expectNear(expected, actual, this->tolerance(order));
        }
}

TYPED_TEST(FastTriangular, Trtri) {
  using T = TypeParam;
  compareInverses<T>(*this, sizes, bodies<T>().trtri.body, tla::trtri<T>);
}

TYPED_TEST(FastTriangular, TrtriLeavesASingularTileAsItIs) {
  expectSingularStays<TypeParam>(*this, bodies<TypeParam>().trtri.body);
}

TYPED_TEST(FastTriangular, Lauum) {
  using T = TypeParam;
  compareSquares<T>(*this, sizes, bodies<T>().lauum.body, tla::lauum<T>);
}

TYPED_TEST(FastTriangular, HetrfNopiv) {
  using T = TypeParam;
  for (int n : sizes) {
    Sample<T> A = randomSample<T>(n, n, 2, 1);
    A.makePositive();
    for (int j = 1; j < n; j += 2)
      A(j, j) = -A(j, j);
    A.poisonOther(Uplo::Lower);
    Sample<T> expected = A;
    EXPECT_EQ(tla::hetrf_nopiv<T>(expected.tile()), 0);
    EXPECT_EQ(bodies<T>().hetrf_nopiv.body(A.tile()), 0);
    SCOPED_TRACE(testing::Message() << "n " << n);
    expectNear(expected, A, this->tolerance(n));
    for (int j = 0; j < n; ++j)
      EXPECT_EQ(std::imag(A(j, j)), RealType<T>(0));
  }
}

TYPED_TEST(FastTriangular, HetrfNopivInfoIsExact) {
  using T = TypeParam;
  for (int n : {5, 40})
    for (int j : {1, 5, 16, 17, 33})
      for (T pivot : {T(0), nan<T>()}) {
        if (j > n)
          continue;
        Sample<T> A(n, n);
        A.fill(T(0));
        for (int i = 0; i < n; ++i)
          A(i, i) = i == j - 1 ? pivot : T(2);
        EXPECT_EQ(bodies<T>().hetrf_nopiv.body(A.tile()), j);
      }
}
} // namespace
