// Comparisons of bodies for triangles with the reference bodies that the back-ends have in common. A test has
// runOn(call, samples...), which calls call(tiles...) where the bodies run and returns its info, and tolerance(n).
#pragma once

#include "tests/unit/kernels/samples.hpp"

namespace tla::test {

/// Compares inverses of triangles of these orders, with NaN where trtri must not look.
template <typename T, typename Test, typename Orders, typename Invert, typename ExpectedInvert>
void compareInverses(Test &test, const Orders &orders, Invert invert, ExpectedInvert expectedInvert) {
  for (Uplo uplo : uplos)
    for (Diag diag : diags)
      for (int n : orders) {
        SCOPED_TRACE(testing::Message() << int(uplo) << int(diag) << " n " << n);
        Sample<T> A = randomSample<T>(n, n, 2, 1);
        A.makeDominant();
        A.poisonOther(uplo, diag);
        Sample<T> expected = A;
        EXPECT_EQ(expectedInvert(uplo, diag, expected.tile()), 0);
        EXPECT_EQ(test.runOn([&](auto a) { return invert(uplo, diag, a); }, A), 0);
        expectNear(expected, A, test.tolerance(n));
      }
}

/// A triangle with a zero on its diagonal has no inverse: trtri says where, and leaves it as it is.
template <typename T, typename Test, typename Invert> void expectSingularStays(Test &test, Invert invert) {
  for (int zero : {0, 20, 39}) {
    Sample<T> A = randomSample<T>(40, 40, 0, 1);
    A(zero, zero) = T(0);
    Sample<T> X = A;
    EXPECT_EQ(test.runOn([&](auto x) { return invert(Uplo::Lower, Diag::NonUnit, x); }, X), zero + 1);
    expectNear(A, X, 0);
  }
}

/// Compares products of triangles of these orders with their adjoints, with NaN where lauum must not look.
template <typename T, typename Test, typename Orders, typename Multiply, typename ExpectedMultiply>
void compareSquares(Test &test, const Orders &orders, Multiply multiply, ExpectedMultiply expectedMultiply) {
  for (Uplo uplo : uplos)
    for (int n : orders) {
      SCOPED_TRACE(testing::Message() << int(uplo) << " n " << n);
      Sample<T> A = randomSample<T>(n, n, 2, 1);
      for (int j = 0; j < n; ++j)
        A(j, j) = T(reference::realPart(A(j, j)));
      A.poisonOther(uplo);
      Sample<T> expected = A;
      expectedMultiply(uplo, expected.tile());
      test.runOn([&](auto a) { multiply(uplo, a); }, A);
      expectNear(expected, A, test.tolerance(n));
    }
}

} // namespace tla::test
