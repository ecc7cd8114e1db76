// The recursive QR bodies against the reference bodies, and the panels against LAPACK's. Sizes lie on both sides of the
// leaf, of the strips and of the blocks.
#include "tests/unit/kernels/products_fixture.hpp"
#include "tests/unit/kernels/qr_cases.hpp"
#include "tests/unit/kernels/qr_samples.hpp"
#include "tests/unit/kernels/two_threads.hpp"

#include <thread>

using namespace tla;
using namespace tla::test;

extern "C" {
void sgeqrf_(const int *, const int *, void *, const int *, void *, void *, const int *, int *);
void dgeqrf_(const int *, const int *, void *, const int *, void *, void *, const int *, int *);
void cgeqrf_(const int *, const int *, void *, const int *, void *, void *, const int *, int *);
void zgeqrf_(const int *, const int *, void *, const int *, void *, void *, const int *, int *);
}

namespace {
template <typename T> class FastQr : public ProductsTest<T> {
public:
  static double tolerance(int m) { return 32 * (m + 4) * epsilon<T>(); }
};
TYPED_TEST_SUITE(FastQr, Types);

template <typename T> void lapackGeqrf(Sample<T> &A, Sample<T> &tau) {
  const auto geqrf = std::is_same_v<T, float>         ? sgeqrf_
                     : std::is_same_v<T, double>      ? dgeqrf_
                     : isComplex<T> && sizeof(T) == 8 ? cgeqrf_
                                                      : zgeqrf_;
  const int m = A.m(), n = A.n(), ld = A.tile().ld(), size = 64 * std::max(1, n);
  std::vector<T> work(size);
  int info = 0;
  geqrf(&m, &n, A.tile().data(), &ld, tau.tile().data(), work.data(), &size, &info);
  EXPECT_EQ(info, 0);
}

/// The reference factor of the vectors and taus at hand.
template <typename T> Sample<T> factorOf(Sample<T> &V, Sample<T> &tau) {
  PanelSample<T> panel(V, 1000, true);
  Sample<T> W(tau.m(), tau.m(), 1);
  tla::larft<T>(panel.panel(), tau.tile(), W.tile());
  return W;
}

struct Shape {
  int m, n;
};
constexpr Shape shapes[] = {{0, 0},    {0, 3},     {3, 0},     {1, 1},    {1, 4},    {5, 1},
                            {8, 8},    {9, 9},     {12, 5},    {40, 17},  {17, 40},  {70, 66},
                            {200, 33}, {300, 130}, {130, 300}, {601, 20}, {2100, 40}};

/// The result is the same to the last bit, whoever helps.
TYPED_TEST(FastQr, GeqrfIsTheSameWithHelp) {
  using T = TypeParam;
  for (const auto &[m, n] : {Shape{3000, 20}, {2100, 130}, {1100, 40}, {300, 130}})
    for (bool consecutive : {false, true}) {
      SCOPED_TRACE(testing::Message() << m << " x " << n << (consecutive ? ", one array" : ""));
      Sample<T> tau(n, 1), W(n, n, 1), tauHelped(n, 1), WHelped(n, n, 1);
      PanelSample<T> alone(randomSample<T>(m, n, 3, 1), 240, consecutive),
          helped(randomSample<T>(m, n, 3, 1), 240, consecutive);
      bodies<T>().geqrf.body(alone.panel(), tau.tile(), W.tile());
      TwoThreads crew;
      bodies<T>().geqrf.body(helped.panel(), tauHelped.tile(), WHelped.tile());
      crew.leave();
      Sample<T> expected = alone.content(), actual = helped.content();
      expectNear(expected, actual, 0);
      expectNear(tau, tauHelped, 0);
      expectNear(W, WHelped, 0);
      EXPECT_EQ(crew.kernels, 1);
      EXPECT_GT(crew.rounds, m > 1024 || !consecutive ? 0 : -1);
    }
}

TYPED_TEST(FastQr, Geqrf) {
  using T = TypeParam;
  this->withEveryProduct([&] {
    for (const auto &[m, n] : shapes)
      for (bool consecutive : {false, true}) {
        SCOPED_TRACE(testing::Message() << m << " x " << n);
        const int k = std::min(m, n);
        Sample<T> A = randomSample<T>(m, n, 0, 1), tau(k, 1), tauLapack(k, 1), W(k, k, 1);
        PanelSample<T> panel(randomSample<T>(m, n, 3, 1), 24, consecutive);
        bodies<T>().geqrf.body(panel.panel(), tau.tile(), W.tile());
        lapackGeqrf(A, tauLapack);
        Sample<T> ours = panel.content();
        expectNear(A, ours, this->tolerance(m + n));
        expectNear(tauLapack, tau, this->tolerance(m + n));
        Sample<T> expected = factorOf(A, tauLapack);
        expectNear(expected, W, this->tolerance(m + n));
      }
  });
}

TYPED_TEST(FastQr, LarftAndLarfb) {
  using T = TypeParam;
  this->withEveryProduct([&] {
    for (const auto &[m, n] : shapes)
      for (int rows : {7, 24, 1000}) {
        SCOPED_TRACE(testing::Message() << m << " x " << n << ", tiles of " << rows);
        const int k = std::min(m, n);
        Sample<T> A = randomSample<T>(m, n, 0, 1), tau(k, 1);
        lapackGeqrf(A, tau);
        Sample<T> expectedW = factorOf(A, tau), W(k, k, 1);
        PanelSample<T> V(A, rows, rows == 24);
        if (rows == 1000 && m > 0)
          for (int j = 0; j < n; ++j)
            std::fill_n(&V.panel()(0)(0, j), std::min(j + 1, m), nan<T>());
        bodies<T>().larft.body(V.panel(), tau.tile(), W.tile());
        expectNear(expectedW, W, this->tolerance(m));
        W.poisonOther(Uplo::Upper);
        for (Op op : {Op::NoTrans, Op::ConjTrans})
          for (bool consecutive : {false, true}) {
            PanelSample<T> C(randomSample<T>(m, 50, 1, 2), rows, consecutive), expected(C.content(), rows, true);
            tla::larfb<T>(op, V.panel(), W.tile(), expected.panel());
            bodies<T>().larfb.body(op, V.panel(), W.tile(), C.panel());
            Sample<T> x = expected.content(), y = C.content();
            expectNear(x, y, this->tolerance(m));
          }
      }
  });
}

TYPED_TEST(FastQr, CopyUnitLower) {
  using T = TypeParam;
  for (Shape shape : {Shape{5, 3}, Shape{3, 5}, Shape{4, 4}, Shape{0, 2}}) {
    Sample<T> A = randomSample<T>(6, 6, 1, 1), B(shape.m, shape.n, 2);
    A.poisonOther(Uplo::Lower, Diag::Unit);
    Sample<T> expected = B;
    tla::copyUnitLower<T>(A.tile(), expected.tile());
    bodies<T>().copyUnitLower.body(A.tile(), B.tile());
    expectNear(expected, B, 0);
  }
}

constexpr int blockSizes[] = {1, 7, 16, 48, 1000};

TYPED_TEST(FastQr, GeqrtAndUnmqr) {
  using T = TypeParam;
  this->withEveryProduct([&] {
    for (const auto &[m, n] : shapes)
      for (int ib : blockSizes) {
        SCOPED_TRACE(testing::Message() << m << " x " << n << ", ib " << ib);
        const int k = std::min(m, n);
        Sample<T> A = randomSample<T>(m, n, 2, 1), expected = A, W(std::min(ib, k), k, 1), expectedW = W;
        tla::geqrt<T>(ib, expected.tile(), expectedW.tile());
        bodies<T>().geqrt.body(ib, A.tile(), W.tile());
        expectNear(expected, A, this->tolerance(m + n));
        expectNear(expectedW, W, this->tolerance(m + n));
        A.poisonOther(Uplo::Lower, Diag::Unit);
        for (Op op : {Op::NoTrans, Op::ConjTrans})
          for (int columns : {0, 1, 50}) {
            Sample<T> C = randomSample<T>(m, columns, 1, 2), expectedC = C;
            tla::unmqr<T>(op, ib, A.tile(), W.tile(), expectedC.tile());
            bodies<T>().unmqr.body(op, ib, A.tile(), W.tile(), C.tile());
            expectNear(expectedC, C, this->tolerance(m));
          }
      }
  });
}

constexpr Shape pairs[] = {{0, 3}, {3, 0}, {1, 1}, {1, 4}, {5, 1}, {17, 17}, {40, 17}, {17, 40}, {70, 66}, {150, 130}};

TYPED_TEST(FastQr, TsqrtAndTsmqr) {
  using T = TypeParam;
  this->withEveryProduct([&] {
    for (const Shape &shape : pairs)
      for (int ib : blockSizes) {
        SCOPED_TRACE(testing::Message() << shape.m << " x " << shape.n << ", ib " << ib);
        comparePair<T>(*this, shape.m, shape.n, ib, false, bodies<T>().tsqrt.body, tla::tsqrt<T>,
                       bodies<T>().tsmqr.body, tla::tsmqr<T>);
      }
  });
}

TYPED_TEST(FastQr, TtqrtAndTtmqr) {
  using T = TypeParam;
  this->withEveryProduct([&] {
    for (const Shape &shape : pairs)
      for (int ib : blockSizes) {
        SCOPED_TRACE(testing::Message() << shape.m << " x " << shape.n << ", ib " << ib);
        comparePair<T>(*this, shape.m, shape.n, ib, true, bodies<T>().ttqrt.body, tla::ttqrt<T>, bodies<T>().ttmqr.body,
                       tla::ttmqr<T>);
      }
  });
}

/// Sums of squares overflow or vanish here.
TYPED_TEST(FastQr, ExtremeScales) {
  using T = TypeParam;
  compareExtremeScales<T>(*this, {1, 5, 20}, bodies<T>().geqrt.body, tla::geqrt<T>);
}

/// Columns of very different sizes: the errors of each are small beside that column.
TYPED_TEST(FastQr, GradedColumns) {
  using T = TypeParam;
  using R = RealType<T>;
  const int m = 50, n = 20;
  Sample<T> A = randomSample<T>(m, n, 0, 1), W(n, n);
  const auto scale = [](int j) { return std::pow(R(10), R(j % 2 ? 6 : -6)); };
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i)
      A(i, j) *= scale(j);
  Sample<T> expected = A, expectedW = W;
  tla::geqrt<T>(n, expected.tile(), expectedW.tile());
  bodies<T>().geqrt.body(n, A.tile(), W.tile());
  for (int j = 0; j < n; ++j)
    for (int i = 0; i <= j; ++i) {
      A(i, j) /= scale(j);
      expected(i, j) /= scale(j);
    }
  expectNear(expected, A, this->tolerance(m));
  expectNear(expectedW, W, this->tolerance(m));
}

