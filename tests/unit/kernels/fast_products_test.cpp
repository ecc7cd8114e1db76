// symm, hemm and gemmt of a back-end against the reference bodies.
#include "tests/unit/kernels/products_fixture.hpp"

using namespace tla;
using namespace tla::test;

namespace {
template <typename T> class FastProducts : public ProductsTest<T> {};
TYPED_TEST_SUITE(FastProducts, Types);

template <typename T> void compareMirrored(bool hermitian) {
  const auto expectedBody = hermitian ? &tla::hemm<T> : &tla::symm<T>;
  const auto body = hermitian ? bodies<T>().hemm.body : bodies<T>().symm.body;
  for (Side side : sides)
    for (Uplo uplo : uplos)
      for (int m : {0, 1, 5, 17, 100})
        for (int n : {0, 1, 7, 33, 110})
          for (T alpha : {T(0), T(-1.5)})
            for (T beta : {T(0), T(1), T(0.5)}) {
              const int order = side == Side::Left ? m : n;
              Sample<T> A = randomSample<T>(order, order, 1, 1), B = randomSample<T>(m, n, 2, 2);
              A.poisonOther(uplo);
              Sample<T> C = randomSample<T>(m, n, 1, 3);
              if (alpha == T(0))
                A.fill(nan<T>());
              if (beta == T(0))
                C.fill(nan<T>());
              Sample<T> expected = C;
              expectedBody(side, uplo, alpha, A.tile(), B.tile(), beta, expected.tile());
              body(side, uplo, alpha, A.tile(), B.tile(), beta, C.tile());
              SCOPED_TRACE(testing::Message() << int(side) << int(uplo) << " m " << m << " n " << n << " alpha "
                                              << alpha << " beta " << beta);
              expectNear(expected, C, 32 * (order + 2) * epsilon<T>());
            }
}

TYPED_TEST(FastProducts, Symm) {
  this->withEveryProduct([] { compareMirrored<TypeParam>(false); });
}
TYPED_TEST(FastProducts, Hemm) {
  this->withEveryProduct([] { compareMirrored<TypeParam>(true); });
}

TYPED_TEST(FastProducts, Gemmt) {
  using T = TypeParam;
  this->withEveryProduct([&] {
    for (Uplo uplo : uplos)
      for (Op opA : ops)
        for (Op opB : ops)
          for (int n : {0, 1, 31, 32, 33, 110})
            for (int k : {0, 1, 20, 130})
              for (T alpha : {T(0), T(-1.5)})
                for (T beta : {T(0), T(1), T(0.5)}) {
                  Sample<T> A = opA == Op::NoTrans ? randomSample<T>(n, k, 1, 1) : randomSample<T>(k, n, 1, 1);
                  Sample<T> B = opB == Op::NoTrans ? randomSample<T>(k, n, 0, 2) : randomSample<T>(n, k, 0, 2);
                  Sample<T> C = randomSample<T>(n, n, 2, 3);
                  if (alpha == T(0))
                    A.fill(nan<T>());
                  if (beta == T(0))
                    C.fill(nan<T>());
                  C.poisonOther(uplo);
                  Sample<T> expected = C;
                  tla::gemmt<T>(uplo, opA, opB, alpha, A.tile(), B.tile(), beta, expected.tile());
                  bodies<T>().gemmt.body(uplo, opA, opB, alpha, A.tile(), B.tile(), beta, C.tile());
                  SCOPED_TRACE(testing::Message() << int(uplo) << int(opA) << int(opB) << " n " << n << " k " << k
                                                  << " alpha " << alpha << " beta " << beta);
                  expectNear(expected, C, this->tolerance(k));
                }
  });
}
} // namespace
