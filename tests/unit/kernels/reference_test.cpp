// The kernels as tla_reference defines them, against hand-checked data and against their definitions.
#include "tests/unit/kernels/wide.hpp"

#include <tla/kernels/kernels.hpp>

using namespace tla;
using namespace tla::test;

namespace {
template <typename T> class Reference : public ::testing::Test {
protected:
  /// |x - y| in units of rounding for sums of k terms.
  void expectClose(Wide expected, T actual, int k) {
    EXPECT_LE(std::abs(expected - widen(actual)), 8 * (k + 2) * epsilon<T>() * (1 + std::abs(expected)));
  }
  const T alpha = T(-1.5);
};
TYPED_TEST_SUITE(Reference, Types);

constexpr int sizes[] = {0, 1, 2, 5, 17, 33};

TYPED_TEST(Reference, GemmByHand) {
  using T = TypeParam;
  // (1 3; 2 4) (5 7; 6 8) = (23 31; 34 46)
  T a[] = {1, 2, 3, 4}, b[] = {5, 6, 7, 8}, c[] = {1, 1, 1, 1};
  gemm<T>(Op::NoTrans, Op::NoTrans, 2, {a, 2, 2, 2}, {b, 2, 2, 2}, -1, {c, 2, 2, 2});
  EXPECT_EQ(c[0], T(45));
  EXPECT_EQ(c[1], T(67));
  EXPECT_EQ(c[2], T(61));
  EXPECT_EQ(c[3], T(91));
}

TYPED_TEST(Reference, PotrfByHand) {
  using T = TypeParam;
  // (4 . .; 2 10 .; 8 10 21) = L L^T with L = (2; 1 3; 4 2 1)
  T a[] = {4, 2, 8, nan<T>(), 10, 10, nan<T>(), nan<T>(), 21};
  EXPECT_EQ(potrf<T>(Uplo::Lower, {a, 3, 3, 3}), 0);
  const T expected[] = {2, 1, 4, 0, 3, 2, 0, 0, 1};
  for (int i : {0, 1, 2, 4, 5, 8})
    EXPECT_EQ(a[i], expected[i]) << i;
  for (int i : {3, 6, 7})
    EXPECT_TRUE(isNan(a[i])) << i;
}

TEST(ReferenceComplex, PotrfAndTrsmByHand) {
  using T = std::complex<double>;
  // (4 .; 2+2i 11) = L L^H with L = (2; 1+i 3); the imaginary part of the diagonal is ignored.
  T a[] = {{4, 7}, {2, 2}, {0, 0}, {11, -1}};
  EXPECT_EQ(potrf<T>(Uplo::Lower, {a, 2, 2, 2}), 0);
  EXPECT_EQ(a[0], T(2));
  EXPECT_EQ(a[1], T(1, 1));
  EXPECT_EQ(a[3], T(3));
  // L^H x = (4 - 2i, 3)^T: x2 = 1, x1 = (4 - 2i - (1 - i)) / 2
  T b[] = {{4, -2}, 3};
  trsm<T>(Side::Left, Uplo::Lower, Op::ConjTrans, Diag::NonUnit, 1, {a, 2, 2, 2}, {b, 2, 1, 2});
  EXPECT_EQ(b[0], T(1.5, -0.5));
  EXPECT_EQ(b[1], T(1));
}

TYPED_TEST(Reference, Gemm) {
  using T = TypeParam;
  for (Op opA : ops)
    for (Op opB : ops)
      for (int m : sizes)
        for (int n : {0, 1, 5, 17})
          for (int k : sizes) {
            Sample<T> A = opA == Op::NoTrans ? randomSample<T>(m, k, 2, 1) : randomSample<T>(k, m, 2, 1);
            Sample<T> B = opB == Op::NoTrans ? randomSample<T>(k, n, 0, 2) : randomSample<T>(n, k, 1, 2);
            Sample<T> C = randomSample<T>(m, n, 3, 3), old = C;
            gemm<T>(opA, opB, this->alpha, A.tile(), B.tile(), T(0.5), C.tile());
            for (int j = 0; j < n; ++j)
              for (int i = 0; i < m; ++i) {
                Wide sum = 0;
                for (int l = 0; l < k; ++l)
                  sum += opElement(opA, A, i, l) * opElement(opB, B, l, j);
                this->expectClose(widen(this->alpha) * sum + Wide(0.5) * widen(old(i, j)), C(i, j), k);
              }
          }
}

TYPED_TEST(Reference, Trsm) {
  using T = TypeParam;
  for (Side side : sides)
    for (Uplo uplo : uplos)
      for (Op op : ops)
        for (Diag diag : diags)
          for (int m : sizes)
            for (int n : {0, 1, 5, 17}) {
              const int order = side == Side::Left ? m : n;
              Sample<T> A = randomSample<T>(order, order, 2, 1);
              A.makeDominant();
              A.poisonOther(uplo, diag);
              Sample<T> X = randomSample<T>(m, n, 1, 2), B = X;
              trsm<T>(side, uplo, op, diag, this->alpha, A.tile(), X.tile());
              for (int j = 0; j < n; ++j)
                for (int i = 0; i < m; ++i) {
                  Wide sum = 0;
                  for (int l = 0; l < order; ++l)
                    sum += side == Side::Left ? triangleElement(uplo, op, diag, A, i, l) * widen(X(l, j))
                                              : widen(X(i, l)) * triangleElement(uplo, op, diag, A, l, j);
                  EXPECT_LE(std::abs(sum - widen(this->alpha) * widen(B(i, j))), 32 * (order + 1) * epsilon<T>());
                }
            }
}

template <typename T, typename Call> void checkRankK(Op second, Call call) {
  for (Uplo uplo : uplos)
    for (Op op : rankKOps<T>(second))
      for (int n : sizes)
        for (int k : {0, 1, 5, 17}) {
          Sample<T> A = op == Op::NoTrans ? randomSample<T>(n, k, 2, 1) : randomSample<T>(k, n, 2, 1);
          Sample<T> C = randomSample<T>(n, n, 1, 2);
          C.poisonOther(uplo);
          Sample<T> old = C;
          call(uplo, op, A.tile(), C.tile());
          for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) {
              if (uplo == Uplo::Lower ? i < j : i > j) {
                EXPECT_TRUE(isNan(C(i, j)));
                continue;
              }
              Wide sum = 0;
              for (int l = 0; l < k; ++l) {
                const Wide right = opElement(op, A, j, l);
                const Wide left = opElement(op, A, i, l);
                sum += left * (second == Op::ConjTrans ? std::conj(right) : right);
              }
              Wide before = widen(old(i, j));
              if (i == j && second == Op::ConjTrans)
                before = before.real();
              const Wide expected = Wide(-2) * sum + Wide(0.5) * before;
              EXPECT_LE(std::abs(expected - widen(C(i, j))), 16 * (k + 2) * epsilon<T>() * (1 + std::abs(expected)))
                  << i << ", " << j << " n " << n << " k " << k;
            }
        }
}

