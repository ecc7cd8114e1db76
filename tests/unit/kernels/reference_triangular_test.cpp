// The reference bodies of the kernels for triangular tiles, and of the copies, against their definitions.
#include "tests/unit/kernels/wide.hpp"

#include <tla/kernels/kernels.hpp>

using namespace tla;
using namespace tla::test;

namespace {
template <typename T> class ReferenceTriangular : public ::testing::Test {};
TYPED_TEST_SUITE(ReferenceTriangular, Types);

constexpr int sizes[] = {0, 1, 2, 5, 17};

bool isStored(Uplo uplo, int i, int j) { return uplo == Uplo::Lower ? i >= j : i <= j; }

TYPED_TEST(ReferenceTriangular, TrmmByHand) {
  using T = TypeParam;
  // 2 (1 .; 3 4) (5 7; 6 8) = (10 14; 78 106)
  T a[] = {1, 3, nan<T>(), 4}, b[] = {5, 6, 7, 8};
  trmm<T>(Side::Left, Uplo::Lower, Op::NoTrans, Diag::NonUnit, 2, {a, 2, 2, 2}, {b, 2, 2, 2});
  const T expected[] = {10, 78, 14, 106};
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(b[i], expected[i]);
}

TYPED_TEST(ReferenceTriangular, Trmm) {
  using T = TypeParam;
  for (Side side : sides)
    for (Uplo uplo : uplos)
      for (Op op : ops)
        for (Diag diag : diags)
          for (int m : sizes)
            for (int n : {0, 1, 5}) {
              const int order = side == Side::Left ? m : n;
              Sample<T> A = randomSample<T>(order, order, 2, 1);
              A.poisonOther(uplo, diag);
              Sample<T> B = randomSample<T>(m, n, 1, 2), X = B;
              trmm<T>(side, uplo, op, diag, T(-1.5), A.tile(), B.tile());
              for (int j = 0; j < n; ++j)
                for (int i = 0; i < m; ++i) {
                  Wide sum = 0;
                  for (int l = 0; l < order; ++l)
                    sum += side == Side::Left ? triangleElement(uplo, op, diag, A, i, l) * widen(X(l, j))
                                              : widen(X(i, l)) * triangleElement(uplo, op, diag, A, l, j);
                  EXPECT_LE(std::abs(Wide(-1.5) * sum - widen(B(i, j))), 32 * (order + 1) * epsilon<T>());
                }
            }
}

TYPED_TEST(ReferenceTriangular, Lascl) {
  using T = TypeParam;
  for (Uplo uplo : uplos)
    for (T alpha : {T(0), T(-2)}) {
      Sample<T> A = randomSample<T>(5, 5, 2, 1), X = A;
      if (alpha == T(0))
        X.fill(nan<T>());
      lascl<T>(uplo, alpha, X.tile());
      for (int j = 0; j < 5; ++j)
        for (int i = 0; i < 5; ++i)
          if (isStored(uplo, i, j))
            EXPECT_EQ(X(i, j), alpha == T(0) ? T(0) : alpha * A(i, j));
          else if (alpha != T(0))
            EXPECT_EQ(X(i, j), A(i, j));
          else
            EXPECT_NE(X(i, j), X(i, j));
    }
}

TYPED_TEST(ReferenceTriangular, Tradd) {
  using T = TypeParam;
  for (const auto &[m, n] : {std::pair(5, 5), std::pair(6, 3), std::pair(2, 5), std::pair(0, 2)})
    for (Uplo uplo : uplos)
      for (T beta : {T(0), T(1), T(-2)}) {
        Sample<T> A = randomSample<T>(m, n, 2, 1), B = randomSample<T>(m, n, 1, 2);
        Sample<T> X = B;
        if (beta == T(0))
          X.fill(nan<T>());
        tradd<T>(uplo, T(3), A.tile(), beta, X.tile());
        for (int j = 0; j < n; ++j)
          for (int i = 0; i < m; ++i)
            if (isStored(uplo, i, j))
              EXPECT_EQ(X(i, j), beta == T(0) ? T(3) * A(i, j) : T(3) * A(i, j) + beta * B(i, j));
            else if (beta != T(0))
              EXPECT_EQ(X(i, j), B(i, j));
            else
              EXPECT_NE(X(i, j), X(i, j));
      }
}

TYPED_TEST(ReferenceTriangular, Trtri) {
  using T = TypeParam;
  for (Uplo uplo : uplos)
    for (Diag diag : diags)
      for (int n : sizes) {
        Sample<T> A = randomSample<T>(n, n, 2, 1);
        A.makeDominant();
        A.poisonOther(uplo, diag);
        Sample<T> X = A;
        EXPECT_EQ(trtri<T>(uplo, diag, X.tile()), 0);
        for (int j = 0; j < n; ++j)
          for (int i = 0; i < n; ++i) {
            if (!isStored(uplo, i, j) || (i == j && diag == Diag::Unit)) {
              EXPECT_TRUE(isNan(X(i, j)));
              continue;
            }
            Wide sum = 0;
            for (int l = 0; l < n; ++l)
              sum +=
                  triangleElement(uplo, Op::NoTrans, diag, A, i, l) * triangleElement(uplo, Op::NoTrans, diag, X, l, j);
            EXPECT_LE(std::abs(sum - Wide(i == j)), 32 * (n + 1) * epsilon<T>());
          }
      }
}

TYPED_TEST(ReferenceTriangular, TrtriLeavesASingularTileAsItIs) {
  using T = TypeParam;
  for (int zero : {0, 2}) {
    Sample<T> A = randomSample<T>(3, 3, 0, 1);
    A(zero, zero) = T(0);
    Sample<T> X = A;
    EXPECT_EQ(requireNonsingular<T>(A.tile()), zero + 1);
    EXPECT_EQ(trtri<T>(Uplo::Upper, Diag::NonUnit, X.tile()), zero + 1);
    expectNear(A, X, 0);
    EXPECT_EQ(trtri<T>(Uplo::Upper, Diag::Unit, X.tile()), 0);
  }
}

TYPED_TEST(ReferenceTriangular, RequireNonsingularLooksAtTheDiagonalOnly) {
  using T = TypeParam;
  Sample<T> A(4, 3, 1);
  A.fill(T(0));
  for (int j = 0; j < 3; ++j)
    A(j, j) = nan<T>();
  EXPECT_EQ(requireNonsingular<T>(A.tile()), 0);
}

TYPED_TEST(ReferenceTriangular, Lauum) {
  using T = TypeParam;
  for (Uplo uplo : uplos)
    for (int n : sizes) {
      Sample<T> A = randomSample<T>(n, n, 2, 1);
      for (int j = 0; j < n; ++j)
        A(j, j) = T(reference::realPart(A(j, j)));
      A.poisonOther(uplo);
      Sample<T> C = A;
      lauum<T>(uplo, C.tile());
      const Op first = uplo == Uplo::Lower ? Op::ConjTrans : Op::NoTrans;
      const Op second = uplo == Uplo::Lower ? Op::NoTrans : Op::ConjTrans;
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
          if (!isStored(uplo, i, j)) {
            EXPECT_TRUE(isNan(C(i, j)));
            continue;
          }
          Wide sum = 0;
          for (int l = 0; l < n; ++l)
            sum += triangleElement(uplo, first, Diag::NonUnit, A, i, l) *
                   triangleElement(uplo, second, Diag::NonUnit, A, l, j);
          EXPECT_LE(std::abs(sum - widen(C(i, j))), 32 * (n + 1) * epsilon<T>());
        }
    }
}

