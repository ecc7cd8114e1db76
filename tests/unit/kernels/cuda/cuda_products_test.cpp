// BLAS 3 and the elementwise kernels on a CUDA device against the reference bodies. Sizes lie on both sides of the
// leaf.
#include "kernels/cuda/shipped_products.hpp"
#include "tests/unit/kernels/cuda/cuda_fixture.hpp"

#include <algorithm>

using namespace tla;
using namespace tla::test;

namespace {
template <typename T> class CudaProducts : public CudaTest<T> {};
TYPED_TEST_SUITE(CudaProducts, Types);

constexpr int sizes[] = {0, 1, 17, 70};
constexpr int orders[] = {0, 1, 33, 300, 600};

template <typename T> Sample<T> operand(Op op, int m, int n, unsigned seed) {
  return op == Op::NoTrans ? randomSample<T>(m, n, 2, seed) : randomSample<T>(n, m, 2, seed);
}

TYPED_TEST(CudaProducts, Gemm) {
  using T = TypeParam;
  for (Op opA : ops)
    for (Op opB : ops)
      for (int m : sizes)
        for (int k : {0, 1, 40})
          for (T beta : {T(0), T(1), T(-0.5)})
            for (T alpha : {T(0), T(1.5)}) {
              Sample<T> A = operand<T>(opA, m, k, 1), B = operand<T>(opB, k, 23, 2);
              Sample<T> C = randomSample<T>(m, 23, 1, 3);
              if (beta == T(0))
                C.fill(nan<T>());
              if (alpha == T(0))
                A.fill(nan<T>());
              Sample<T> expected = C;
              reference::gemm<T>(opA, opB, alpha, A.tile(), B.tile(), beta, expected.tile());
              this->runOn([&](auto a, auto b, auto c) { cuda::gemm<T>(opA, opB, alpha, a, b, beta, c); }, A, B, C);
              expectNear(expected, C, this->tolerance(k));
            }
}

TYPED_TEST(CudaProducts, Gemmt) {
  using T = TypeParam;
  for (Uplo uplo : uplos)
    for (Op opA : ops)
      for (Op opB : {Op::NoTrans, Op::ConjTrans})
        for (int n : orders)
          for (T beta : {T(0), T(-0.5)}) {
            if (n > 100 && (beta == T(0) || opA == Op::Trans))
              continue; // large ones are here for the cuts
            Sample<T> A = operand<T>(opA, n, 20, 1), B = operand<T>(opB, 20, n, 2), C = randomSample<T>(n, n, 1, 3);
            if (beta == T(0))
              C.fill(nan<T>());
            C.poisonOther(uplo);
            Sample<T> expected = C;
            reference::gemmt<T>(uplo, opA, opB, T(2), A.tile(), B.tile(), beta, expected.tile());
            this->runOn([&](auto a, auto b, auto c) { cuda::gemmt<T>(uplo, opA, opB, T(2), a, b, beta, c); }, A, B, C);
            expectNear(expected, C, this->tolerance(20));
          }
}

TYPED_TEST(CudaProducts, SyrkAndHerk) {
  using T = TypeParam;
  using R = RealType<T>;
  for (Uplo uplo : uplos)
    for (int n : orders)
      for (int k : {0, 1, 20})
        for (R alpha : {R(0), R(1.5)})
          for (R beta : {R(0), R(1), R(-0.5)}) {
            if (n > 100 && (k != 20 || alpha == 0 || beta != R(-0.5)))
              continue; // large ones are here for the cuts
            const auto compare = [&](Op op, auto expectedCall, auto call) {
              Sample<T> A = operand<T>(op, n, k, 1), C = randomSample<T>(n, n, 1, 3);
              C.poisonOther(uplo);
              Sample<T> expected = C;
              expectedCall(op, A.tile(), expected.tile());
              this->runOn([&](auto a, auto c) { call(op, a, c); }, A, C);
              SCOPED_TRACE(testing::Message() << int(uplo) << " n " << n << " k " << k << " " << alpha << " " << beta);
              expectNear(expected, C, this->tolerance(k));
            };
            for (Op op : rankKOps<T>(Op::Trans))
              compare(
                  op, [&](Op o, auto a, auto c) { reference::syrk<T>(uplo, o, alpha, a, beta, c); },
                  [&](Op o, auto a, auto c) { cuda::syrk<T>(uplo, o, alpha, a, beta, c); });
            for (Op op : rankKOps<T>(Op::ConjTrans))
              compare(
                  op, [&](Op o, auto a, auto c) { reference::herk<T>(uplo, o, alpha, a, beta, c); },
                  [&](Op o, auto a, auto c) { cuda::herk<T>(uplo, o, alpha, a, beta, c); });
          }
}

TYPED_TEST(CudaProducts, SymmAndHemm) {
  using T = TypeParam;
  for (Side side : sides)
    for (Uplo uplo : uplos)
      for (int order : sizes)
        for (T beta : {T(0), T(-0.5)})
          for (bool hermitian : {false, true}) {
            Sample<T> A = randomSample<T>(order, order, 1, 1);
            A.poisonOther(uplo);
            const int m = side == Side::Left ? order : 19, n = side == Side::Left ? 19 : order;
            Sample<T> B = randomSample<T>(m, n, 2, 2), C = randomSample<T>(m, n, 1, 3);
            Sample<T> expected = C;
            const auto call = [&](auto symm, auto hemm, auto a, auto b, auto c) {
              hermitian ? hemm(side, uplo, T(1.5), a, b, beta, c) : symm(side, uplo, T(1.5), a, b, beta, c);
            };
            call(reference::symm<T>, reference::hemm<T>, A.tile(), B.tile(), expected.tile());
            this->runOn([&](auto a, auto b, auto c) { call(cuda::symm<T>, cuda::hemm<T>, a, b, c); }, A, B, C);
            expectNear(expected, C, this->tolerance(order));
          }
}

/// Triangles larger than B asks for, too: their leading square counts.
TYPED_TEST(CudaProducts, TrsmAndTrmm) {
  using T = TypeParam;
  for (Side side : sides)
    for (Uplo uplo : uplos)
      for (Op op : ops)
        for (Diag diag : diags)
          for (int order : sizes)
            for (T alpha : {T(0), T(1.5)}) {
              Sample<T> A = randomSample<T>(order + 3, order + 3, 2, 1);
              A.makeDominant();
              A.poisonOther(uplo, diag);
              Sample<T> B = side == Side::Left ? randomSample<T>(order, 9, 1, 2) : randomSample<T>(9, order, 1, 2);
              if (alpha == T(0))
                B.fill(nan<T>());
              Sample<T> X = B, expected = B, expectedX = B;
              reference::trsm<T>(side, uplo, op, diag, alpha, A.tile(), expected.tile());
              this->runOn([&](auto a, auto b) { cuda::trsm<T>(side, uplo, op, diag, alpha, a, b); }, A, B);
              expectNear(expected, B, this->tolerance(order));
              reference::trmm<T>(side, uplo, op, diag, alpha, A.tile(), expectedX.tile());
              this->runOn([&](auto a, auto x) { cuda::trmm<T>(side, uplo, op, diag, alpha, a, x); }, A, X);
              expectNear(expectedX, X, this->tolerance(order));
            }
}

/// Orders that are solved by inverses of diagonal blocks: one block, and a rest; two of them, and a rest.
TYPED_TEST(CudaProducts, LargeTrsm) {
  using T = TypeParam;
  int turn = 0;
  for (Side side : sides)
    for (Uplo uplo : uplos)
      for (Op op : ops)
        for (Diag diag : diags) {
          const int order = std::array{290, 520, 256, 290, 512}[++turn % 5], others = 128;
          SCOPED_TRACE(testing::Message() << "turn " << turn << ", order " << order);
          Sample<T> A = randomSample<T>(order + 3, order + 3, 2, 1);
          for (int j = 0; j < A.n(); ++j) // of a unit diagonal the rest must be small
            for (int i = 0; i < A.m(); ++i)
              A(i, j) = i == j ? A(i, j) + T(2) : A(i, j) / T(32);
          A.poisonOther(uplo, diag);
          Sample<T> B =
              side == Side::Left ? randomSample<T>(order, others, 1, 2) : randomSample<T>(others, order, 1, 2);
          Sample<T> expected = B;
          const T alpha = turn % 3 ? T(1.5) : T(1);
          reference::trsm<T>(side, uplo, op, diag, alpha, A.tile(), expected.tile());
          this->runOn([&](auto a, auto b) { cuda::trsm<T>(side, uplo, op, diag, alpha, a, b); }, A, B);
          expectNear(expected, B, this->tolerance(order));
        }
}

TYPED_TEST(CudaProducts, Elementwise) {
  using T = TypeParam;
  for (T alpha : {T(0), T(1), T(-1.5)})
    for (int n : {0, 1, 40}) {
      Sample<T> A = randomSample<T>(150, n, 1, 1);
      if (alpha == T(0))
        A.fill(nan<T>());
      Sample<T> expected = A, B(n, 150, 2), C(150, n, 1);
      for (Op op : ops) {
        Sample<T> &result = op == Op::NoTrans ? C : B;
        Sample<T> expectedCopy = result;
        reference::omatcopy<T>(op, alpha, A.tile(), expectedCopy.tile());
        this->runOn([&](auto a, auto b) { cuda::omatcopy<T>(op, alpha, a, b); }, A, result);
        expectNear(expectedCopy, result, this->tolerance(1));
      }
      reference::scal<T>(alpha, expected.tile());
      this->runOn([&](auto a) { cuda::scal<T>(alpha, a); }, A);
      expectNear(expected, A, this->tolerance(1));
      for (Uplo uplo : uplos) {
        Sample<T> S = randomSample<T>(n, n, 1, 1);
        S.poisonOther(uplo);
        Sample<T> expectedS = S;
        reference::lascl<T>(uplo, alpha, expectedS.tile());
        this->runOn([&](auto a) { cuda::lascl<T>(uplo, alpha, a); }, S);
        expectNear(expectedS, S, this->tolerance(1));
      }
    }
}

TYPED_TEST(CudaProducts, LasetWritesTheRegion) {
  using T = TypeParam;
  for (Region region : {Region::Full, Region::Lower, Region::Upper})
    for (int m : {3, 5, 8}) {
      Sample<T> A(m, 5, 1);
      Sample<T> expected = A;
      const auto part = [region](Tile<T> tile) {
        return OutTile<T>(tile.data(), tile.m(), tile.n(), tile.ld(), region);
      };
      reference::laset<T>(T(2), T(3), part(expected.tile()));
      this->runOn([&](auto a) { cuda::laset<T>(T(2), T(3), part(a)); }, A);
      expectNear(expected, A, 0);
    }
}

using CudaShippedProducts = CudaTest<double>;
TEST_F(CudaShippedProducts, AreRight) {
  EXPECT_TRUE(cuda::shippedProducts("sm_80").empty());
  cudaDeviceProp device{};
  TLA_CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
  if (device.major != 9)
    GTEST_SKIP() << "they are for devices of compute capability 9.0";
  struct Case {
    int m, n, k, extra; // what leading dimensions are more than rows: aligned, or not
    double alpha, beta;
  };
  const auto all = cuda::shippedProducts("sm_90");
  ASSERT_FALSE(all.empty());
  for (const cuda::ShippedProduct &each : all) {
    ASSERT_EQ(each.type, 'd');
    TLA_CUDA_CHECK(each.prepare());
    const Op opA = each.opA == 't' ? Op::Trans : Op::NoTrans, opB = each.opB == 't' ? Op::Trans : Op::NoTrans;
    const int rows = each.blockRows, columns = each.blockColumns;
    for (const Case &x : {Case{rows, 2 * columns, 160, 0, -1, 1},
                          {rows + 10, columns + 3, 75, 2, 1.5, -0.5},
                          {rows + 10, columns + 4, 76, 2, -1, 0.5},
                          {rows + 5, columns + 1, 97, 1, 1, 0}}) {
      const auto sample = [&](Op op, int m, int n) {
        return op == Op::NoTrans ? randomSample<double>(m, n, x.extra, 1) : randomSample<double>(n, m, x.extra, 2);
      };
      Sample<double> A = sample(opA, x.m, x.k), B = sample(opB, x.k, x.n), C = randomSample<double>(x.m, x.n, 2, 3);
      if (x.beta == 0)
        C.fill(nan<double>());
      Sample<double> expected = C;
      reference::gemm<double>(opA, opB, x.alpha, A.tile(), B.tile(), x.beta, expected.tile());
      runOn(
          [&](auto a, auto b, auto c) {
            const auto parts = [](int size, int part) { return static_cast<unsigned>((size + part - 1) / part); };
            TLA_CUDA_CHECK(each.launch(cuda::Launch::current().stream(), parts(x.m, rows) * parts(x.n, columns),
                                       {a.data(), b.data(), c.data(), x.m, x.n, x.k, a.ld(), b.ld(), c.ld()}, &x.alpha,
                                       &x.beta));
          },
          A, B, C);
      SCOPED_TRACE(testing::Message() << each.opA << each.opB << " k = " << x.k);
      expectNear(expected, C, tolerance(x.k));
    }
  }
}

/// More than one launch takes, by two kernels and with two alphas, each of other matrices, sizes and inner dimensions,
/// the first of more blocks than others: each has the bits that it has alone.
TEST_F(CudaShippedProducts, AreTheSameTogether) {
  cudaDeviceProp device{};
  TLA_CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
  if (device.major != 9)
    GTEST_SKIP() << "they are for devices of compute capability 9.0";
  const auto kernels = cuda::shippedProducts("sm_90");
  const auto kernelOf = [&](Op opA) -> const cuda::ShippedProduct & {
    return *std::ranges::find_if(
        kernels, [&](const auto &each) { return each.opA == (opA == Op::Trans ? 't' : 'n') && each.opB == 'n'; });
  };
  struct Case {
    Op opA;
    int m, n, k;
    double alpha;
  };
  std::vector<Case> cases;
  for (int i = 0; i < cuda::mostProductsTogether + 6; ++i)
    cases.push_back({i == 3 || i >= 20 ? Op::Trans : Op::NoTrans, i == 0 ? 260 : 40 + 2 * i, i == 1 ? 140 : 30 + i,
                     16 + i % 5, i == 19 ? 1.5 : -1});
  constexpr int most = 260, rows = 300; // leading dimensions are even: copies of 16 bytes
  const int count = static_cast<int>(cases.size());
  Sample<double> A = randomSample<double>(most, most * count, rows - most, 1),
                 B = randomSample<double>(most, most * count, rows - most, 2),
                 together = randomSample<double>(most, most * count, rows - most, 3), alone = together,
                 expected = together;
  const double beta = 0.5;
  const auto add = [&](cuda::HeldProducts &held, int i, auto a, auto b, auto c) {
    const Case &x = cases[i];
    const cuda::ShippedProduct &kernel = kernelOf(x.opA);
    TLA_CUDA_CHECK(kernel.prepare());
    const auto parts = [](int size, int part) { return static_cast<unsigned>((size + part - 1) / part); };
    const auto of = [i](auto tile) { return tile.data() + static_cast<long>(i) * most * tile.ld(); };
    held.add(kernel, parts(x.m, kernel.blockRows) * parts(x.n, kernel.blockColumns),
             {of(a), of(b), of(c), x.m, x.n, x.k, a.ld(), b.ld(), c.ld()}, &x.alpha, &beta, sizeof(double));
  };
  runOn(
      [&](auto a, auto b, auto c) {
        cuda::HeldProducts held(cuda::Launch::current().stream());
        EXPECT_EQ(held.type(), '\0');
        for (int i = 0; i < count; ++i)
          add(held, i, a, b, c);
        EXPECT_EQ(held.count(), count);
        EXPECT_EQ(held.type(), 'd');
        held.flush();
        held.flush(); // of nothing
      },
      A, B, together);
  runOn(
      [&](auto a, auto b, auto c) {
        for (int i = 0; i < count; ++i) {
          cuda::HeldProducts held(cuda::Launch::current().stream());
          add(held, i, a, b, c);
          held.flush();
        }
      },
      A, B, alone);
  expectNear(alone, together, 0);
  for (int i = 0; i < count; ++i) {
    const Case &x = cases[i];
    const bool isTrans = x.opA == Op::Trans;
    reference::gemm<double>(
        x.opA, Op::NoTrans, x.alpha, cuda::block(A.tile(), 0, i * most, isTrans ? x.k : x.m, isTrans ? x.m : x.k),
        cuda::block(B.tile(), 0, i * most, x.k, x.n), beta, cuda::block(expected.tile(), 0, i * most, x.m, x.n));
  }
  expectNear(expected, together, tolerance(most));
}
} // namespace