TYPED_TEST(Reference, Syrk) {
  using T = TypeParam;
  checkRankK<T>(Op::Trans, [](Uplo uplo, Op op, Tile<T> A, Tile<T> C) { syrk<T>(uplo, op, T(-2), A, T(0.5), C); });
}

TYPED_TEST(Reference, Herk) {
  using T = TypeParam;
  checkRankK<T>(Op::ConjTrans, [](Uplo uplo, Op op, Tile<T> A, Tile<T> C) { herk<T>(uplo, op, -2, A, 0.5, C); });
}

TYPED_TEST(Reference, Potrf) {
  using T = TypeParam;
  for (Uplo uplo : uplos)
    for (int n : sizes) {
      Sample<T> A = randomSample<T>(n, n, 2, 1);
      A.makePositive();
      Sample<T> L = A;
      L.poisonOther(uplo);
      EXPECT_EQ(potrf<T>(uplo, L.tile()), 0);
      const Op first = uplo == Uplo::Lower ? Op::NoTrans : Op::ConjTrans;
      const Op second = uplo == Uplo::Lower ? Op::ConjTrans : Op::NoTrans;
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
          Wide sum = 0;
          for (int l = 0; l < n; ++l)
            sum += triangleElement(uplo, first, Diag::NonUnit, L, i, l) *
                   triangleElement(uplo, second, Diag::NonUnit, L, l, j);
          EXPECT_LE(std::abs(sum - widen(A(i, j))), 16 * (n + 1) * epsilon<T>() * n);
          if (uplo == Uplo::Lower ? i < j : i > j) {
            EXPECT_TRUE(isNan(L(i, j)));
          }
        }
    }
}

TYPED_TEST(Reference, ScalClearsNan) {
  using T = TypeParam;
  Sample<T> A(3, 2, 1);
  A.fill(nan<T>());
  scal<T>(T(0), A.tile());
  for (int j = 0; j < 2; ++j)
    for (int i = 0; i < 3; ++i)
      EXPECT_EQ(A(i, j), T(0));
  A.fill(T(3));
  scal<T>(T(-2), A.tile());
  EXPECT_EQ(A(2, 1), T(-6));
  EXPECT_TRUE(isNan(A(3, 0))) << "the padding was written";
}
} // namespace
