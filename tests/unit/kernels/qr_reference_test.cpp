// The QR kernels as tla_reference defines them, against their definitions: Q^H Q = I, Q R = A.
#include "kernels/reference/panel_view.hpp"
#include "tests/unit/kernels/qr_samples.hpp"

using namespace tla;
using namespace tla::test;

namespace {
template <typename T> class QrReference : public ::testing::Test {
protected:
  static double tolerance(int m) { return 16 * (m + 4) * epsilon<T>(); }

  /// Q, given as apply(op, C), is unitary and takes R to A; Q^H is its inverse.
  template <typename Apply> void expectFactorization(Sample<T> A, Sample<T> R, Apply apply) {
    const int m = A.m();
    Sample<T> Q = identity<T>(m, m), I = identity<T>(m, m);
    apply(Op::NoTrans, Q);
    Sample<T> G = gram(Q);
    expectNear(I, G, tolerance(m));
    apply(Op::ConjTrans, Q);
    expectNear(I, Q, tolerance(m));
    apply(Op::NoTrans, R);
    expectNear(A, R, tolerance(m));
  }
};
TYPED_TEST_SUITE(QrReference, Types);

struct Shape {
  int m, n;
};
constexpr Shape shapes[] = {{0, 0}, {0, 3}, {3, 0}, {1, 1}, {1, 4}, {5, 1}, {7, 7}, {12, 5}, {5, 12}, {33, 17}};
constexpr int blockSizes[] = {1, 3, 8, 100};

/// Tiles of one column that stand one behind the other have no leading dimension together.
TEST(PanelView, OneArray) {
  double data[6];
  const Tile<double> behind[] = {{data, 3, 1, 3}, {data + 3, 3, 1, 3}},
                     windows[] = {{data, 3, 1, 6}, {data + 3, 3, 1, 6}};
  EXPECT_FALSE(reference::isOneArray<double>({behind, 2}));
  EXPECT_TRUE(reference::isOneArray<double>({behind, 1}));
  EXPECT_TRUE(reference::isOneArray<double>({windows, 2}));
}

TYPED_TEST(QrReference, Panel) {
  using T = TypeParam;
  for (const auto &[m, n] : shapes)
    for (int rows : {2, 5, 100}) {
      SCOPED_TRACE(testing::Message() << m << " x " << n << ", tiles of " << rows);
      const int k = std::min(m, n);
      Sample<T> A = randomSample<T>(m, n, 0, 1);
      PanelSample<T> V(randomSample<T>(m, n, 2, 1), rows, rows == 5);
      Sample<T> tau(k, 1), W(k, k, 1), W2(k, k);
      geqrf<T>(V.panel(), tau.tile(), W.tile());
      Sample<T> factored = V.content();
      larft<T>(V.panel(), tau.tile(), W2.tile());
      for (int j = 0; j < k; ++j) {
        EXPECT_EQ(tau(j, 0), W(j, j));
        for (int i = 0; i < k; ++i)
          EXPECT_LE(std::abs(W(i, j) - W2(i, j)), this->tolerance(m));
      }
      this->expectFactorization(A, upperOf(factored), [&](Op op, Sample<T> &C) {
        PanelSample<T> panel(C, rows, rows == 2);
        larfb<T>(op, V.panel(), W.tile(), panel.panel());
        C = panel.content();
      });
    }
}

TYPED_TEST(QrReference, Tile) {
  using T = TypeParam;
  for (const auto &[m, n] : shapes)
    for (int ib : blockSizes) {
      SCOPED_TRACE(testing::Message() << m << " x " << n << ", ib " << ib);
      const int k = std::min(m, n);
      Sample<T> A(randomSample<T>(m, n, 0, 1)), V = randomSample<T>(m, n, 2, 1), W(std::min(ib, k), k, 1);
      geqrt<T>(ib, V.tile(), W.tile());
      Sample<T> R = upperOf(V);
      V.poisonOther(Uplo::Lower, Diag::Unit);
      this->expectFactorization(A, R, [&](Op op, Sample<T> &C) { unmqr<T>(op, ib, V.tile(), W.tile(), C.tile()); });
    }
}

/// QR of R over A by `factor`, with NaN below the diagonals that it must not read; Q applied by `apply`.
template <typename T, typename Factor, typename Apply, typename Check>
void factorPair(Sample<T> A, int ib, bool triangles, Factor factor, Apply apply, Check check) {
  const int m = A.m(), n = A.n(), extra = 2;
  Sample<T> R = randomSample<T>(n + extra, n, 1, 2), W(std::min(ib, n), n, 1);
  Sample<T> before = rowsOf(R, 0, n), whole = stack(upperOf(before), triangles ? upperOf(A) : A);
  R.poisonOther(Uplo::Upper);
  Sample<T> V = A;
  if (triangles)
    V.poisonOther(Uplo::Upper);
  factor(ib, R.tile(), V.tile(), W.tile());
  Sample<T> after = rowsOf(R, 0, n), none(m, n);
  none.fill(T(0));
  Sample<T> full = stack(upperOf(after), none);
  for (int j = 0; j < n; ++j)
    for (int i = j + 1; i < std::max(n, m); ++i) {
      EXPECT_TRUE(i >= n || isNan(R(i, j))) << "R was written below the diagonal";
      EXPECT_TRUE(!triangles || i >= m || isNan(V(i, j))) << "R2 was written below the diagonal";
    }
  check(whole, full, [&](Op op, Sample<T> &C) {
    Sample<T> C1 = rowsOf(C, 0, n), C2 = rowsOf(C, n, m);
    apply(op, ib, C1.tile(), C2.tile(), V.tile(), W.tile());
    C = stack(C1, C2);
  });
}

constexpr Shape pairs[] = {{0, 3}, {3, 0}, {1, 1}, {1, 4}, {5, 1}, {7, 7}, {12, 5}, {5, 12}, {17, 17}};

TYPED_TEST(QrReference, TriangleOverTile) {
  using T = TypeParam;
  for (const auto &[m, n] : pairs)
    for (int ib : blockSizes) {
      SCOPED_TRACE(testing::Message() << m << " x " << n << ", ib " << ib);
      factorPair(randomSample<T>(m, n, 1, 1), ib, false, tsqrt<T>, tsmqr<T>,
                 [&](auto A, auto R, auto apply) { this->expectFactorization(A, R, apply); });
    }
}

TYPED_TEST(QrReference, TriangleOverTriangle) {
  using T = TypeParam;
  for (const auto &[m, n] : pairs)
    for (int ib : blockSizes) {
      SCOPED_TRACE(testing::Message() << m << " x " << n << ", ib " << ib);
      factorPair(randomSample<T>(m, n, 1, 1), ib, true, ttqrt<T>, ttmqr<T>,
                 [&](auto A, auto R, auto apply) { this->expectFactorization(A, R, apply); });
    }
}

TYPED_TEST(QrReference, CopyUnitLower) {
  using T = TypeParam;
  Sample<T> A = randomSample<T>(5, 3, 1, 1), B(4, 3, 2);
  A.poisonOther(Uplo::Lower, Diag::Unit);
  copyUnitLower<T>(A.tile(), B.tile());
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(B(i, j), i > j ? A(i, j) : T(i == j));
  EXPECT_TRUE(isNan(B(4, 0))) << "the padding was written";
}

TYPED_TEST(QrReference, ReflectorByHand) {
  using T = TypeParam;
  // (3; 4): beta = -5, v = (1; 1/2), tau = 8/5
  T a[] = {3, 4}, w[] = {0};
  geqrt<T>(1, {a, 2, 1, 2}, {w, 1, 1, 1});
  EXPECT_EQ(a[0], T(-5));
  EXPECT_EQ(a[1], T(0.5));
  EXPECT_EQ(w[0], T(RealType<T>(8) / 5));
  // nothing to annihilate: H = I
  T b[] = {-2, 0};
  geqrt<T>(1, {b, 2, 1, 2}, {w, 1, 1, 1});
  EXPECT_EQ(b[0], T(-2));
  EXPECT_EQ(w[0], T(0));
}

/// Where squares overflow or vanish, and where the inverse of beta would.
TYPED_TEST(QrReference, ExtremeScales) {
  using T = TypeParam;
  using R = RealType<T>;
  for (R scale : {std::numeric_limits<R>::min(), std::numeric_limits<R>::max() / 16}) {
    T a[] = {3 * scale, 4 * scale}, w[1];
    geqrt<T>(1, {a, 2, 1, 2}, {w, 1, 1, 1});
    EXPECT_LE(std::abs(a[0] / scale - T(-5)), 8 * epsilon<T>());
    EXPECT_LE(std::abs(a[1] - T(0.5)), 8 * epsilon<T>());
    EXPECT_LE(std::abs(w[0] - T(R(8) / 5)), 8 * epsilon<T>());
  }
}

TYPED_TEST(QrReference, NanAndInfinityEnd) {
  using T = TypeParam;
  for (T bad : {nan<T>(), T(std::numeric_limits<RealType<T>>::infinity())}) {
    Sample<T> A = randomSample<T>(6, 4, 0, 1), W(4, 4);
    A(3, 1) = bad;
    geqrt<T>(2, A.tile(), W.tile());
    EXPECT_FALSE(std::isfinite(std::abs(A(3, 3))));
  }
}
} // namespace
