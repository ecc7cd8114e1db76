// Comparisons of QR bodies with the reference bodies that the back-ends have in common. A test has runOn(call,
// samples...), which calls call(tiles...) where the bodies run, and tolerance(m).
#pragma once

#include "tests/unit/kernels/samples.hpp"

#include <algorithm>
#include <initializer_list>
#include <limits>

namespace tla::test {

/// Compares tsqrt and tsmqr, or ttqrt and ttmqr, of an m x n tile below a triangle, with NaN where they must not look.
template <typename T, typename Test, typename Factor, typename ExpectedFactor, typename Apply, typename ExpectedApply>
void comparePair(Test &test, int m, int n, int ib, bool triangles, Factor factor, ExpectedFactor expectedFactor,
                 Apply apply, ExpectedApply expectedApply) {
  const double tolerance = test.tolerance(m + n);
  Sample<T> R = randomSample<T>(n + 2, n, 1, 2), A = randomSample<T>(m, n, 1, 3), W(std::min(ib, n), n, 1);
  R.poisonOther(Uplo::Upper);
  if (triangles)
    A.poisonOther(Uplo::Upper);
  Sample<T> expectedR = R, expectedA = A, expectedW = W;
  expectedFactor(ib, expectedR.tile(), expectedA.tile(), expectedW.tile());
  test.runOn([&](auto r, auto a, auto w) { factor(ib, r, a, w); }, R, A, W);
  expectNear(expectedR, R, tolerance);
  expectNear(expectedA, A, tolerance);
  expectNear(expectedW, W, tolerance);
  for (Op op : {Op::NoTrans, Op::ConjTrans})
    for (int columns : {0, 1, 30}) {
      Sample<T> C1 = randomSample<T>(n + 2, columns, 1, 4), C2 = randomSample<T>(m, columns, 1, 5);
      Sample<T> expectedC1 = C1, expectedC2 = C2;
      expectedApply(op, ib, expectedC1.tile(), expectedC2.tile(), A.tile(), W.tile());
      test.runOn([&](auto c1, auto c2, auto a, auto w) { apply(op, ib, c1, c2, a, w); }, C1, C2, A, W);
      expectNear(expectedC1, C1, tolerance);
      expectNear(expectedC2, C2, tolerance);
    }
}

/// Compares geqrt of tiles with so many columns whose sums of squares overflow or vanish.
template <typename T, typename Test, typename Factor, typename ExpectedFactor>
void compareExtremeScales(Test &test, std::initializer_list<int> columns, Factor factor,
                          ExpectedFactor expectedFactor) {
  using R = RealType<T>;
  for (R scale : {R(0), std::numeric_limits<R>::min(), R(1e-25), R(1e25), std::numeric_limits<R>::max() / 1024})
    for (int n : columns) {
      Sample<T> A = randomSample<T>(40, n, 0, 1), W(n, n);
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < 40; ++i)
          A(i, j) *= scale;
      Sample<T> expected = A, expectedW = W;
      expectedFactor(n, expected.tile(), expectedW.tile());
      test.runOn([&](auto a, auto w) { factor(n, a, w); }, A, W);
      for (int j = 0; j < n && scale != 0; ++j)
        for (int i = 0; i <= j; ++i) {
          A(i, j) /= scale;
          expected(i, j) /= scale;
        }
      expectNear(expected, A, test.tolerance(40));
      expectNear(expectedW, W, test.tolerance(40));
    }
}

} // namespace tla::test
