// LU without pivoting and the interchanges of rows on a CUDA device against the reference bodies.
#include "tests/unit/kernels/cuda/cuda_fixture.hpp"
#include "tests/unit/kernels/panel_samples.hpp"

using namespace tla;
using namespace tla::test;

namespace {
template <typename T> class CudaLu : public CudaTest<T> {};
TYPED_TEST_SUITE(CudaLu, Types);

struct Shape {
  int m, n;
};

TYPED_TEST(CudaLu, GetrfNopiv) {
  using T = TypeParam;
  for (const auto &[m, n] : {Shape{0, 3}, {1, 1}, {31, 31}, {33, 40}, {70, 33}, {130, 130}, {40, 100}}) {
    Sample<T> A = luProduct<T>(m, n, 1);
    Sample<T> expected = A;
    EXPECT_EQ(reference::getrf_nopiv<T>(expected.tile()), 0);
    EXPECT_EQ(this->runOn([&](auto a) { cuda::getrf_nopiv<T>(a); }, A), 0);
    SCOPED_TRACE(testing::Message() << m << " x " << n);
    expectNear(expected, A, this->tolerance(m));
  }
}

TYPED_TEST(CudaLu, GetrfNopivInfoIsTheFirstZeroPivot) {
  using T = TypeParam;
  for (int j : {1, 16, 33, 70}) {
    Sample<T> A(70, 70);
    A.fill(T(0));
    for (int i = 0; i < 70; ++i)
      A(i, i) = i == j - 1 || i == 69 ? T(0) : T(2);
    EXPECT_EQ(this->runOn([&](auto a) { cuda::getrf_nopiv<T>(a); }, A), j);
  }
}

TYPED_TEST(CudaLu, Getrf) {
  using T = TypeParam;
  const int row = 100;
  for (const auto &[m, n] :
       {Shape{1, 1}, {1100, 3}, {31, 31}, {33, 40}, {70, 33}, {300, 64}, {1100, 130}, {600, 300}, {270, 300}})
    for (int height : {1, 31, 64, 2000}) {
      if ((n == 300 && height == 31) || (n != 3 && height == 1)) // of height 1 more tiles than one kernel takes
        continue;
      SCOPED_TRACE(testing::Message() << m << " x " << n << " in tiles of " << height);
      std::optional<PanelsByCuSolver> scope;
      if (height == 64 && m < 1000)
        scope.emplace();
      Sample<T> A = randomSample<T>(m, n, 2, 1);
      Sample<int> ipiv(std::min(m, n), 1, 1), expectedPivots = ipiv;
      PanelSample<T> expected(A, tileHeights(m, height), Layout::Separate);
      EXPECT_EQ(reference::getrf<T>(row, expected.panel(), expectedPivots.tile()), 0);
      const int info = this->runOn(
          [&](Tile<int> pivots, Tile<T> a) {
            const std::vector<Tile<T>> tiles = tilesOf(a, height);
            cuda::getrf<T>(row, Panel<T>(tiles.data(), static_cast<int>(tiles.size())), pivots);
          },
          ipiv, A);
      EXPECT_EQ(info, 0);
      for (int i = 0; i < ipiv.m(); ++i)
        ASSERT_EQ(ipiv(i, 0), expectedPivots(i, 0)) << i;
      Sample<T> whole = expected.whole();
      expectNear(whole, A, this->tolerance(8 * m));
    }
}

/// A pivot whose inverse is no number.
TYPED_TEST(CudaLu, GetrfOfTinyNumbers) {
  using T = TypeParam;
  using R = RealType<T>;
  Sample<T> A = randomSample<T>(40, 1, 0, 1), tiny = A;
  for (int i = 0; i < 40; ++i)
    tiny(i, 0) *= std::numeric_limits<R>::min() / 16;
  Sample<int> ipiv(1, 1), ofTiny(1, 1);
  const auto factor = [](Tile<int> pivots, Tile<T> a) {
    const Tile<T> there[] = {a};
    cuda::getrf<T>(0, Panel<T>(there, 1), pivots);
  };
  this->runOn(factor, ipiv, A);
  this->runOn(factor, ofTiny, tiny);
  EXPECT_EQ(ipiv(0, 0), ofTiny(0, 0));
  for (int i = 1; i < 40; ++i)
    EXPECT_NEAR(std::abs(A(i, 0) - tiny(i, 0)), 0, 64 * epsilon<T>() * 16) << i; // digits that tiny ones do not have
}

/// Behind a column of zeros the factorization goes on.
TYPED_TEST(CudaLu, GetrfInfoIsTheFirstZeroPivot) {
  using T = TypeParam;
  for (int zero : {0, 16, 33, 69}) {
    SCOPED_TRACE(zero);
    Sample<T> A = randomSample<T>(90, 70, 0, 1);
    for (int i = 0; i < 90; ++i)
      A(i, zero) = T(0);
    Sample<int> ipiv(70, 1), expectedPivots = ipiv;
    Sample<T> expected = A;
    const Tile<T> tiles[] = {expected.tile()};
    EXPECT_EQ(reference::getrf<T>(0, Panel<T>(tiles, 1), expectedPivots.tile()), zero + 1);
    EXPECT_EQ(this->runOn(
                  [&](Tile<int> pivots, Tile<T> a) {
                    const Tile<T> there[] = {a};
                    cuda::getrf<T>(0, Panel<T>(there, 1), pivots);
                  },
                  ipiv, A),
              zero + 1);
    expectNear(expected, A, this->tolerance(8 * 90));
  }
}

/// Panels of m rows in tiles of `height`, k pivots; more pivots than one step takes, rows that are met twice.
TYPED_TEST(CudaLu, Laswp) {
  using T = TypeParam;
  struct Case {
    int m, n, height, k;
  };
  const int row = 100;
  for (const Case &c : {Case{1, 3, 1, 1}, {30, 5, 7, 10}, {64, 40, 64, 64}, {300, 9, 100, 90}, {1400, 3, 500, 1100}})
    for (int inc : {1, -1}) {
      SCOPED_TRACE(testing::Message() << c.m << " rows, " << c.k << " pivots, inc " << inc);
      Sample<int> ipiv(c.k, 1, 1);
      std::mt19937 random(c.m);
      for (int i = 0; i < c.k; ++i)
        ipiv(i, 0) = row + 1 + std::uniform_int_distribution<int>(i, std::min(c.m - 1, i + c.m / 4))(random);
      Sample<T> A = randomSample<T>(c.m, c.n, 0, 1);
      PanelSample<T> expected(A, tileHeights(c.m, c.height), Layout::Separate);
      reference::laswp<T>(row, ipiv.tile(), inc, expected.panel());
      this->runOn(
          [&](Tile<int> pivots, Tile<T> a) {
            const std::vector<Tile<T>> tiles = tilesOf(a, c.height);
            cuda::laswp<T>(row, pivots, inc, Panel<T>(tiles.data(), static_cast<int>(tiles.size())));
          },
          ipiv, A);
      Sample<T> whole = expected.whole();
      expectNear(whole, A, 0);
    }
}
} // namespace
