// The products and recursive bodies of a back-end against the reference bodies. Sizes lie on both sides of every block
// and leaf size.
#include "tests/unit/kernels/products_fixture.hpp"

#include <thread>

using namespace tla;
using namespace tla::test;

namespace {
template <typename T> class Fast : public ProductsTest<T> {};
TYPED_TEST_SUITE(Fast, Types);

template <typename T> T scalar(double re, double im) {
  if constexpr (isComplex<T>)
    return T(re, im);
  else
    return T(re);
}

struct Shape3 {
  int m, n, k;
};
constexpr Shape3 shapes[] = {{0, 3, 2},   {3, 0, 2},     {2, 3, 0},     {1, 1, 1},       {2, 5, 17},
                             {33, 17, 5}, {96, 48, 128}, {97, 49, 129}, {100, 110, 140}, {101, 7, 300}};

TYPED_TEST(Fast, Gemm) {
  using T = TypeParam;
  this->withEveryProduct([&] {
    for (Op opA : ops)
      for (Op opB : ops)
        for (const auto &[m, n, k] : shapes)
          for (T beta : {T(0), T(1), scalar<T>(0.5, -1)}) {
            Sample<T> A = opA == Op::NoTrans ? randomSample<T>(m, k, 2, 1) : randomSample<T>(k, m, 2, 1);
            Sample<T> B = opB == Op::NoTrans ? randomSample<T>(k, n, 0, 2) : randomSample<T>(n, k, 1, 2);
            Sample<T> C = randomSample<T>(m, n, 3, 3);
            if (beta == T(0))
              C.fill(nan<T>());
            Sample<T> expected = C;
            const T alpha = scalar<T>(-1.5, 0.25);
            tla::gemm<T>(opA, opB, alpha, A.tile(), B.tile(), beta, expected.tile());
            bodies<T>().gemm.body(opA, opB, alpha, A.tile(), B.tile(), beta, C.tile());
            SCOPED_TRACE(testing::Message() << "op " << int(opA) << int(opB) << " shape " << m << " " << n << " " << k);
            expectNear(expected, C, this->tolerance(k));
          }
  });
}

TYPED_TEST(Fast, Trsm) {
  using T = TypeParam;
  this->withEveryProduct([&] {
    for (Side side : sides)
      for (Uplo uplo : uplos)
        for (Op op : ops)
          for (Diag diag : diags)
            for (int order : {0, 1, 2, 5, 16, 17, 33, 140})
              for (int other : {0, 1, 5, 16, 70}) {
                Sample<T> A = randomSample<T>(order, order, 2, 1);
                A.makeDominant();
                A.poisonOther(uplo, diag);
                Sample<T> B =
                    side == Side::Left ? randomSample<T>(order, other, 1, 2) : randomSample<T>(other, order, 1, 2);
                Sample<T> expected = B;
                const T alpha = scalar<T>(-1.5, 0.25);
                tla::trsm<T>(side, uplo, op, diag, alpha, A.tile(), expected.tile());
                bodies<T>().trsm.body(side, uplo, op, diag, alpha, A.tile(), B.tile());
                SCOPED_TRACE(testing::Message() << int(side) << int(uplo) << int(op) << int(diag) << " order " << order
                                                << " other " << other);
                expectNear(expected, B, this->tolerance(order));
              }
  });
}

template <typename T, typename Scalar, typename Call> void compareRankK(Op second, double eps, Call call) {
  for (Uplo uplo : uplos)
    for (Op op : rankKOps<T>(second))
      for (int n : {0, 1, 2, 5, 17, 33, 96, 97, 130})
        for (int k : {0, 1, 5, 17, 129})
          for (Scalar beta : {Scalar(0), Scalar(1), Scalar(-0.5)})
            for (Scalar alpha : {Scalar(0), Scalar(-1.5)}) {
              Sample<T> A = op == Op::NoTrans ? randomSample<T>(n, k, 2, 1) : randomSample<T>(k, n, 2, 1);
              if (alpha == Scalar(0))
                A.fill(nan<T>());
              Sample<T> C = randomSample<T>(n, n, 1, 2);
              if (beta == Scalar(0))
                C.fill(nan<T>());
              C.poisonOther(uplo);
              Sample<T> expected = C;
              call(uplo, op, alpha, A.tile(), beta, C.tile(), expected.tile());
              SCOPED_TRACE(testing::Message() << int(uplo) << int(op) << " n " << n << " k " << k << " alpha " << alpha
                                              << " beta " << beta);
              expectNear(expected, C, eps * (k + 2));
            }
}

TYPED_TEST(Fast, Syrk) {
  using T = TypeParam;
  this->withEveryProduct([&] {
    compareRankK<T, T>(Op::Trans, this->tolerance(0),
                       [](Uplo uplo, Op op, T alpha, Tile<T> A, T beta, Tile<T> C, Tile<T> expected) {
                         tla::syrk<T>(uplo, op, alpha, A, beta, expected);
                         bodies<T>().syrk.body(uplo, op, alpha, A, beta, C);
                       });
  });
}

TYPED_TEST(Fast, Herk) {
  using T = TypeParam;
  using R = RealType<T>;
  this->withEveryProduct([&] {
    compareRankK<T, R>(Op::ConjTrans, this->tolerance(0),
                       [](Uplo uplo, Op op, R alpha, Tile<T> A, R beta, Tile<T> C, Tile<T> expected) {
                         tla::herk<T>(uplo, op, alpha, A, beta, expected);
                         bodies<T>().herk.body(uplo, op, alpha, A, beta, C);
                       });
  });
}

constexpr int potrfSizes[] = {0, 1, 2, 5, 16, 17, 33, 100, 210};

TYPED_TEST(Fast, Potrf) {
  using T = TypeParam;
  this->withEveryProduct([&] {
    for (Uplo uplo : uplos)
      for (int n : potrfSizes) {
        Sample<T> A = randomSample<T>(n, n, 2, 1);
        A.makePositive();
        A.poisonOther(uplo);
        for (int j = 0; j < n && isComplex<T>; ++j)
          A(j, j) += scalar<T>(0, 3); // ignored
        Sample<T> expected = A;
        EXPECT_EQ(tla::potrf<T>(uplo, expected.tile()), 0);
        EXPECT_EQ(bodies<T>().potrf.body(uplo, A.tile()), 0);
        SCOPED_TRACE(testing::Message() << int(uplo) << " n " << n);
        expectNear(expected, A, 32 * epsilon<T>() * std::sqrt(n + 1.0));
        for (int j = 0; j < n; ++j)
          EXPECT_EQ(std::imag(A(j, j)), RealType<T>(0));
      }
  });
}

/// The order of the first leading minor that is not positive definite, with a pivot spoilt at j - 1.
TYPED_TEST(Fast, PotrfInfoIsExact) {
  using T = TypeParam;
  using R = RealType<T>;
  this->withEveryProduct([&] {
    for (Uplo uplo : uplos)
      for (int n : {1, 5, 33, 100})
        for (int j : {1, 2, 5, 16, 17, 33, 64, 100})
          for (R pivot : {R(-1), R(0), std::numeric_limits<R>::quiet_NaN(), -std::numeric_limits<R>::infinity()}) {
            if (j > n)
              continue;
            Sample<T> A(n, n, 1);
            A.fill(T(0));
            for (int i = 0; i < n; ++i)
              A(i, i) = T(R(i + 1));
            A(j - 1, j - 1) = T(pivot);
            EXPECT_EQ(bodies<T>().potrf.body(uplo, A.tile()), j) << "n " << n << " pivot " << pivot;
            A(j - 1, j - 1) = T(pivot);
            for (int i = 0; i < j - 1; ++i)
              A(i, i) = T(R(i + 1));
            EXPECT_EQ(tla::potrf<T>(uplo, A.tile()), j);
          }
  });
}

/// A NaN anywhere in the stored triangle ends at the pivot of its row, for both bodies.
TYPED_TEST(Fast, PotrfStopsAtNanOffTheDiagonal) {
  using T = TypeParam;
  this->withEveryProduct([&] {
    for (int n : {5, 40, 130}) {
      Sample<T> A = randomSample<T>(n, n, 0, 1);
      A.makePositive();
      A(n - 2, 1) = nan<T>();
      Sample<T> B = A;
      EXPECT_EQ(tla::potrf<T>(Uplo::Lower, A.tile()), n - 1);
      EXPECT_EQ(bodies<T>().potrf.body(Uplo::Lower, B.tile()), n - 1);
    }
  });
}

TYPED_TEST(Fast, AlphaZeroDoesNotReadTheOperands) {
  using T = TypeParam;
  this->withEveryProduct([&] {
    for (int n : {3, 150}) {
      Sample<T> A(n, n), C = randomSample<T>(n, n, 1, 1);
      A.fill(nan<T>());
      Sample<T> expected = C;
      bodies<T>().gemm.body(Op::NoTrans, Op::Trans, T(0), A.tile(), A.tile(), T(1), C.tile());
      expectNear(expected, C, 0);
      bodies<T>().trsm.body(Side::Right, Uplo::Lower, Op::Trans, Diag::NonUnit, T(0), A.tile(), C.tile());
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
          EXPECT_EQ(C(i, j), T(0));
    }
  });
}

/// The runtime's workers call the bodies all at once; each must get the bits that one thread alone gets.
TYPED_TEST(Fast, ThreadsGetTheSameBits) {
  using T = TypeParam;
  Sample<T> A = randomSample<T>(150, 150, 0, 1);
  A.makePositive();
  const auto work = [](Sample<T> sample, Sample<T> &out) {
    Sample<T> C = sample;
    bodies<T>().potrf.body(Uplo::Lower, sample.tile());
    bodies<T>().trsm.body(Side::Right, Uplo::Lower, Op::ConjTrans, Diag::NonUnit, T(1), sample.tile(), C.tile());
    bodies<T>().gemm.body(Op::NoTrans, Op::ConjTrans, T(1), sample.tile(), C.tile(), T(0), out.tile());
  };
  Sample<T> alone(150, 150);
  work(A, alone);
  std::vector<Sample<T>> outs(8, Sample<T>(150, 150));
  std::vector<std::thread> threads;
  for (Sample<T> &out : outs)
    threads.emplace_back([&work, &A, &out] {
      for (int i = 0; i < 10; ++i)
        work(A, out);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (Sample<T> &out : outs)
    expectNear(alone, out, 0);
}
} // namespace
