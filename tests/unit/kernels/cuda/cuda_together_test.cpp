// Kernels whose blocks wait for each other, with a thread of the host for each of the device, so that ThreadSanitizer
// finds what no barrier orders: in each of them a panel of several blocks.
#include "tests/unit/kernels/cuda/cuda_fixture.hpp"

using namespace tla;
using namespace tla::test;

namespace {
template <typename T> class CudaTogether : public CudaTest<T> {};
using Two = ::testing::Types<double, std::complex<float>>;
TYPED_TEST_SUITE(CudaTogether, Two);

TYPED_TEST(CudaTogether, Getrf) {
  using T = TypeParam;
  const int m = 520, n = 34;
  Sample<T> A = randomSample<T>(m, n, 2, 1), expected = A;
  Sample<int> ipiv(n, 1, 1), expectedPivots = ipiv;
  const Tile<T> whole[] = {expected.tile()};
  EXPECT_EQ(reference::getrf<T>(0, Panel<T>(whole, 1), expectedPivots.tile()), 0);
  this->runOn(
      [](Tile<int> pivots, Tile<T> a) {
        const Tile<T> there[] = {a};
        cuda::getrf<T>(0, Panel<T>(there, 1), pivots);
      },
      ipiv, A);
  for (int i = 0; i < n; ++i)
    ASSERT_EQ(ipiv(i, 0), expectedPivots(i, 0)) << i;
  expectNear(expected, A, this->tolerance(8 * m));
}

TYPED_TEST(CudaTogether, Geqrt) {
  using T = TypeParam;
  const int m = 270, n = 18;
  Sample<T> A = randomSample<T>(m, n, 2, 1), expected = A, W(n, n, 1), expectedW = W;
  reference::geqrt<T>(n, expected.tile(), expectedW.tile());
  this->runOn([n](auto a, auto w) { cuda::geqrt<T>(n, a, w); }, A, W);
  expectNear(expected, A, this->tolerance(m + n));
  expectNear(expectedW, W, this->tolerance(m + n));
}

TYPED_TEST(CudaTogether, Tsqrt) {
  using T = TypeParam;
  const int m = 270, n = 18;
  Sample<T> R = randomSample<T>(n, n, 1, 2), A = randomSample<T>(m, n, 2, 1), W(n, n, 1);
  Sample<T> expectedR = R, expected = A, expectedW = W;
  reference::tsqrt<T>(n, expectedR.tile(), expected.tile(), expectedW.tile());
  this->runOn([n](auto r, auto a, auto w) { cuda::tsqrt<T>(n, r, a, w); }, R, A, W);
  expectNear(expectedR, R, this->tolerance(m + n));
  expectNear(expected, A, this->tolerance(m + n));
  expectNear(expectedW, W, this->tolerance(m + n));
}
} // namespace
