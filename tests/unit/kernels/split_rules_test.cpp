// Each split rule, run serially on slices, against the kernel itself: cuts with slices of one column, edge tiles with
// fewer slices, NaN wherever neither may look.
#include <tla/kernels/split/rules.tla>

#include "tests/unit/kernels/panel_samples.hpp"

#include <gtest/gtest.h>

namespace tla::test {

namespace {

using split::CutPanel;
using split::CutTile;

template <typename T> class SplitRules : public ::testing::Test {
protected:
  static double tolerance(int n) { return 64 * (n + 2) * epsilon<T>(); }

  static void expectNearColumns(int n, Sample<T> &expected, Sample<T> &actual) {
    Sample<T> x(expected.m(), n), y = x;
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < expected.m(); ++i) {
        x(i, j) = expected(i, j);
        y(i, j) = actual(i, j);
      }
    expectNear(x, y, tolerance(7));
  }

  /// Runs `rule` on a cut copy of C and `kernel` on C itself, and compares.
  template <typename Rule, typename Kernel> void compare(Sample<T> C, Cut cut, Rule rule, Kernel kernel) {
    Sample<T> actual = C;
    rule(CutTile<T>(actual.tile(), cut));
    kernel(C.tile());
    expectNear(C, actual, tolerance(C.m() + C.n()));
  }
};
TYPED_TEST_SUITE(SplitRules, Types);

/// The cuts for tiles of 7 columns.
const Cut cuts[] = {{2, 1}, {2, 4}, {3, 2}, {3, 3}, {4, 1}, {7, 1}};
const int widths[] = {7, 5, 2, 1};

TYPED_TEST(SplitRules, Gemm) {
  using T = TypeParam;
  for (const Cut cut : cuts)
    for (const Op opA : ops)
      for (const Op opB : ops)
        for (const int n : widths)
          for (const int k : widths) {
            const int m = 7;
            Sample<T> A = randomSample<T>(opA == NoTrans ? m : k, opA == NoTrans ? k : m, 2, 1);
            Sample<T> B = randomSample<T>(opB == NoTrans ? k : n, opB == NoTrans ? n : k, 1, 2);
            Sample<T> C(m, n, 1); // not read when beta is zero
            this->compare(
                C, cut,
                [&](CutTile<T> C) {
                  split::gemm<T>(opA, opB, T(2), {A.tile(), cut}, {B.tile(), cut}, T(0), C);
                  split::gemm<T>(opA, opB, T(1), {A.tile(), cut}, {B.tile(), cut}, T(-3), C);
                },
                [&](Tile<T> C) {
                  gemm<T>(opA, opB, T(2), A.tile(), B.tile(), T(0), C);
                  gemm<T>(opA, opB, T(1), A.tile(), B.tile(), T(-3), C);
                });
          }
}

TYPED_TEST(SplitRules, SymmetricProducts) {
  using T = TypeParam;
  for (const Cut cut : cuts)
    for (const Uplo uplo : uplos)
      for (const Side side : sides)
        for (const int n : widths) {
          const int order = side == Left ? 7 : n;
          Sample<T> A = randomSample<T>(order, order, 1, 1), B = randomSample<T>(7, n, 0, 2),
                    C = randomSample<T>(7, n, 1, 3);
          A.poisonOther(uplo);
          this->compare(
              C, cut,
              [&](CutTile<T> C) {
                split::symm<T>(side, uplo, T(2), {A.tile(), cut}, {B.tile(), cut}, T(-1), C);
                split::hemm<T>(side, uplo, T(2), {A.tile(), cut}, {B.tile(), cut}, T(-1), C);
              },
              [&](Tile<T> C) {
                symm<T>(side, uplo, T(2), A.tile(), B.tile(), T(-1), C);
                hemm<T>(side, uplo, T(2), A.tile(), B.tile(), T(-1), C);
              });
        }
}

TYPED_TEST(SplitRules, RankKUpdates) {
  using T = TypeParam;
  for (const Cut cut : cuts)
    for (const Uplo uplo : uplos)
      for (const int n : widths)
        for (const int k : widths)
          for (const bool transposed : {false, true}) {
            Sample<T> A = transposed ? randomSample<T>(k, n, 1, 1) : randomSample<T>(n, k, 1, 1);
            Sample<T> B = randomSample<T>(n, k, 1, 2), C = randomSample<T>(n, n, 1, 3);
            for (int j = 0; j < n; ++j)
              C(j, j) = T(std::real(C(j, j)));
            C.poisonOther(uplo);
            const Op symmetric = transposed ? Trans : NoTrans, hermitian = transposed ? ConjTrans : NoTrans;
            this->compare(
                C, cut,
                [&](CutTile<T> C) {
                  split::herk<T>(uplo, hermitian, 2, {A.tile(), cut}, -1, C);
                  split::syrk<T>(uplo, symmetric, T(2), {A.tile(), cut}, T(-1), C);
                },
                [&](Tile<T> C) {
                  herk<T>(uplo, hermitian, 2, A.tile(), -1, C);
                  syrk<T>(uplo, symmetric, T(2), A.tile(), T(-1), C);
                });
            if (!transposed)
              this->compare(
                  C, cut,
                  [&](CutTile<T> C) {
                    split::gemmt<T>(uplo, NoTrans, ConjTrans, T(2), {A.tile(), cut}, {B.tile(), cut}, T(-1), C);
                  },
                  [&](Tile<T> C) { gemmt<T>(uplo, NoTrans, ConjTrans, T(2), A.tile(), B.tile(), T(-1), C); });
          }
}

TYPED_TEST(SplitRules, TriangularSolvesAndProducts) {
  using T = TypeParam;
  for (const Cut cut : cuts)
    for (const Side side : sides)
      for (const Uplo uplo : uplos)
        for (const Op op : ops)
          for (const Diag diag : diags)
            for (const int n : widths) {
              const int order = side == Left ? 7 : n;
              Sample<T> A = randomSample<T>(order, order, 1, 1), B = randomSample<T>(7, n, 1, 2);
              A.makeDominant();
              A.poisonOther(uplo, diag);
              this->compare(
                  B, cut,
                  [&](CutTile<T> B) {
                    split::trsm<T>(side, uplo, op, diag, T(2), {A.tile(), cut}, B);
                  },
                  [&](Tile<T> B) { trsm<T>(side, uplo, op, diag, T(2), A.tile(), B); });
              this->compare(
                  B, cut,
                  [&](CutTile<T> B) {
                    split::trmm<T>(side, uplo, op, diag, T(2), {A.tile(), cut}, B);
                  },
                  [&](Tile<T> B) { trmm<T>(side, uplo, op, diag, T(2), A.tile(), B); });
            }
}

/// The leading square of a larger A counts, as of the last diagonal tile of a matrix with more columns than rows.
TYPED_TEST(SplitRules, ProductsAndSolvesWithALargerTile) {
  using T = TypeParam;
  for (const Cut cut : cuts)
    for (const Side side : sides)
      for (const Uplo uplo : uplos)
        for (const Op op : ops)
          for (const int order : {1, 2, 4, 6})
            for (const int height : {order, 7}) {
              Sample<T> A = randomSample<T>(height, 7, 1, 1);
              Sample<T> B = side == Left ? randomSample<T>(order, 7, 1, 2) : randomSample<T>(7, order, 1, 2);
              A.makeDominant();
              A.poisonOther(uplo);
              this->compare(
                  B, cut,
                  [&](CutTile<T> B) {
                    split::trsm<T>(side, uplo, op, NonUnit, T(2), {A.tile(), cut}, B);
                  },
                  [&](Tile<T> B) { trsm<T>(side, uplo, op, NonUnit, T(2), A.tile(), B); });
              this->compare(
                  B, cut,
                  [&](CutTile<T> B) {
                    split::trmm<T>(side, uplo, op, NonUnit, T(2), {A.tile(), cut}, B);
                  },
                  [&](Tile<T> B) { trmm<T>(side, uplo, op, NonUnit, T(2), A.tile(), B); });
            }
}

TYPED_TEST(SplitRules, Scalings) {
  using T = TypeParam;
  for (const Cut cut : cuts)
    for (const int n : widths) {
      Sample<T> A = randomSample<T>(n, n, 1, 1), B = randomSample<T>(7, n, 1, 2);
      for (const Uplo uplo : uplos)
        this->compare(
            A, cut, [&](CutTile<T> A) { split::lascl<T>(uplo, T(3), A); }, [&](Tile<T> A) { lascl<T>(uplo, T(3), A); });
      this->compare(
          B, cut, [&](CutTile<T> B) { split::scal<T>(T(3), B); }, [&](Tile<T> B) { scal<T>(T(3), B); });
    }
}

TYPED_TEST(SplitRules, Copies) {
  using T = TypeParam;
  for (const Cut cut : cuts)
    for (const int n : widths) {
      Sample<T> A = randomSample<T>(7, n, 1, 1), C = randomSample<T>(n, 7, 1, 2);
      Sample<T> out(7, n, 1);
      for (const Op op : ops)
        this->compare(
            out, cut,
            [&](CutTile<T> B) {
              split::omatcopy<T>(op, T(2), {(op == NoTrans ? A : C).tile(), cut}, B);
            },
            [&](Tile<T> B) { omatcopy<T>(op, T(2), (op == NoTrans ? A : C).tile(), B); });
      Sample<T> sum = randomSample<T>(7, n, 1, 3);
      this->compare(
          sum, cut,
          [&](CutTile<T> B) {
            split::geadd<T>(T(2), {A.tile(), cut}, T(3), B);
          },
          [&](Tile<T> B) { geadd<T>(T(2), A.tile(), T(3), B); });
      this->compare(
          out, cut, [&](CutTile<T> B) { split::laset<T>(T(2), T(1), B); }, [&](Tile<T> B) { laset<T>(T(2), T(1), B); });
      this->compare(
          A, cut,
          [&](CutTile<T> B) {
            split::laset<T>(T(2), T(1), {B.lower(), cut});
          },
          [&](Tile<T> B) { laset<T>(T(2), T(1), B.lower()); });
      this->compare(
          out, cut,
          [&](CutTile<T> B) {
            split::copyUnitLower<T>({A.tile(), cut}, B);
          },
          [&](Tile<T> B) { copyUnitLower<T>(A.tile(), B); });
    }
}

TYPED_TEST(SplitRules, TriangularFactorsAndInverses) {
  using T = TypeParam;
  for (const Cut cut : cuts)
    for (const int n : widths)
      for (const Uplo uplo : uplos) {
        Sample<T> A = randomSample<T>(n, n, 1, 1);
        A.makePositive();
        A.poisonOther(uplo);
        this->compare(
            A, cut, [&](CutTile<T> A) { split::potrf<T>(uplo, A); }, [&](Tile<T> A) { potrf<T>(uplo, A); });
        this->compare(
            A, cut, [&](CutTile<T> A) { split::lauum<T>(uplo, A); }, [&](Tile<T> A) { lauum<T>(uplo, A); });
        for (const Diag diag : diags) {
          Sample<T> B = randomSample<T>(n, n, 1, 2);
          B.makeDominant();
          B.poisonOther(uplo, diag);
          this->compare(
              B, cut, [&](CutTile<T> B) { split::trtri<T>(uplo, diag, B); },
              [&](Tile<T> B) { trtri<T>(uplo, diag, B); });
        }
      }
}

TYPED_TEST(SplitRules, Lu) {
  using T = TypeParam;
  for (const Cut cut : cuts)
    for (const auto &[m, n] : {std::pair(7, 7), {7, 5}, {7, 1}, {4, 7}, {1, 7}}) {
      this->compare(
          luProduct<T>(m, n, 1), cut, [&](CutTile<T> A) { split::getrf_nopiv<T>(A); },
          [&](Tile<T> A) { getrf_nopiv<T>(A); });
      Sample<T> A = randomSample<T>(12, n, 0, 1);
      PanelSample<T> actual(A, {7, 5}, Layout::Separate), expected(A, {7, 5}, Layout::Separate);
      int pivots[] = {12, 3, 3, 9};
      for (const int inc : {1, -1}) {
        split::laswp<T>(0, Tile<int>(pivots, 4, 1, 4), inc, {actual.panel(), cut});
        laswp<T>(0, Tile<int>(pivots, 4, 1, 4), inc, expected.panel());
        Sample<T> x = expected.whole(), y = actual.whole();
        expectNear(x, y, 0);
      }
      const Tile<int> tiles[] = {Tile<int>(pivots, 2, 1, 2), Tile<int>(pivots + 2, 2, 1, 2)};
      split::laswpAll<T>(0, ConstPanel<int>(tiles, 2), 1, {actual.panel(), cut});
      laswpAll<T>(0, ConstPanel<int>(tiles, 2), 1, expected.panel());
      Sample<T> x = expected.whole(), y = actual.whole();
      expectNear(x, y, 0);
    }
}

/// Tiles 0 and 2 of a column in tiles of four are one node's, tile 1 another's.
TYPED_TEST(SplitRules, LaswpOfAGrid) {
  using T = TypeParam;
  int pivots[] = {6, 10, 8, 4};
  const Tile<int> ipiv(pivots, 4, 1, 4);
  for (const Cut cut : cuts)
    for (const int n : widths) {
      Sample<T> mine = randomSample<T>(7, n, 0, 1), other = randomSample<T>(4, n, 0, 2);
      Sample<T> S(4, 7), D(4, 7), expectedS(4, 7), expectedD(4, 7);
      PanelSample<T> actual(mine, {4, 3}, Layout::Separate), expected(mine, {4, 3}, Layout::Separate);
      PanelSample<T> actualOther(other, {4}, Layout::Separate), expectedOther(other, {4}, Layout::Separate);
      split::laswpGather<T>(0, 4, 2, 4, ipiv, {actualOther.panel(), cut}, {S.tile(), cut});
      laswpGather<T>(0, 4, 2, 4, ipiv, expectedOther.panel(), expectedS.tile());
      Tile<T> sent[] = {S.tile()}, expectedSent[] = {expectedS.tile()};
      split::laswpExchange<T>(0, 4, 2, ipiv, {Panel<T>(sent, 1), cut}, {actual.panel(), cut}, {D.tile(), cut});
      laswpExchange<T>(0, 4, 2, ipiv, Panel<T>(expectedSent, 1), expected.panel(), expectedD.tile());
      split::laswpScatter<T>(0, 4, 2, 4, ipiv, {D.tile(), cut}, {actualOther.panel(), cut});
      laswpScatter<T>(0, 4, 2, 4, ipiv, expectedD.tile(), expectedOther.panel());
      Sample<T> x = expected.whole(), y = actual.whole(), u = expectedOther.whole(), v = actualOther.whole();
      expectNear(x, y, 0);
      expectNear(u, v, 0);
    }
}

TYPED_TEST(SplitRules, ScaleByPivots) {
  using T = TypeParam;
  for (const Cut cut : cuts)
    for (const int n : widths) {
      Sample<T> A = luProduct<T>(n, n, 1), B = randomSample<T>(7, n, 0, 2), W(7, n), expected = W;
      this->compare(
          B, cut,
          [&](CutTile<T> B) {
            split::scaleByPivots<T>({A.tile(), cut}, B, {W.tile(), cut});
          },
          [&](Tile<T> B) { scaleByPivots<T>(A.tile(), B, expected.tile()); });
      expectNear(expected, W, this->tolerance(n));
      EXPECT_EQ(requireNonsingular<T>(A.tile()), 0);
      split::requireNonsingular<T>({A.tile(), cut});
    }
}

/// R and the vectors are those of the whole tile. The triangular factors are opaque: the same where slices are
/// multiples of ib wide, others elsewhere; so Q is compared by what it does.
TYPED_TEST(SplitRules, Qr) {
  using T = TypeParam;
  for (const Cut cut : cuts)
    for (const int ib : {1, 2, 7})
      for (const auto &[m, n] : {std::pair(7, 7), {7, 5}, {7, 1}, {4, 7}, {1, 7}}) {
        SCOPED_TRACE(testing::Message() << m << " x " << n << ", ib " << ib << ", cut " << cut.slices << ", "
                                        << cut.width);
        Sample<T> A = randomSample<T>(m, n, 0, 1), V = A, W(ib, 7), expectedW(ib, 7), C = randomSample<T>(m, 5, 0, 2);
        split::geqrt<T>(ib, {V.tile(), cut}, {W.tile(), cut});
        geqrt<T>(ib, A.tile(), expectedW.tile());
        expectNear(A, V, this->tolerance(7));
        if (cut.width % ib == 0)
          this->expectNearColumns(n, expectedW, W);
        for (const Op op : {NoTrans, ConjTrans})
          this->compare(
              C, cut,
              [&](CutTile<T> C) {
                split::unmqr<T>(op, ib, {V.tile(), cut}, {W.tile(), cut}, C);
              },
              [&](Tile<T> C) { unmqr<T>(op, ib, A.tile(), expectedW.tile(), C); });
      }
}

TYPED_TEST(SplitRules, QrOfTwoTiles) {
  using T = TypeParam;
  for (const Cut cut : cuts)
    for (const int ib : {1, 2, 7})
      for (const auto &[m, n] : {std::pair(7, 7), {7, 5}, {7, 1}, {4, 7}, {1, 7}}) {
        Sample<T> R = randomSample<T>(7, n, 0, 1), A = randomSample<T>(m, n, 0, 2), W(ib, 7), expectedW(ib, 7);
        Sample<T> C1 = randomSample<T>(7, 5, 0, 3), C2 = randomSample<T>(m, 5, 0, 4), V = A, splitR = R;
        split::tsqrt<T>(ib, {splitR.tile(), cut}, {V.tile(), cut}, {W.tile(), cut});
        tsqrt<T>(ib, R.tile(), A.tile(), expectedW.tile());
        expectNear(R, splitR, this->tolerance(7));
        expectNear(A, V, this->tolerance(7));
        if (cut.width % ib == 0)
          this->expectNearColumns(n, expectedW, W);
        for (const Op op : {NoTrans, ConjTrans}) {
          Sample<T> D1 = C1, D2 = C2, E1 = C1, E2 = C2;
          split::tsmqr<T>(op, ib, {D1.tile(), cut}, {D2.tile(), cut}, {V.tile(), cut}, {W.tile(), cut});
          tsmqr<T>(op, ib, E1.tile(), E2.tile(), A.tile(), expectedW.tile());
          expectNear(E1, D1, this->tolerance(7));
          expectNear(E2, D2, this->tolerance(7));
          split::ttmqr<T>(op, ib, {D1.tile(), cut}, {D2.tile(), cut}, {V.tile(), cut}, {expectedW.tile(), cut});
          ttmqr<T>(op, ib, E1.tile(), E2.tile(), V.tile(), expectedW.tile());
          expectNear(E1, D1, this->tolerance(14));
        }
      }
}

TYPED_TEST(SplitRules, Larfb) {
  using T = TypeParam;
  for (const Cut cut : cuts) {
    Sample<T> A = randomSample<T>(12, 7, 0, 1), C = randomSample<T>(12, 5, 0, 2), tau(7, 1), W(7, 7);
    PanelSample<T> V(A, {7, 5}, Layout::Separate), actual(C, {7, 5}, Layout::Separate),
        expected(C, {7, 5}, Layout::Separate);
    geqrf<T>(V.panel(), tau.tile(), W.tile());
    split::larfb<T>(ConjTrans, {V.panel(), cut}, {W.tile(), cut}, {actual.panel(), cut});
    larfb<T>(ConjTrans, V.panel(), W.tile(), expected.panel());
    Sample<T> x = expected.whole(), y = actual.whole();
    expectNear(x, y, this->tolerance(12));
  }
}

} // namespace
} // namespace tla::test
