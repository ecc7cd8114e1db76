// The bodies for triangular tiles on a CUDA device against the reference bodies.
#include "tests/unit/kernels/cuda/cuda_fixture.hpp"
#include "tests/unit/kernels/triangular_cases.hpp"

using namespace tla;
using namespace tla::test;

namespace {
template <typename T> class CudaTriangular : public CudaTest<T> {};
TYPED_TEST_SUITE(CudaTriangular, Types);

constexpr int sizes[] = {0, 1, 2, 33, 140};

TYPED_TEST(CudaTriangular, Potrf) {
  using T = TypeParam;
  for (Uplo uplo : uplos)
    for (int n : sizes) {
      Sample<T> A = randomSample<T>(n, n, 2, 1);
      A.makePositive();
      A.poisonOther(uplo);
      Sample<T> expected = A;
      EXPECT_EQ(reference::potrf<T>(uplo, expected.tile()), 0);
      EXPECT_EQ(this->runOn([&](auto a) { cuda::potrf<T>(uplo, a); }, A), 0);
      expectNear(expected, A, this->tolerance(n));
    }
}

TYPED_TEST(CudaTriangular, PotrfInfo) {
  using T = TypeParam;
  for (Uplo uplo : uplos)
    for (int j : {1, 17, 40}) {
      Sample<T> A(40, 40);
      A.fill(T(0));
      for (int i = 0; i < 40; ++i)
        A(i, i) = i == j - 1 ? T(-1) : T(2);
      EXPECT_EQ(this->runOn([&](auto a) { cuda::potrf<T>(uplo, a); }, A), j);
    }
}

TYPED_TEST(CudaTriangular, Trtri) {
  using T = TypeParam;
  compareInverses<T>(*this, sizes, cuda::trtri<T>, reference::trtri<T>);
}

TYPED_TEST(CudaTriangular, TrtriLeavesASingularTileAsItIs) {
  using T = TypeParam;
  expectSingularStays<T>(*this, cuda::trtri<T>);
  expectSingularStays<T>(*this, [](Uplo, Diag, auto x) { cuda::requireNonsingular<T>(x); });
}

TYPED_TEST(CudaTriangular, Lauum) {
  using T = TypeParam;
  compareSquares<T>(*this, sizes, cuda::lauum<T>, reference::lauum<T>);
}

TYPED_TEST(CudaTriangular, ScaleByPivots) {
  using T = TypeParam;
  Sample<T> A = randomSample<T>(20, 20, 1, 1), B = randomSample<T>(30, 20, 2, 2), W(30, 20);
  A.makeDominant();
  Sample<T> expectedB = B, expectedW = W;
  reference::scaleByPivots<T>(A.tile(), expectedB.tile(), expectedW.tile());
  this->runOn([&](auto a, auto b, auto w) { cuda::scaleByPivots<T>(a, b, w); }, A, B, W);
  expectNear(expectedB, B, this->tolerance(1));
  expectNear(expectedW, W, 0);
}
} // namespace