/// Hermitian and far from singular, with pivots of both signs.
template <typename T> Sample<T> indefinite(int n) {
  Sample<T> A = randomSample<T>(n, n, 2, 1);
  A.makePositive();
  for (int j = 1; j < n; j += 2)
    A(j, j) = -A(j, j);
  return A;
}

TYPED_TEST(ReferenceTriangular, HetrfNopiv) {
  using T = TypeParam;
  for (int n : sizes) {
    Sample<T> A = indefinite<T>(n), L = A;
    L.poisonOther(Uplo::Lower);
    for (int j = 0; j < n && isComplex<T>; ++j)
      reinterpret_cast<RealType<T> *>(&L(j, j))[sizeof(T) / sizeof(RealType<T>) - 1] = 3; // ignored
    EXPECT_EQ(hetrf_nopiv<T>(L.tile()), 0);
    for (int j = 0; j < n; ++j) {
      EXPECT_EQ(std::imag(L(j, j)), RealType<T>(0));
      for (int i = 0; i < n; ++i) {
        if (i < j) {
          EXPECT_TRUE(isNan(L(i, j)));
          continue;
        }
        Wide sum = 0;
        for (int l = 0; l <= j; ++l)
          sum += triangleElement(Uplo::Lower, Op::NoTrans, Diag::Unit, L, i, l) * widen(L(l, l)) *
                 triangleElement(Uplo::Lower, Op::ConjTrans, Diag::Unit, L, l, j);
        EXPECT_LE(std::abs(sum - widen(A(i, j))), 32 * (n + 1) * epsilon<T>() * n);
      }
    }
  }
}

