// Divide and conquer on tiles, and multisection, as their serial elisions: against LAPACK's on families of matrices.
#include "stedc.tla"
#include "stedc_values.tla"
#include "tests/unit/algorithms/tridiagonal.hpp"

#include <gtest/gtest.h>

namespace {

using tla::test::Tridiagonal;

template <typename T> class Stedc : public testing::Test {
protected:
  static std::vector<T> q(const Tridiagonal<T> &matrix, int nb, std::vector<T> &w) {
    const int n = matrix.n(), ld = std::max(n, 1);
    std::vector<T> d(matrix.d), e(matrix.e), vectors(static_cast<std::size_t>(n) * n);
    w.assign(n, T(0));
    tla::Matrix<T> D(d.data(), n, 1, ld, nb), E(e.data(), n, 1, ld, nb), W(w.data(), n, 1, ld, nb),
        Q(vectors.data(), n, n, ld, nb);
    stedc(D, E, W, Q);
    return vectors;
  }
  static std::vector<T> values(const Tridiagonal<T> &matrix, int nb) {
    const int n = matrix.n(), ld = std::max(n, 1);
    std::vector<T> d(matrix.d), e(matrix.e), w(n);
    tla::Matrix<T> D(d.data(), n, 1, ld, nb), E(e.data(), n, 1, ld, nb), W(w.data(), n, 1, ld, nb);
    stedc_values(D, E, W);
    return w;
  }
};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(Stedc, Reals);

TYPED_TEST(Stedc, ErrorsAreAtMostTwiceLapacks) {
  for (const auto &[n, nb] : {std::pair{1, 1}, {2, 1}, {9, 1}, {42, 8}, {130, 40}})
    for (const Tridiagonal<TypeParam> &matrix : tla::test::tridiagonalFamilies<TypeParam>(n)) {
      std::vector<TypeParam> w, theirs, vectors;
      const std::vector<TypeParam> q = this->q(matrix, nb, w);
      tla::test::lapackStedc(matrix, theirs, vectors);
      const tla::test::Errors ours = errorsOf(matrix, w, q), lapack = errorsOf(matrix, theirs, vectors);
      const double some = 0.25 + 8.0 / n; // LAPACK's have no error at all in small cases
      EXPECT_LE(ours.residual, 2 * lapack.residual + some) << matrix.name << ", n = " << n;
      EXPECT_LE(ours.orthogonality, 2 * lapack.orthogonality + some) << matrix.name << ", n = " << n;
      EXPECT_TRUE(std::is_sorted(w.begin(), w.end())) << matrix.name;
    }
}

TYPED_TEST(Stedc, ValuesWithoutVectorsAreThoseWithThem) {
  constexpr double eps = std::numeric_limits<TypeParam>::epsilon();
  for (const auto &[n, nb] : {std::pair{1, 1}, {2, 1}, {42, 8}, {130, 40}, {130, 200}})
    for (const Tridiagonal<TypeParam> &matrix : tla::test::tridiagonalFamilies<TypeParam>(n)) {
      const std::vector<TypeParam> w = this->values(matrix, nb);
      std::vector<TypeParam> theirs, vectors;
      tla::test::lapackStedc(matrix, theirs, vectors);
      EXPECT_TRUE(std::is_sorted(w.begin(), w.end())) << matrix.name;
      for (int k = 0; k < n; ++k)
        ASSERT_NEAR(w[k], theirs[k], (8 + n / 8) * eps * matrix.largest())
            << matrix.name << ", value " << k << " of " << n;
    }
}

TYPED_TEST(Stedc, ARangeHasTheColumnsOfTheWhole) {
  const Tridiagonal<TypeParam> matrix = tla::test::tridiagonalFamilies<TypeParam>(60)[0];
  const int n = 60, nb = 10;
  std::vector<TypeParam> w, part(n), d(matrix.d), e(matrix.e), vectors(n * n);
  const std::vector<TypeParam> whole = this->q(matrix, nb, w);
  tla::Matrix<TypeParam> D(d.data(), n, 1, n, nb), E(e.data(), n, 1, n, nb), W(part.data(), n, 1, n, nb),
      Q(vectors.data(), n, n, n, nb);
  stedc_range(15, 31, D, E, W, Q);
  EXPECT_EQ(part, w);
  EXPECT_TRUE(std::equal(whole.begin() + 14 * n, whole.begin() + 31 * n, vectors.begin() + 14 * n));
  EXPECT_FALSE(std::equal(whole.begin() + 50 * n, whole.end(), vectors.begin() + 50 * n)); // nobody asked for these
}

TEST(StedcScale, NamesTheRowThatIsNotFinite) {
  for (double bad : {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity()})
    for (bool edge : {false, true}) {
      double d[5] = {1, 2, 3, 4, 5}, e[5] = {1, 1, 1, 1, std::numeric_limits<double>::quiet_NaN()}, scale = 0, w[5];
      const tla::Tile<double> D[2] = {{d, 3, 1, 5}, {d + 3, 2, 1, 5}}, E[2] = {{e, 3, 1, 5}, {e + 3, 2, 1, 5}};
      const tla::ConstPanel<double> panelD(D, 2), panelE(E, 2);
      EXPECT_EQ(stedcScale<double>(panelD, panelE, tla::Tile<double>(&scale, 1, 1, 1)), 0);
      EXPECT_EQ(scale, 4);
      (edge ? e : d)[3] = bad;
      EXPECT_EQ(stedcScale<double>(panelD, panelE, tla::Tile<double>(&scale, 1, 1, 1)), 4);
      EXPECT_EQ(sturmValues<double>(0, panelD, panelE, tla::Tile<double>(w, 5, 1, 5)), 4);
    }
}

} // namespace
