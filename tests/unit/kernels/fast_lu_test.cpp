// The bodies of the LU kernels, recursions over products, against the reference bodies. Sizes lie on both sides of
// every leaf.
#include "tests/unit/kernels/panel_samples.hpp"
#include "tests/unit/kernels/products_fixture.hpp"
#include "tests/unit/kernels/two_threads.hpp"

using namespace tla;
using namespace tla::test;

namespace {
template <typename T> class FastLu : public ProductsTest<T> {};
TYPED_TEST_SUITE(FastLu, Types);

Tile<int> column(std::vector<int> &x) {
  const int m = static_cast<int>(x.size());
  return {x.data(), m, 1, std::max(1, m)};
}

/// Factors A as a panel with both bodies: pivots and info must be equal, factors nearly so.
template <typename T> void compareGetrf(Sample<T> A, int height, Layout layout, double tolerance) {
  const int k = std::min(A.m(), A.n());
  std::vector<int> ipiv(k, -1), expectedPivots(k, -1);
  PanelSample<T> expected(A, tileHeights(A.m(), height), layout), actual(A, tileHeights(A.m(), height), layout);
  const int expectedInfo = tla::getrf<T>(7, expected.panel(), column(expectedPivots));
  SCOPED_TRACE(testing::Message() << A.m() << " x " << A.n() << " tiles of " << height << " layout " << int(layout));
  EXPECT_EQ(bodies<T>().getrf.body(7, actual.panel(), column(ipiv)), expectedInfo);
  EXPECT_EQ(ipiv, expectedPivots);
  Sample<T> x = expected.whole(), y = actual.whole();
  expectNear(x, y, tolerance);
}

TYPED_TEST(FastLu, Getrf) {
  using T = TypeParam;
  for (int m : {0, 1, 7, 8, 9, 31, 90, 300})
    for (int n : {0, 1, 2, 7, 8, 9, 16, 17, 33, 100})
      for (const auto &[height, layout] : {std::pair(1000, Layout::Separate), std::pair(100, Layout::OneArray),
                                           std::pair(100, Layout::Separate), std::pair(20, Layout::Separate)})
        compareGetrf(shuffledLuProduct<T>(m, n, 1), height, layout, this->tolerance(n));
  compareGetrf(shuffledLuProduct<T>(200, 60, 1), 45, Layout::Mixed, this->tolerance(60));
}

/// To the last bit: on one node a panel may be part of an array, on several its tiles come from all of them.
TYPED_TEST(FastLu, GetrfIsTheSameWhereverTheTilesLie) {
  using T = TypeParam;
  for (int m : {33, 107, 250})
    for (int n : {8, 33, 52, 100})
      for (int height : {40, 81, 110}) {
        const Sample<T> A = randomSample<T>(m, n, 1, m);
        std::vector<int> ipiv(std::min(m, n));
        PanelSample<T> array(A, tileHeights(m, height), Layout::OneArray);
        bodies<T>().getrf.body(0, array.panel(), column(ipiv));
        Sample<T> expected = array.whole();
        for (Layout layout : {Layout::Separate, Layout::Mixed}) {
          SCOPED_TRACE(testing::Message() << m << " x " << n << " tiles of " << height << " layout " << int(layout));
          PanelSample<T> tiles(A, tileHeights(m, height), layout);
          bodies<T>().getrf.body(0, tiles.panel(), column(ipiv));
          Sample<T> actual = tiles.whole();
          expectNear(actual, expected, 0);
        }
      }
}

/// The result is the same to the last bit, whoever helps.
TYPED_TEST(FastLu, GetrfIsTheSameWithHelp) {
  using T = TypeParam;
  for (const auto &[m, n] : {std::pair(1700, 33), {1700, 130}, {700, 100}, {130, 700}})
    for (int height : {90, 140, 3000})
      for (Layout layout : {Layout::OneArray, Layout::Separate}) {
        SCOPED_TRACE(testing::Message() << m << " x " << n << " tiles of " << height << " layout " << int(layout));
        const Sample<T> A = randomSample<T>(m, n, 1, m);
        std::vector<int> ipiv(std::min(m, n)), expectedPivots = ipiv;
        PanelSample<T> alone(A, tileHeights(m, height), layout), helped(A, tileHeights(m, height), layout);
        bodies<T>().getrf.body(0, alone.panel(), column(expectedPivots));
        TwoThreads crew;
        bodies<T>().getrf.body(0, helped.panel(), column(ipiv));
        crew.leave();
        EXPECT_EQ(ipiv, expectedPivots);
        Sample<T> expected = alone.whole(), actual = helped.whole();
        expectNear(expected, actual, 0);
        if (m > n) {
          EXPECT_EQ(crew.kernels, 1);
          EXPECT_GT(crew.rounds, 0);
        }
      }
}

/// The first of many equal elements is the pivot, wherever it lies in a vector.
TYPED_TEST(FastLu, GetrfTakesTheFirstOfEqualPivots) {
  using T = TypeParam;
  for (int first : {0, 3, 8, 11, 40, 77, 99}) {
    Sample<T> A = randomSample<T>(100, 1, 1, 1);
    for (int i = first; i < 100; i += 2)
      A(i, 0) = T(i % 3 ? 3 : -3);
    compareGetrf(A, 30, Layout::Separate, this->tolerance(1));
  }
}

TYPED_TEST(FastLu, GetrfGoesOnBehindZeroPivots) {
  using T = TypeParam;
  for (int n : {1, 5, 8, 20, 50})
    for (int zero : {0, 3, 7, 8, 19, 33, 49}) {
      if (zero >= n)
        continue;
      Sample<T> A = shuffledLuProduct<T>(60, n, 1);
      for (int i = 0; i < 60; ++i)
        A(i, zero) = T(0);
      compareGetrf(A, 60, Layout::OneArray, this->tolerance(n));
    }
}

TYPED_TEST(FastLu, GetrfDividesByTinyPivots) {
  using T = TypeParam;
  const RealType<T> tiny = std::numeric_limits<RealType<T>>::min();
  for (int column : {0, 1, 7}) {
    Sample<T> A(40, 8, 1);
    A.fill(T(0));
    for (int j = 0; j < 8; ++j)
      A(j, j) = T(1);
    for (int i = column; i < 40; ++i)
      A(i, column) = T(i == column + 2 ? tiny / 4 : tiny / 8); // the reciprocal overflows
    compareGetrf(A, 40, Layout::OneArray, 0);
  }
}

TYPED_TEST(FastLu, GetrfTreatsNanAsBlasDoes) {
  using T = TypeParam;
  for (int row : {0, 1, 9, 20, 39})
    for (int j : {0, 1, 5}) {
      Sample<T> A = shuffledLuProduct<T>(40, 6, 1);
      A(row, j) = nan<T>();
      compareGetrf(A, 40, Layout::OneArray, this->tolerance(6));
    }
}

TYPED_TEST(FastLu, LaswpRefusesPivotsThatAreNoRows) {
  using T = TypeParam;
  const int row = 10;
  for (Layout layout : layouts)
    for (const int pivot : {10, 17, 0, -1, 2147483647, -2147483647}) {
      Sample<T> A = randomSample<T>(6, 3, 1, 1);
      PanelSample<T> panel(A, {2, 3, 1}, layout);
      std::vector<int> ipiv{16, pivot};
      EXPECT_THROW((bodies<T>().laswp.body(row, column(ipiv), 1, panel.panel())), std::out_of_range) << pivot;
    }
}

TYPED_TEST(FastLu, Laswp) {
  using T = TypeParam;
  std::mt19937 random(1);
  for (int n : {0, 1, 7, 8, 9, 40})
    for (int k : {0, 1, 20, 33})
      for (int inc : {1, -1})
        for (Layout layout : layouts) {
          std::vector<int> ipiv(k);
          for (int i = 0; i < k; ++i)
            ipiv[i] = 3 + 1 + i + static_cast<int>(random() % (75 - i));
          Sample<T> A = randomSample<T>(75, n, 2, 1);
          const std::vector<int> heights{20, 5, 30, 1, 19};
          PanelSample<T> expected(A, heights, layout), actual(A, heights, layout);
          tla::laswp<T>(3, column(ipiv), inc, expected.panel());
          bodies<T>().laswp.body(3, column(ipiv), inc, actual.panel());
          Sample<T> x = expected.whole(), y = actual.whole();
          expectNear(x, y, 0);
          const int half = k / 2;
          const Tile<int> parts[] = {Tile<int>(ipiv.data(), half, 1, std::max(1, half)),
                                     Tile<int>(ipiv.data() + half, k - half, 1, std::max(1, k - half))};
          PanelSample<T> all(A, heights, layout);
          bodies<T>().laswpAll.body(3, ConstPanel<int>(parts, 2), inc, all.panel());
          Sample<T> z = all.whole();
          expectNear(x, z, 0);
        }
}

TYPED_TEST(FastLu, GetrfNopiv) {
  using T = TypeParam;
  for (int m : {0, 1, 16, 17, 60, 140})
    for (int n : {0, 1, 16, 17, 60, 140}) {
      Sample<T> A = luProduct<T>(m, n, 1), expected = A;
      EXPECT_EQ(tla::getrf_nopiv<T>(expected.tile()), 0);
      EXPECT_EQ(bodies<T>().getrf_nopiv.body(A.tile()), 0);
      SCOPED_TRACE(testing::Message() << m << " x " << n);
      expectNear(expected, A, this->tolerance(n));
    }
  for (int j : {1, 16, 17, 40}) {
    Sample<T> A(40, 40);
    A.fill(T(0));
    for (int i = 0; i < 40; ++i)
      A(i, i) = T(i + 1 != j);
    EXPECT_EQ(bodies<T>().getrf_nopiv.body(A.tile()), j);
  }
}

TYPED_TEST(FastLu, Tournament) {
  using T = TypeParam;
  const int n = 20;
  for (int m2 : {5, 20, 70}) {
    Sample<T> A = shuffledLuProduct<T>(60, n, 1), A2 = shuffledLuProduct<T>(m2, n, 5);
    Sample<T> C(n, n), C2(n, n), expected(n, n), expected2(n, n);
    std::vector<int> rows(n), rows2(n), expectedRows(n), expectedRows2(n);
    bodies<T>().tournamentSelect.body(10, A.tile(), C.tile(), column(rows));
    bodies<T>().tournamentSelect.body(70, A2.tile(), C2.tile(), column(rows2));
    tla::tournamentSelect<T>(10, A.tile(), expected.tile(), column(expectedRows));
    tla::tournamentSelect<T>(70, A2.tile(), expected2.tile(), column(expectedRows2));
    EXPECT_EQ(rows, expectedRows);
    EXPECT_EQ(rows2, expectedRows2);
    expectNear(expected2, C2, 0);
    bodies<T>().tournamentMatch.body(C.tile(), column(rows), C2.tile(), column(rows2));
    tla::tournamentMatch<T>(expected.tile(), column(expectedRows), expected2.tile(), column(expectedRows2));
    EXPECT_EQ(rows, expectedRows);
    expectNear(expected, C, 0);
  }
}
} // namespace
