// The reference bodies of the LU kernels against hand-checked data and against their definitions.
#include "tests/unit/kernels/panel_samples.hpp"
#include "tests/unit/kernels/wide.hpp"

#include <tla/kernels/kernels.hpp>
#include <tla/matrix.hpp>

#include <random>

using namespace tla;
using namespace tla::test;

namespace {
template <typename T> class ReferenceLu : public ::testing::Test {};
TYPED_TEST_SUITE(ReferenceLu, Types);

Tile<int> column(std::vector<int> &x) {
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

TYPED_TEST(ReferenceLu, LaswpRefusesPivotsThatAreNoRows) {
  using T = TypeParam;
  const int row = 10;
  for (Layout layout : layouts)
    for (const int pivot : {10, 17, 0, -1, 2147483647, -2147483647}) {
      Sample<T> A = randomSample<T>(6, 3, 1, 1);
      PanelSample<T> panel(A, {2, 3, 1}, layout);
      std::vector<int> ipiv{16, pivot};
      EXPECT_THROW((laswp<T>(row, column(ipiv), 1, panel.panel())), std::out_of_range) << pivot;
    }
}

TYPED_TEST(ReferenceLu, LaswpAllIsLaswpWithThePivotsOfAll) {
  using T = TypeParam;
  Sample<T> A = randomSample<T>(11, 3, 0, 1);
  PanelSample<T> one(A, {4, 4, 3}, Layout::Separate), several(A, {4, 4, 3}, Layout::Separate);
  std::vector<int> first{9, 2, 11, 4}, second{8, 6, 11, 9}, both{9, 2, 11, 4, 8, 6, 11, 9}; // row 0, row 4, row 0
  const Tile<int> tiles[] = {column(first), column(second)};
  for (const int inc : {1, -1}) {
    laswp<T>(0, column(both), inc, one.panel());
    laswpAll<T>(0, ConstPanel<int>(tiles, 2), inc, several.panel());
    Sample<T> expected = one.whole(), actual = several.whole();
    expectNear(expected, actual, 0);
  }
}

/// The rows on each of p rows of nodes are gathered, exchanged at the top and scattered again.
TYPED_TEST(ReferenceLu, LaswpOfAGridIsLaswp) {
  using T = TypeParam;
  std::mt19937 random(1);
  const int nb = 3, m = 17, n = 4;
  for (const int k : {0, 1, 4, 5})
    for (const int pivots : {1, 2, 3})
      for (const int p : {1, 2, 3, 4, 7}) {
        SCOPED_TRACE(testing::Message() << pivots << " pivots of step " << k << ", p = " << p);
        if (k * nb + pivots > m)
          continue;
        Matrix<T> expected(m, n, nb), actual(m, n, nb), S(8 * nb, n + 1, nb), D(nb, n + 1, nb + 2);
        for (int j = 0; j < expected.nt(); ++j)
          for (int i = 0; i < expected.mt(); ++i)
            for (int y = 0; y < expected(i, j).n(); ++y)
              for (int x = 0; x < expected(i, j).m(); ++x)
                expected(i, j)(x, y) = actual(i, j)(x, y) = T(static_cast<float>(i * 100 + x * 10 + j * 3 + y) - 250);
        std::vector<int> ipiv(pivots);
        for (int s = 0; s < pivots; ++s)
          ipiv[s] = k * nb + s + 1 + static_cast<int>(random() % (m - k * nb - s));
        laswp<T>(k * nb, column(ipiv), 1, expected.panel(k, expected.mt(), 0));
        const int end = std::min(k + p, actual.mt());
        for (int i = k + 1; i < end; ++i)
          laswpGather<T>(k * nb, nb, p, i * nb, column(ipiv), actual.panel(i, actual.mt(), 0, p), S(i, 0));
        laswpExchange<T>(k * nb, nb, p, column(ipiv), S.panel(k + 1, end, 0), actual.panel(k, actual.mt(), 0, p),
                         D(0, 0));
        for (int i = k + 1; i < end; ++i)
          laswpScatter<T>(k * nb, nb, p, i * nb, column(ipiv), D(0, 0), actual.panel(i, actual.mt(), 0, p));
        for (int i = 0; i < expected.mt(); ++i)
          for (int y = 0; y < expected(i, 0).n(); ++y)
            for (int x = 0; x < expected(i, 0).m(); ++x)
              ASSERT_EQ(expected(i, 0)(x, y), actual(i, 0)(x, y)) << "row " << i * nb + x << ", column " << y;
      }
}

TYPED_TEST(ReferenceLu, GetrfNopiv) {
  using T = TypeParam;
  for (const auto &[m, n] : std::vector<std::pair<int, int>>{{0, 3}, {1, 1}, {5, 3}, {3, 5}, {17, 17}}) {
    Sample<T> A = luProduct<T>(m, n, 1), LU = A;
    EXPECT_EQ(getrf_nopiv<T>(LU.tile()), 0);
    expectProduct(A, LU);
  }
  T a[] = {1, 2, 3, 6}; // what is left of the second pivot is 6 - 2 * 3
  EXPECT_EQ(getrf_nopiv<T>({a, 2, 2, 2}), 2);
}

/// The first rows of A after the interchanges of ipiv, counted from `row`.
template <typename T> Sample<T> topRows(Sample<T> A, const std::vector<int> &ipiv, int row) {
  const int k = static_cast<int>(ipiv.size());
  Sample<T> top(k, A.n());
  for (int i = 0; i < k; ++i)
    for (int j = 0; j < A.n(); ++j)
      std::swap(A(i, j), A(ipiv[i] - 1 - row, j));
  for (int i = 0; i < k; ++i)
    for (int j = 0; j < A.n(); ++j)
      top(i, j) = A(i, j);
  return top;
}

/// One tile: the tournament chooses what partial pivoting chooses, in its order, and the interchanges that bring these
/// rows to the top are its pivots.
TYPED_TEST(ReferenceLu, TournamentOfOneIsPartialPivoting) {
  using T = TypeParam;
  const int row = 20;
  for (const auto &[m, n] : std::vector<std::pair<int, int>>{{9, 4}, {4, 4}, {3, 4}}) {
    Sample<T> A = shuffledLuProduct<T>(m, n, 1), LU = A, C(5, n);
    const int k = std::min(m, n);
    std::vector<int> expected(k), ipiv(k), rows(5);
    const Tile<T> tile = LU.tile();
    getrf<T>(row, {&tile, 1}, column(expected));
    tournamentSelect<T>(row, A.tile(), C.tile(), column(rows));
    tournamentPivots<T>(row, column(rows), C.tile(), column(ipiv));
    EXPECT_EQ(ipiv, expected);
    Sample<T> top = topRows(A, expected, row);
    for (int i = 0; i < 5; ++i) {
      EXPECT_EQ(rows[i] != 0, i < k);
      for (int j = 0; j < n; ++j)
        EXPECT_EQ(C(i, j), i < k ? top(i, j) : T(0));
    }
  }
}

/// Two tiles: C holds rows of the panel under their numbers, chosen of all 2 n candidates.
TYPED_TEST(ReferenceLu, TournamentMatch) {
  using T = TypeParam;
  const int n = 3;
  for (int m2 : {1, 2, 8}) {
    Sample<T> A = shuffledLuProduct<T>(8, n, 1), A2 = shuffledLuProduct<T>(m2, n, 5), C(4, n), C2(4, n);
    std::vector<int> rows(4), rows2(4), ipiv(n);
    tournamentSelect<T>(10, A.tile(), C.tile(), column(rows));
    tournamentSelect<T>(18, A2.tile(), C2.tile(), column(rows2));
    Sample<T> stack(2 * n, n), top = C;
    const int k2 = std::min(m2, n);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n + k2; ++i)
        stack(i, j) = i < n ? C(i, j) : C2(i - n, j);
    const Tile<T> candidates(&stack(0, 0), n + k2, n, 2 * n);
    std::vector<int> best(n), numbers(rows.begin(), rows.begin() + n);
    numbers.insert(numbers.end(), rows2.begin(), rows2.begin() + k2);
    getrf<T>(0, {&candidates, 1}, column(best));
    for (int i = 0; i < n; ++i)
      std::swap(numbers[i], numbers[best[i] - 1]);
    numbers.resize(n);
    numbers.push_back(0);
    tournamentMatch<T>(C.tile(), column(rows), C2.tile(), column(rows2));
    EXPECT_EQ(rows, numbers);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        EXPECT_EQ(C(i, j), rows[i] <= 18 ? A(rows[i] - 11, j) : A2(rows[i] - 19, j));
  }
}

TEST(ReferenceTournament, PivotsFollowRowsThatWereMoved) {
  // Rows 4, 1, 2 of the panel at row 10 come to the top: 1 is at place 4 by then, and 2 at place 4 after that.
  std::vector<int> rows{14, 11, 12}, ipiv(4);
  tournamentPivots<double>(10, column(rows), {nullptr, 3, 3, 3}, column(ipiv));
  EXPECT_EQ(ipiv, (std::vector<int>{14, 14, 14, 14}));
}
} // namespace