TYPED_TEST(ReferenceTriangular, HetrfNopivStopsAtAZeroOrNanPivot) {
  using T = TypeParam;
  for (T pivot : {T(0), nan<T>()}) {
    Sample<T> A(3, 3);
    A.fill(T(0));
    A(0, 0) = T(-2);
    A(1, 1) = pivot;
    A(2, 2) = T(1);
    EXPECT_EQ(hetrf_nopiv<T>(A.tile()), 2);
  }
}

TYPED_TEST(ReferenceTriangular, ScaleByPivots) {
  using T = TypeParam;
  Sample<T> A = randomSample<T>(3, 3, 0, 1), B = randomSample<T>(4, 3, 1, 2), W(4, 3, 2), old = B;
  for (int j = 0; j < 3; ++j)
    A(j, j) = T(RealType<T>(j ? -0.5 : 4));
  scaleByPivots<T>(A.tile(), B.tile(), W.tile());
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(W(i, j), old(i, j));
      EXPECT_EQ(B(i, j), old(i, j) / A(j, j)); // powers of two: exact
    }
}

TYPED_TEST(ReferenceTriangular, Omatcopy) {
  using T = TypeParam;
  for (Op op : ops)
    for (int m : {0, 1, 8, 13})
      for (int n : {0, 1, 9})
        for (T alpha : {T(0), T(1), T(-2)}) {
          Sample<T> A = op == Op::NoTrans ? randomSample<T>(m, n, 2, 1) : randomSample<T>(n, m, 2, 1), B(m, n, 1);
          if (alpha == T(0))
            A.fill(nan<T>());
          omatcopy<T>(op, alpha, A.tile(), B.tile());
          for (int j = 0; j < n; ++j)
            for (int i = 0; i < m; ++i) {
              const T x = op == Op::NoTrans ? A(i, j) : reference::applied(op, A(j, i));
              EXPECT_EQ(B(i, j), alpha == T(0) ? T(0) : alpha * x);
            }
        }
}

TYPED_TEST(ReferenceTriangular, LasetWritesTheRegion) {
  using T = TypeParam;
  for (Region region : {Region::Full, Region::Lower, Region::Upper})
    for (const auto &[m, n] : {std::pair(4, 4), std::pair(5, 2), std::pair(2, 5), std::pair(0, 3)}) {
      Sample<T> A(m, n, 1);
      A.fill(T(7));
      const OutTile<T> tile = A.tile();
      laset<T>(T(2), T(3), region == Region::Full ? tile : region == Region::Lower ? tile.lower() : tile.upper());
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i) {
          const bool written = region == Region::Full || (region == Region::Lower ? i > j : i <= j);
          EXPECT_EQ(A(i, j), !written ? T(7) : i == j ? T(3) : T(2)) << i << ", " << j;
        }
    }
}
} // namespace
