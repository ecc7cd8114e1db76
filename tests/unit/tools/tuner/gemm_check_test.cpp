// The check of candidates finds what a body of gemm can do wrong.
#include "tools/tuner/gemm_check.hpp"

#include "kernels/reference/gemm.hpp"

#include <complex>
#include <gtest/gtest.h>

using namespace tla;
using hetc::tuning::checkGemm;
using hetc::tuning::GemmBody;

namespace {
template <typename T> class GemmCheck : public testing::Test {};
using Types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(GemmCheck, Types);

template <typename T> void run(Op opA, Op opB, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) {
  reference::gemm(opA, opB, alpha, A, B, beta, C);
}

template <typename T> void expectFound(GemmBody<T> *body, const std::string &where) {
  const std::string wrong = checkGemm<T>(body);
  EXPECT_NE(wrong.find(where), std::string::npos) << wrong;
}
} // namespace

TYPED_TEST(GemmCheck, TheReferenceIsRight) { EXPECT_EQ(checkGemm<TypeParam>(&reference::gemm<TypeParam>), ""); }

TYPED_TEST(GemmCheck, ALostEdge) {
  using T = TypeParam;
  expectFound<T>(
      [](Op opA, Op opB, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) {
        run(opA, opB, alpha, A, B, beta, C);
        if (C.m() > 9 && C.n())
          C(9, C.n() - 1) = T(0);
      },
      "C(9, ");
}

TYPED_TEST(GemmCheck, CReadWhereBetaIsZero) {
  using T = TypeParam;
  expectFound<T>(
      [](Op opA, Op opB, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) {
        for (int j = 0; j < C.n() && beta == T(0); ++j)
          for (int i = 0; i < C.m(); ++i)
            C(i, j) *= beta;
        run(opA, opB, alpha, A, B, beta == T(0) ? T(1) : beta, C);
      },
      "beta = ");
}

TYPED_TEST(GemmCheck, OperandsReadWhereAlphaIsZero) {
  using T = TypeParam;
  expectFound<T>(
      [](Op opA, Op opB, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) {
        run(opA, opB, alpha, A, B, beta, C);
        if (alpha == T(0) && A.m() && A.n() && C.m() && C.n())
          C(0, 0) += alpha * A(0, 0);
      },
      "alpha = ");
}

TYPED_TEST(GemmCheck, ANanThatIsLost) {
  using T = TypeParam;
  expectFound<T>(
      [](Op opA, Op opB, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) {
        run(opA, opB, alpha, A, B, beta, C);
        for (int j = 0; j < C.n(); ++j)
          for (int i = 0; i < C.m(); ++i)
            if (C(i, j) != C(i, j))
              C(i, j) = T(0);
      },
      "with NaN");
}

TYPED_TEST(GemmCheck, WritingBesideTheMatrix) {
  using T = TypeParam;
  expectFound<T>(
      [](Op opA, Op opB, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) {
        run(opA, opB, alpha, A, B, beta, C);
        if (C.m() && C.n() && C.ld() > C.m())
          C.data()[C.m()] = T(0);
      },
      "beside the matrix");
}

TYPED_TEST(GemmCheck, LowPrecision) {
  using T = TypeParam;
  expectFound<T>(
      [](Op opA, Op opB, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) {
        run(opA, opB, alpha, A, B, beta, C);
        for (int j = 0; j < C.n(); ++j)
          for (int i = 0; i < C.m(); ++i)
            C(i, j) *= RealType<T>(1) + RealType<T>(5000) * std::numeric_limits<RealType<T>>::epsilon();
      },
      "expected");
}