/// The runtime's workers call the bodies all at once; each must get the bits that one thread alone gets.
TYPED_TEST(FastQr, ThreadsGetTheSameBits) {
  using T = TypeParam;
  const auto work = [](Sample<T> &C2) {
    Sample<T> R = randomSample<T>(90, 90, 0, 1), A = randomSample<T>(90, 90, 0, 2), W(32, 90);
    Sample<T> C1 = randomSample<T>(90, 90, 0, 3);
    C2 = randomSample<T>(90, 90, 0, 4);
    bodies<T>().tsqrt.body(32, R.tile(), A.tile(), W.tile());
    bodies<T>().tsmqr.body(Op::ConjTrans, 32, C1.tile(), C2.tile(), A.tile(), W.tile());
  };
  Sample<T> alone(90, 90);
  work(alone);
  std::vector<Sample<T>> outs(8, Sample<T>(90, 90));
  std::vector<std::thread> threads;
  for (Sample<T> &out : outs)
    threads.emplace_back([&work, &out] {
      for (int i = 0; i < 10; ++i)
        work(out);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (Sample<T> &out : outs)
    expectNear(alone, out, 0);
}

TYPED_TEST(FastQr, NanAndInfinityEnd) {
  using T = TypeParam;
  for (T bad : {nan<T>(), T(std::numeric_limits<RealType<T>>::infinity())}) {
    Sample<T> A = randomSample<T>(60, 40, 0, 1), W(16, 40);
    A(3, 1) = bad;
    bodies<T>().geqrt.body(16, A.tile(), W.tile());
    EXPECT_FALSE(std::isfinite(std::abs(A(39, 39))));
  }
}
} // namespace
