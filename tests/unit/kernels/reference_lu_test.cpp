// The reference bodies of the LU kernels against hand-checked data and against their definitions.
#include "tests/unit/kernels/panel_samples.hpp"
#include "tests/unit/kernels/wide.hpp"

#include <tla/kernels/kernels.hpp>

using namespace tla;
using namespace tla::test;

namespace {
template <typename T> class ReferenceLu : public ::testing::Test {};
TYPED_TEST_SUITE(ReferenceLu, Types);

OutTile<int> column(std::vector<int> &x) {
  const int m = static_cast<int>(x.size());
  return {x.data(), m, 1, std::max(1, m)};
}

/// |A - L U| for the factors in one sample, A with its rows already interchanged.
template <typename T> void expectProduct(Sample<T> &A, Sample<T> &LU) {
  const int k = std::min(A.m(), A.n());
  for (int j = 0; j < A.n(); ++j)
    for (int i = 0; i < A.m(); ++i) {
      Wide sum = 0;
      for (int l = 0; l < k; ++l)
        sum += (i < l ? Wide(0) : i == l ? Wide(1) : widen(LU(i, l))) * (l > j ? Wide(0) : widen(LU(l, j)));
      EXPECT_LE(std::abs(sum - widen(A(i, j))), 16 * (k + 1) * epsilon<T>() * std::max(1, k)) << i << ", " << j;
    }
}

TYPED_TEST(ReferenceLu, GetrfByHand) {
  using T = TypeParam;
  // (1 4; -2 6; 2 2) with the first of the largest on top: (-2 6), then 4 + 6/2 = 7 before 2 + 6 = 8: row 3.
  T a[] = {1, -2, 2, 4, 6, 2};
  const Tile<T> tile(a, 3, 2, 3);
  std::vector<int> ipiv(2);
  EXPECT_EQ(getrf<T>(10, {&tile, 1}, column(ipiv)), 0);
  EXPECT_EQ(ipiv, (std::vector<int>{12, 13}));
  const T expected[] = {-2, -1, -0.5, 6, 8, 7 / RealType<T>(8)};
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(a[i], expected[i]) << i;
}

TEST(ReferenceLuComplex, PivotIsTheLargestSumOfParts) {
  using T = std::complex<double>;
  T a[] = {{5, 0}, {3, 3}}; // the modulus of 3 + 3i is less than 5
  const Tile<T> tile(a, 2, 1, 2);
  std::vector<int> ipiv(1);
  EXPECT_EQ(getrf<T>(0, {&tile, 1}, column(ipiv)), 0);
  EXPECT_EQ(ipiv[0], 2);
}

TYPED_TEST(ReferenceLu, GetrfGoesOnBehindAZeroPivot) {
  using T = TypeParam;
  // Column 2 is twice column 1: its pivot is zero, as is what is below; column 3 is still factored.
  T a[] = {4, 2, 1, 8, 4, 2, 1, 2, 3};
  const Tile<T> tile(a, 3, 3, 3);
  std::vector<int> ipiv(3);
  EXPECT_EQ(getrf<T>(0, {&tile, 1}, column(ipiv)), 2);
  EXPECT_EQ(ipiv, (std::vector<int>{1, 2, 3}));
  const T expected[] = {4, 0.5, 0.25, 8, 0, 0, 1, 1.5, 2.75};
  for (int i = 0; i < 9; ++i)
    EXPECT_EQ(a[i], expected[i]) << i;
}

TYPED_TEST(ReferenceLu, NanIsThePivotOnlyWhereItIsFirst) {
  using T = TypeParam;
  for (int at : {0, 1, 3}) {
    T a[] = {1, 2, 3, 2};
    a[at] = nan<T>();
    const Tile<T> tile(a, 4, 1, 4);
    std::vector<int> ipiv(1);
    EXPECT_EQ(getrf<T>(0, {&tile, 1}, column(ipiv)), 0);
    EXPECT_EQ(ipiv[0], at == 0 ? 1 : 3);
  }
}

TYPED_TEST(ReferenceLu, Getrf) {
  using T = TypeParam;
  for (const auto &[m, n] : std::vector<std::pair<int, int>>{{0, 3}, {3, 0}, {1, 1}, {5, 3}, {3, 5}, {17, 17}, {40, 9}})
    for (Layout layout : layouts)
      for (int height : {2, 7, 50}) {
        Sample<T> A = shuffledLuProduct<T>(m, n, 1);
        PanelSample<T> panel(A, tileHeights(m, height), layout);
        std::vector<int> ipiv(std::min(m, n));
        EXPECT_EQ(getrf<T>(5, panel.panel(), column(ipiv)), 0);
        for (int i = 0; i < std::min(m, n); ++i)
          for (int j = 0; j < n; ++j)
            std::swap(A(i, j), A(ipiv[i] - 6, j));
        Sample<T> LU = panel.whole();
        expectProduct(A, LU);
        for (int j = 0; j < std::min(m, n); ++j)
          for (int i = j + 1; i < m; ++i)
            EXPECT_LE(reference::squaredModulus(LU(i, j)), RealType<T>(0.6));
      }
}

TYPED_TEST(ReferenceLu, LaswpInterchangesInOrderAndBack) {
  using T = TypeParam;
  for (Layout layout : layouts) {
    Sample<T> A = randomSample<T>(6, 3, 1, 1);
    PanelSample<T> panel(A, {2, 3, 1}, layout);
    std::vector<int> ipiv{13, 16, 13, 16}; // row 10: rows 0 and 2, then 1 and 5, nothing, 3 and 5
    laswp<T>(10, column(ipiv), 1, panel.panel());
    Sample<T> B = panel.whole();
    const int from[] = {2, 5, 0, 1, 4, 3};
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 3; ++j)
        EXPECT_EQ(B(i, j), A(from[i], j)) << i;
    laswp<T>(10, column(ipiv), -1, panel.panel());
    Sample<T> C = panel.whole();
    expectNear(A, C, 0);
  }
}
} // namespace
