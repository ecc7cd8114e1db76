// Deflation of merges, and the small solver of the leaves.
#include "eigen/deflation.hpp"
#include "eigen/leaf.hpp"
#include "eigen/steqr.hpp"
#include "tests/unit/algorithms/tridiagonal.hpp"

#include <gtest/gtest.h>

namespace {

using eigen::Deflation;
using eigen::Deflator;

TEST(Deflation, NothingDeflatesOfDistantValues) {
  const Deflation<double> merge = Deflator<double>({3, 1, 2, 0}, {0.6, 0.8, 0.6, 0.8}, 2, -0.5).deflate();
  EXPECT_EQ(merge.kept, 4);
  EXPECT_EQ(merge.rho, 1);
  EXPECT_EQ(merge.columnAt, (std::vector<int>{3, 1, 2, 0}));
  EXPECT_EQ(merge.d, (std::vector<double>{0, 1, 2, 3}));
  EXPECT_LT(merge.z[0], 0); // the lower half's row changes its sign with the edge's
  EXPECT_GT(merge.z[1], 0);
}

TEST(Deflation, EverythingDeflatesWithoutAnEdge) {
  const Deflation<double> merge = Deflator<double>({2, 1, 2, 0}, {1, 0, 1, 0}, 2, 0).deflate();
  EXPECT_EQ(merge.kept, 0);
  EXPECT_EQ(merge.columnAt, (std::vector<int>{3, 1, 0, 2}));
}

/// Rotated columns, kept and deflated, are still orthonormal, and give z and the values back.
TEST(Deflation, ClustersAreRotatedIntoOneColumn) {
  const std::vector<double> d{1, 1, 5, 1 + 1e-17, 1, 9}, z{0.3, 0.4, 0.5, 0.1, 0.5, 0.6};
  const int n = 6;
  const Deflation<double> merge = Deflator<double>(d, z, 3, 0.5).deflate();
  ASSERT_EQ(merge.kept, 3);
  std::vector<std::vector<double>> columns(n, std::vector<double>(n));
  for (int place = 0; place < n; ++place)
    if (place < merge.kept) {
      for (int x = 0; x < n; ++x)
        if (merge.placeOf[x] == place)
          columns[place][x] = merge.share[x];
    } else {
      eigen::visitDeflated<double>(eigen::RotationsOf<double>{merge}, merge.columnAt[place],
                                   [&](int x, double factor) { columns[place][x] += factor; });
    }
  for (int k = 0; k < n; ++k) {
    double projected = 0;
    for (int l = 0; l < n; ++l) {
      double dot = k == l ? -1 : 0;
      for (int x = 0; x < n; ++x)
        dot += columns[k][x] * columns[l][x];
      EXPECT_NEAR(dot, 0, 1e-15) << k << ", " << l;
    }
    for (int x = 0; x < n; ++x)
      projected += columns[k][x] * z[x] * std::sqrt(0.5);
    EXPECT_NEAR(projected, k < merge.kept ? merge.z[k] : 0, 1e-15) << k;
  }
}

/// Compares the errors with LAPACK's on the same matrix.
template <typename T>
void expectAsGoodAsLapack(const tla::test::Tridiagonal<T> &matrix, const std::vector<T> &w, const std::vector<T> &q) {
  std::vector<T> theirs, vectors;
  tla::test::lapackStedc(matrix, theirs, vectors);
  const tla::test::Errors ours = errorsOf(matrix, w, q), lapack = errorsOf(matrix, theirs, vectors);
  const double some = 0.25 + 4.0 / matrix.n(); // LAPACK's have no error at all in small cases
  EXPECT_LE(ours.residual, 2 * lapack.residual + some) << matrix.name << ", n = " << matrix.n();
  EXPECT_LE(ours.orthogonality, 2 * lapack.orthogonality + some) << matrix.name << ", n = " << matrix.n();
}

template <typename T> class Leaf : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(Leaf, Reals);

TYPED_TEST(Leaf, IsAsGoodAsLapacks) {
  for (int n : {1, 2, 3, 31, 33, 100})
    for (tla::test::Tridiagonal<TypeParam> matrix : tla::test::tridiagonalFamilies<TypeParam>(n)) {
      if (const double largest = matrix.largest(); largest > 0) // leaves are scaled
        for (int i = 0; i < n; ++i)
          matrix.d[i] /= static_cast<TypeParam>(largest), matrix.e[i] /= static_cast<TypeParam>(largest);
      std::vector<TypeParam> w(matrix.d), e(matrix.e), q(n * n);
      e[n - 1] = 0;
      ASSERT_EQ(eigen::solveLeaf(n, w.data(), e.data(), q.data(), n), 0) << matrix.name;
      expectAsGoodAsLapack(matrix, w, q);
      EXPECT_TRUE(std::is_sorted(w.begin(), w.end())) << matrix.name;
    }
}

TYPED_TEST(Leaf, QlComesBackFromNaN) {
  const TypeParam nan = std::numeric_limits<TypeParam>::quiet_NaN();
  std::vector<TypeParam> d{1, 2, 3}, e{1, nan, 0}, q(9);
  eigen::steqr(3, d.data(), e.data(), q.data(), 3);
  std::vector<TypeParam> D{1, nan, 3}, E{1, 1, 0};
  eigen::steqr(3, D.data(), E.data(), q.data(), 3);
}

} // namespace
