// The tile kernels of QR on a CUDA device against the reference bodies, with NaN where they must not look. Sizes lie on
// both sides of the columns that are factored one by one, and of the rows of one thread block.
#include "tests/unit/kernels/cuda/cuda_fixture.hpp"
#include "tests/unit/kernels/qr_cases.hpp"

#include <tla/kernels/kernels.hpp>

using namespace tla;
using namespace tla::test;

namespace {
template <typename T> class CudaQr : public CudaTest<T> {};
TYPED_TEST_SUITE(CudaQr, Types);

struct Shape {
  int m, n;
};
constexpr Shape shapes[] = {{0, 3},   {3, 0},   {1, 1},   {1, 4},    {5, 1},   {12, 5},
                            {17, 40}, {70, 66}, {80, 65}, {90, 100}, {530, 40}};
constexpr int blockSizes[] = {5, 48, 1000};
/// Several thread blocks take the host a while.
bool isTooLong(const Shape &shape, int ib) { return shape.m > 300 && ib != 48; }

TYPED_TEST(CudaQr, GeqrtAndUnmqr) {
  using T = TypeParam;
  for (const auto &[m, n] : shapes)
    for (int ib : blockSizes) {
      if (isTooLong({m, n}, ib))
        continue;
      SCOPED_TRACE(testing::Message() << m << " x " << n << ", ib " << ib);
      const int k = std::min(m, n);
      Sample<T> A = randomSample<T>(m, n, 2, 1), expected = A, W(std::min(ib, k), k, 1), expectedW = W;
      reference::geqrt<T>(ib, expected.tile(), expectedW.tile());
      this->runOn([ib = ib](auto a, auto w) { cuda::geqrt<T>(ib, a, w); }, A, W);
      expectNear(expected, A, this->tolerance(m + n));
      expectNear(expectedW, W, this->tolerance(m + n));
      A.poisonOther(Uplo::Lower, Diag::Unit);
      for (Op op : {Op::NoTrans, Op::ConjTrans})
        for (int columns : {0, 1, 30}) {
          Sample<T> C = randomSample<T>(m, columns, 1, 2), expectedC = C;
          reference::unmqr<T>(op, ib, A.tile(), W.tile(), expectedC.tile());
          this->runOn([op, ib = ib](auto a, auto w, auto c) { cuda::unmqr<T>(op, ib, a, w, c); }, A, W, C);
          expectNear(expectedC, C, this->tolerance(m));
        }
    }
}

/// However columns are halved.
TYPED_TEST(CudaQr, GeqrtOfManyWidths) {
  using T = TypeParam;
  for (int n : {32, 33, 63, 64, 65, 95, 96, 97, 127, 129}) {
    SCOPED_TRACE(n);
    Sample<T> A = randomSample<T>(n + 3, n, 2, 1), expected = A, W(n, n, 1), expectedW = W;
    reference::geqrt<T>(n, expected.tile(), expectedW.tile());
    this->runOn([n](auto a, auto w) { cuda::geqrt<T>(n, a, w); }, A, W);
    expectNear(expected, A, this->tolerance(2 * n));
    expectNear(expectedW, W, this->tolerance(2 * n));
  }
}

/// More rows than the blocks of a device that the host plays have room for.
TYPED_TEST(CudaQr, GeqrtOfManyRows) {
  using T = TypeParam;
  const int m = 14000, n = 3;
  Sample<T> A = randomSample<T>(m, n, 2, 1), expected = A, W(n, n, 1), expectedW = W;
  reference::geqrt<T>(n, expected.tile(), expectedW.tile());
  this->runOn([](auto a, auto w) { cuda::geqrt<T>(3, a, w); }, A, W);
  expectNear(expected, A, this->tolerance(m));
  expectNear(expectedW, W, this->tolerance(m));
}

TYPED_TEST(CudaQr, TsqrtAndTsmqr) {
  using T = TypeParam;
  for (const Shape &shape : shapes)
    for (int ib : blockSizes) {
      if (isTooLong(shape, ib))
        continue;
      SCOPED_TRACE(testing::Message() << shape.m << " x " << shape.n << ", ib " << ib);
      comparePair<T>(*this, shape.m, shape.n, ib, false, cuda::tsqrt<T>, reference::tsqrt<T>, cuda::tsmqr<T>,
                     reference::tsmqr<T>);
    }
}

TYPED_TEST(CudaQr, TtqrtAndTtmqr) {
  using T = TypeParam;
  for (const Shape &shape : shapes)
    for (int ib : blockSizes) {
      if (isTooLong(shape, ib))
        continue;
      SCOPED_TRACE(testing::Message() << shape.m << " x " << shape.n << ", ib " << ib);
      comparePair<T>(*this, shape.m, shape.n, ib, true, cuda::ttqrt<T>, reference::ttqrt<T>, cuda::ttmqr<T>,
                     reference::ttmqr<T>);
    }
}

/// Triangles of which one thread block has not all rows.
TYPED_TEST(CudaQr, TtqrtOfSeveralBlocks) {
  using T = TypeParam;
  comparePair<T>(*this, 270, 270, 64, true, cuda::ttqrt<T>, reference::ttqrt<T>, cuda::ttmqr<T>, reference::ttmqr<T>);
}

/// A panel's QR, and its triangular factor from the vectors again; a column of zeros has a reflector that is none.
TYPED_TEST(CudaQr, GeqrfAndLarft) {
  using T = TypeParam;
  for (const auto &[m, n] : {Shape{1, 1}, {40, 16}, {70, 33}, {9, 20}, {300, 64}})
    for (int height : {7, 16, 1000})
      for (bool zeros : {false, true}) {
        SCOPED_TRACE(testing::Message() << m << " x " << n << " in tiles of " << height << (zeros ? ", zeros" : ""));
        std::optional<PanelsByCuSolver> scope;
        if (height == 16)
          scope.emplace();
        const int k = std::min(m, n);
        Sample<T> A = randomSample<T>(m, n, 1, 1), tau(k, 1), W(k + 1, k + 2, 1);
        for (int j = 0; j < n && zeros; j += 3)
          for (int i = 0; i < m; ++i)
            A(i, j) = T(0);
        Sample<T> expected = A, expectedTau = tau, expectedW = W, again = W;
        const Tile<T> whole[] = {expected.tile()};
        reference::geqrf<T>(Panel<T>(whole, 1), expectedTau.tile(), expectedW.tile());
        this->runOn(
            [height = height](auto a, auto t, auto w) {
              const std::vector<Tile<T>> tiles = tilesOf(a, height);
              cuda::geqrf<T>(Panel<T>(tiles.data(), static_cast<int>(tiles.size())), t, w);
            },
            A, tau, W);
        expectNear(expected, A, this->tolerance(m + n));
        expectNear(expectedTau, tau, this->tolerance(m + n));
        expectNear(expectedW, W, this->tolerance(m + n));
        A.poisonOther(Uplo::Lower, Diag::Unit);
        this->runOn(
            [height = height](auto a, auto t, auto w) {
              const std::vector<Tile<T>> tiles = tilesOf(a, height);
              cuda::larft<T>(ConstPanel<T>(tiles.data(), static_cast<int>(tiles.size())), t, w);
            },
            A, tau, again);
        expectNear(expectedW, again, this->tolerance(m + n));
      }
}

/// The vectors of the first columns reach from the first tile into the next where k is more than its rows.
TYPED_TEST(CudaQr, Larfb) {
  using T = TypeParam;
  for (const auto &[m, n] : {Shape{40, 16}, {70, 33}, {9, 20}})
    for (int height : {7, 16, 1000})
      for (Op op : {Op::NoTrans, Op::ConjTrans}) {
        const int k = std::min(m, n);
        Sample<T> V = randomSample<T>(m, n, 1, 1), W(k, k, 1), C = randomSample<T>(m, 20, 2, 2);
        reference::geqrt<T>(k, V.tile(), W.tile());
        Sample<T> expected = C;
        reference::unmqr<T>(op, k, V.tile(), W.tile(), expected.tile());
        W.poisonOther(Uplo::Upper);
        V.poisonOther(Uplo::Lower, Diag::Unit);
        this->runOn(
            [op, height = height](auto v, auto w, auto c) {
              const std::vector<Tile<T>> vs = tilesOf(v, height), cs = tilesOf(c, height);
              const int mt = static_cast<int>(vs.size());
              cuda::larfb<T>(op, ConstPanel<T>(vs.data(), mt), w, Panel<T>(cs.data(), mt));
            },
            V, W, C);
        expectNear(expected, C, this->tolerance(m));
      }
}

/// Sums of squares overflow or vanish here.
TYPED_TEST(CudaQr, ExtremeScales) {
  using T = TypeParam;
  compareExtremeScales<T>(*this, {1, 20}, cuda::geqrt<T>, reference::geqrt<T>);
}

/// The second column keeps so little of itself that its squares vanish, or nearly: Q is unitary, and A = Q R up to
/// that.
TYPED_TEST(CudaQr, LittleIsLeftOfAColumn) {
  using T = TypeParam;
  using R = RealType<T>;
  std::vector<T> directions = {T(1)};
  if constexpr (isComplex<T>)
    directions.push_back(T(0, 1));
  for (const T direction : directions)
    for (int power = 0; power < std::numeric_limits<R>::max_exponent10; power += 2) {
      const R little = std::pow(R(10), -R(power));
      SCOPED_TRACE(little);
      Sample<T> A(3, 2), W(2, 2), Q(3, 3);
      A(0, 0) = A(0, 1) = T(1);
      A(1, 0) = A(2, 0) = T(0);
      A(1, 1) = A(2, 1) = little * direction;
      this->runOn([](auto a, auto w) { cuda::geqrt<T>(2, a, w); }, A, W);
      for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i)
          Q(i, j) = T(i == j);
      this->runOn([](auto a, auto w, auto q) { cuda::unmqr<T>(Op::NoTrans, 2, a, w, q); }, A, W, Q);
      const R tolerance = 64 * epsilon<T>();
      for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i) {
          T product(0);
          for (int k = 0; k < 3; ++k)
            product += reference::conjugate(Q(k, i)) * Q(k, j);
          ASSERT_LE(std::abs(product - T(i == j)), tolerance) << i << ", " << j;
        }
      for (int i = 0; i < 3; ++i) {
        const T expected = i == 0 ? T(1) : little * direction, product = Q(i, 0) * A(0, 1) + Q(i, 1) * A(1, 1);
        ASSERT_LE(std::abs(product - expected), tolerance) << i;
      }
    }
}

TYPED_TEST(CudaQr, NanAndInfinityEnd) {
  using T = TypeParam;
  for (T bad : {nan<T>(), T(std::numeric_limits<RealType<T>>::infinity())}) {
    Sample<T> A = randomSample<T>(60, 40, 0, 1), W(16, 40);
    A(3, 1) = bad;
    this->runOn([](auto a, auto w) { cuda::geqrt<T>(16, a, w); }, A, W);
    EXPECT_FALSE(std::isfinite(std::abs(A(39, 39))));
  }
}

TYPED_TEST(CudaQr, CopyUnitLower) {
  using T = TypeParam;
  for (Shape shape : {Shape{5, 3}, Shape{3, 5}, Shape{4, 4}, Shape{0, 2}}) {
    Sample<T> A = randomSample<T>(6, 6, 1, 1), B(shape.m, shape.n, 2);
    A.poisonOther(Uplo::Lower, Diag::Unit);
    Sample<T> expected = B;
    reference::copyUnitLower<T>(A.tile(), expected.tile());
    this->runOn([](auto a, auto b) { cuda::copyUnitLower<T>(a, b); }, A, B);
    expectNear(expected, B, 0);
  }
}
} // namespace
