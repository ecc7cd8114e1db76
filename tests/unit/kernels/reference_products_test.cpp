// The reference bodies of symm, hemm and gemmt against their definitions.
#include "tests/unit/kernels/wide.hpp"

#include <tla/kernels/kernels.hpp>

using namespace tla;
using namespace tla::test;

namespace {
template <typename T> class ReferenceProducts : public ::testing::Test {};
TYPED_TEST_SUITE(ReferenceProducts, Types);

/// The element of a tile with one triangle stored, the Hermitian one with a real diagonal.
template <typename T> Wide mirrored(Uplo uplo, bool hermitian, Sample<T> &A, int i, int j) {
  if (i == j)
    return hermitian ? Wide(widen(A(i, i)).real()) : widen(A(i, i));
  if (uplo == Uplo::Lower ? i > j : i < j)
    return widen(A(i, j));
  return hermitian ? std::conj(widen(A(j, i))) : widen(A(j, i));
}

template <typename T> void checkMirrored(bool hermitian) {
  for (Side side : sides)
    for (Uplo uplo : uplos)
      for (int m : {0, 1, 5, 9})
        for (int n : {0, 1, 7})
          for (T beta : {T(0), T(1), T(0.5)}) {
            const int order = side == Side::Left ? m : n;
            Sample<T> A = randomSample<T>(order, order, 1, 1), B = randomSample<T>(m, n, 2, 2);
            A.poisonOther(uplo);
            Sample<T> C = randomSample<T>(m, n, 1, 3), old = C;
            if (beta == T(0))
              C.fill(nan<T>());
            (hermitian ? hemm<T> : symm<T>)(side, uplo, T(-1.5), A.tile(), B.tile(), beta, C.tile());
            for (int j = 0; j < n; ++j)
              for (int i = 0; i < m; ++i) {
                Wide sum = 0;
                for (int l = 0; l < order; ++l)
                  sum += side == Side::Left ? mirrored(uplo, hermitian, A, i, l) * widen(B(l, j))
                                            : widen(B(i, l)) * mirrored(uplo, hermitian, A, l, j);
                const Wide expected = Wide(-1.5) * sum + widen(beta) * widen(old(i, j));
                EXPECT_LE(std::abs(expected - widen(C(i, j))), 32 * (order + 1) * epsilon<T>());
              }
          }
}

TYPED_TEST(ReferenceProducts, Symm) { checkMirrored<TypeParam>(false); }
TYPED_TEST(ReferenceProducts, Hemm) { checkMirrored<TypeParam>(true); }

TYPED_TEST(ReferenceProducts, Gemmt) {
  using T = TypeParam;
  for (Uplo uplo : uplos)
    for (Op opA : ops)
      for (Op opB : ops)
        for (int n : {0, 1, 6})
          for (int k : {0, 1, 5}) {
            Sample<T> A = opA == Op::NoTrans ? randomSample<T>(n, k, 1, 1) : randomSample<T>(k, n, 1, 1);
            Sample<T> B = opB == Op::NoTrans ? randomSample<T>(k, n, 0, 2) : randomSample<T>(n, k, 0, 2);
            Sample<T> C = randomSample<T>(n, n, 2, 3);
            C.poisonOther(uplo);
            Sample<T> old = C;
            gemmt<T>(uplo, opA, opB, T(-1.5), A.tile(), B.tile(), T(0.5), C.tile());
            for (int j = 0; j < n; ++j)
              for (int i = 0; i < n; ++i) {
                if (uplo == Uplo::Lower ? i < j : i > j) {
                  EXPECT_TRUE(isNan(C(i, j)));
                  continue;
                }
                Wide sum = 0;
                for (int l = 0; l < k; ++l)
                  sum += opElement(opA, A, i, l) * opElement(opB, B, l, j);
                const Wide expected = Wide(-1.5) * sum + Wide(0.5) * widen(old(i, j));
                EXPECT_LE(std::abs(expected - widen(C(i, j))), 32 * (k + 1) * epsilon<T>());
              }
          }
}

TYPED_TEST(ReferenceProducts, AlphaZeroDoesNotReadTheOperands) {
  using T = TypeParam;
  Sample<T> A(3, 3), C = randomSample<T>(3, 3, 1, 1);
  A.fill(nan<T>());
  Sample<T> expected = C;
  symm<T>(Side::Left, Uplo::Lower, T(0), A.tile(), A.tile(), T(1), C.tile());
  hemm<T>(Side::Right, Uplo::Upper, T(0), A.tile(), A.tile(), T(1), C.tile());
  gemmt<T>(Uplo::Lower, Op::NoTrans, Op::Trans, T(0), A.tile(), A.tile(), T(1), C.tile());
  expectNear(expected, C, 0);
}
} // namespace
