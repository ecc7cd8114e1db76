// Our own gemm, with blocks so small that every loop and edge around the micro-kernel is met, in every instruction set
// that this CPU runs.
#include "kernels/reference/gemm.hpp"
#include "kernels/tuned/defaults.hpp"
#include "kernels/tuned/gemm.hpp"
#include "tests/unit/kernels/samples.hpp"

using namespace tla;
using namespace tla::test;
using namespace tla::kernels::tuned;

namespace {
template <typename T> class TunedGemm : public ::testing::Test {};
TYPED_TEST_SUITE(TunedGemm, Types);

/// Few strips in a block, and few steps: also of float, of which as many bytes are twice the numbers.
template <Isa isa, Order order> constexpr GemmConfiguration smallBlocks() {
  GemmConfiguration g = defaultConfiguration<isa>;
  g.order = order;
  g.prefetch = order == Order::Rows ? 4 : 0;
  g.mc = 48;
  g.nc = 24;
  g.kc = 16;
  return g;
}

template <typename T, typename Check> void withEveryIsa(Check check) {
  check.template operator()<Gemm<T, smallBlocks<Isa::Portable, Order::Columns>()>>();
  check.template operator()<Gemm<T, smallBlocks<Isa::Portable, Order::Rows>()>>();
  if (supports(Isa::Avx2)) {
    check.template operator()<Gemm<T, smallBlocks<Isa::Avx2, Order::Columns>()>>();
    check.template operator()<Gemm<T, smallBlocks<Isa::Avx2, Order::Rows>()>>();
  }
  if (supports(Isa::Avx512)) {
    check.template operator()<Gemm<T, smallBlocks<Isa::Avx512, Order::Columns>()>>();
    check.template operator()<Gemm<T, smallBlocks<Isa::Avx512, Order::Rows>()>>();
  }
}

template <typename T> T scalar(double re, double im) {
  if constexpr (isComplex<T>)
    return T(re, im);
  else
    return T(re);
}

template <typename T> Sample<T> operand(Op op, int rows, int columns, int extra, unsigned seed) {
  return op == Op::NoTrans ? randomSample<T>(rows, columns, extra, seed) : randomSample<T>(columns, rows, extra, seed);
}

TYPED_TEST(TunedGemm, IsTheProduct) {
  using T = TypeParam;
  std::mt19937 random(1);
  const auto sizeUpTo = [&](int most) { return std::uniform_int_distribution(1, most)(random); };
  withEveryIsa<T>([&]<typename Body>() {
    for (int round = 0; round < 60; ++round)
      for (Op opA : ops)
        for (Op opB : ops) {
          const int m = sizeUpTo(130), n = sizeUpTo(60), k = sizeUpTo(50);
          Sample<T> A = operand<T>(opA, m, k, sizeUpTo(9), round), B = operand<T>(opB, k, n, sizeUpTo(9), round + 1);
          Sample<T> C = randomSample<T>(m, n, sizeUpTo(9), round + 2);
          const T alpha = scalar<T>(-1.5, 0.25), beta = round % 3 == 0   ? T(0)
                                                        : round % 3 == 1 ? T(1)
                                                                         : scalar<T>(0.5, -1);
          if (beta == T(0))
            C.fill(nan<T>());
          Sample<T> expected = C;
          reference::gemm<T>(opA, opB, alpha, A.tile(), B.tile(), beta, expected.tile());
          Body::run(opA, opB, alpha, ConstTile<T>(A.tile()), ConstTile<T>(B.tile()), beta, C.tile());
          SCOPED_TRACE(testing::Message() << int(opA) << int(opB) << " shape " << m << " " << n << " " << k);
          expectNear(expected, C, 32 * (k + 2) * epsilon<T>());
        }
  });
}

TYPED_TEST(TunedGemm, WritesOnlyTheTriangle) {
  using T = TypeParam;
  withEveryIsa<T>([&]<typename Body>() {
    for (Uplo uplo : uplos)
      for (int n : {1, 7, 24, 25, 49, 100})
        for (T beta : {T(0), T(1), scalar<T>(0.5, -1)}) {
          Sample<T> A = randomSample<T>(n, 20, 1, 1), B = randomSample<T>(20, n, 0, 2), C = randomSample<T>(n, n, 2, 3);
          if (beta == T(0))
            C.fill(nan<T>());
          Sample<T> expected = C, all = C;
          reference::gemm<T>(Op::NoTrans, Op::NoTrans, T(-1), A.tile(), B.tile(), beta, all.tile());
          for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i)
              if (uplo == Uplo::Lower ? i >= j : i <= j)
                expected(i, j) = all(i, j);
          Body::run(Op::NoTrans, Op::NoTrans, T(-1), ConstTile<T>(A.tile()), ConstTile<T>(B.tile()), beta, C.tile(),
                    uplo);
          SCOPED_TRACE(testing::Message() << int(uplo) << " n " << n << " beta " << beta);
          expectNear(expected, C, 32 * 22 * epsilon<T>());
        }
  });
}

/// A NaN reaches the elements of C that it is a factor of, and no other: not even those that share a vector with them.
TYPED_TEST(TunedGemm, NanStaysInItsRowAndColumn) {
  using T = TypeParam;
  withEveryIsa<T>([&]<typename Body>() {
    const int m = 53, n = 29, k = 19;
    for (Op op : {Op::NoTrans, Op::ConjTrans}) {
      Sample<T> A = operand<T>(op, m, k, 1, 1), B = operand<T>(op, k, n, 1, 2), C = randomSample<T>(m, n, 1, 3);
      const int row = 50, column = 28;
      (op == Op::NoTrans ? A(row, 3) : A(3, row)) = nan<T>();
      (op == Op::NoTrans ? B(5, column) : B(column, 5)) = nan<T>();
      Body::run(op, op, T(1), ConstTile<T>(A.tile()), ConstTile<T>(B.tile()), T(1), C.tile());
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i)
          EXPECT_EQ(isNan(C(i, j)), i == row || j == column) << i << " " << j;
    }
  });
}

/// The bits of an element depend on its row, its column and k: not on where it lies in C, nor on whether the operands
/// were packed.
TYPED_TEST(TunedGemm, BitsDoNotDependOnThePlace) {
  using T = TypeParam;
  withEveryIsa<T>([&]<typename Body>() {
    const int m = 75, n = 37, k = 41;
    const T alpha = scalar<T>(-1.5, 0.25);
    Sample<T> A = randomSample<T>(m, k, 0, 1), B = randomSample<T>(k, n, 0, 2), C = randomSample<T>(m, n, 0, 3);
    Sample<T> At(k, m), start = C;
    for (int i = 0; i < m; ++i)
      for (int l = 0; l < k; ++l)
        At(l, i) = A(i, l);
    Sample<T> packed = C;
    Body::run(Op::NoTrans, Op::NoTrans, alpha, ConstTile<T>(A.tile()), ConstTile<T>(B.tile()), T(1), C.tile());
    Body::run(Op::Trans, Op::NoTrans, alpha, ConstTile<T>(At.tile()), ConstTile<T>(B.tile()), T(1), packed.tile());
    expectNear(C, packed, 0);
    for (int j : {0, 5, 36})
      for (int i : {0, 13, 74}) {
        Sample<T> one(1, 1);
        one(0, 0) = start(i, j);
        Body::run(Op::NoTrans, Op::NoTrans, alpha, ConstTile<T>(&A(i, 0), 1, k, m), ConstTile<T>(&B(0, j), k, 1, k),
                  T(1), one.tile());
        EXPECT_EQ(one(0, 0), C(i, j)) << i << " " << j;
      }
  });
}
} // namespace
