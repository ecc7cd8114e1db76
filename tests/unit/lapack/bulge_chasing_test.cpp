// Bands made bidiagonal, against the band itself: Q^H B P is the bidiagonal matrix, to rounding.
#include "lapack/svd/bulge_chasing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <random>
#include <type_traits>

namespace tla::lapack {
namespace {

template <typename T> using Matrix = std::vector<T>; ///< n x n, column-major

template <typename T> T randomElement(std::mt19937 &random) {
  std::uniform_real_distribution<RealType<T>> uniform(-1, 1);
  if constexpr (isComplex<T>)
    return {uniform(random), uniform(random)};
  else
    return uniform(random);
}

/// 77 outside of the band: nobody may look there.
template <typename T> Matrix<T> randomBand(long n, long bandwidth, RealType<T> scale = 1) {
  std::mt19937 random(static_cast<unsigned>(100 * n + bandwidth));
  Matrix<T> B(n * n, T(77));
  for (long j = 0; j < n; ++j)
    for (long i = std::max(0L, j - bandwidth); i <= j; ++i)
      B[i + j * n] = scale * randomElement<T>(random);
  return B;
}

template <typename T> Matrix<T> identity(long n) {
  Matrix<T> I(n * n);
  for (long i = 0; i < n; ++i)
    I[i * (n + 1)] = T(1);
  return I;
}

/// The band's part of B.
template <typename T> T element(const Matrix<T> &B, long n, long bandwidth, long i, long j) {
  return i <= j && j <= i + bandwidth ? B[i + j * n] : T(0);
}

template <typename T> struct Bidiagonal {
  std::vector<RealType<T>> d, e;
  Matrix<T> QH, P;
};

template <typename T> Bidiagonal<T> reduce(const Matrix<T> &B, long n, long bandwidth, int threads) {
  BulgeChasing<T> chasing(n, bandwidth, true);
  chasing.load(B.data(), n);
  Bidiagonal<T> result{{}, {}, identity<T>(n), identity<T>(n)};
  chasing.reduce(threads, result.QH.data(), n, n);
  chasing.applyP(threads, result.P.data(), n, n);
  result.d = chasing.diagonal(), result.e = chasing.superdiagonal();
  return result;
}

/// max |Q^H B P - D|, and |P^H P - I|, over eps and the largest element.
template <typename T> double error(const Matrix<T> &B, long n, long bandwidth, const Bidiagonal<T> &r) {
  using Wide = std::conditional_t<isComplex<T>, std::complex<long double>, long double>;
  const auto wide = [](T x) { return Wide(x); };
  const auto conjugate = [](Wide x) {
    if constexpr (isComplex<T>)
      return std::conj(x);
    else
      return x;
  };
  std::vector<Wide> QB(n * n);
  long double worst = 0, largest = 0;
  for (long j = 0; j < n; ++j)
    for (long k = std::max(0L, j - bandwidth); k <= j; ++k) {
      const Wide b = wide(element(B, n, bandwidth, k, j));
      largest = std::max(largest, std::abs(b));
      for (long i = 0; i < n; ++i)
        QB[i + j * n] += wide(r.QH[i + k * n]) * b;
    }
  for (long j = 0; j < n; ++j)
    for (long i = 0; i < n; ++i) {
      Wide sum = 0, product = 0;
      for (long k = 0; k < n; ++k) {
        sum += QB[i + k * n] * wide(r.P[k + j * n]);
        product += conjugate(wide(r.P[k + i * n])) * wide(r.P[k + j * n]);
      }
      const long double d = i == j ? r.d[i] : j == i + 1 ? r.e[i] : 0;
      worst = std::max({worst, std::abs(sum - d) / largest, std::abs(product - Wide(i == j ? 1 : 0))});
    }
  return static_cast<double>(worst / std::numeric_limits<RealType<T>>::epsilon());
}

} // namespace

template <typename T> class BulgeChasingOf : public testing::Test {};
using Types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(BulgeChasingOf, Types);

TYPED_TEST(BulgeChasingOf, MakesBandsBidiagonal) {
  using T = TypeParam;
  for (const long n : {1, 2, 3, 7, 16, 33, 64, 100})
    for (const long bandwidth : {1, 2, 3, 8, 16, 31, 100}) {
      const Matrix<T> B = randomBand<T>(n, bandwidth);
      EXPECT_LT(error(B, n, bandwidth, reduce(B, n, bandwidth, 2)), 60) << "n " << n << ", bandwidth " << bandwidth;
    }
}

TYPED_TEST(BulgeChasingOf, HasTheSameBitsOnAnyNumberOfThreads) {
  using T = TypeParam;
  for (const long bandwidth : {2, 5, 16}) {
    const long n = 100;
    const Matrix<T> B = randomBand<T>(n, bandwidth);
    const Bidiagonal<T> expected = reduce(B, n, bandwidth, 1);
    for (const int threads : {2, 3, 8})
      for (int repeat = 0; repeat < 3; ++repeat) {
        const Bidiagonal<T> found = reduce(B, n, bandwidth, threads);
        EXPECT_TRUE(found.d == expected.d && found.e == expected.e && found.QH == expected.QH && found.P == expected.P)
            << threads << " threads, bandwidth " << bandwidth;
      }
  }
}

TYPED_TEST(BulgeChasingOf, TakesElementsOfAnySize) {
  using T = TypeParam;
  using Real = RealType<T>;
  const long n = 40, bandwidth = 6;
  for (const Real scale : {std::numeric_limits<Real>::min() * 1000, std::numeric_limits<Real>::max() / 1000}) {
    const Matrix<T> B = randomBand<T>(n, bandwidth, scale);
    EXPECT_LT(error(B, n, bandwidth, reduce(B, n, bandwidth, 2)), 60) << scale;
  }
  // Rows and columns from 1 down to where squares vanish.
  Matrix<T> graded = randomBand<T>(n, bandwidth);
  for (long j = 0; j < n; ++j)
    for (long i = 0; i < n; ++i)
      graded[i + j * n] *= std::pow(std::numeric_limits<Real>::min(), Real(i + j) / Real(2 * n));
  EXPECT_LT(error(graded, n, bandwidth, reduce(graded, n, bandwidth, 2)), 60);
}

TYPED_TEST(BulgeChasingOf, ReflectorsOfTheSmallestNumbersAreUnitary) {
  using T = TypeParam;
  using Real = RealType<T>;
  for (const Real tiny : {std::numeric_limits<Real>::denorm_min(), 5 * std::numeric_limits<Real>::denorm_min(),
                          std::numeric_limits<Real>::min(), std::sqrt(std::numeric_limits<Real>::min()) / 4}) {
    const long n = 30;
    for (const long bandwidth : {1, 4}) {
      Matrix<T> B(n * n);
      for (long i = 0; i < n; ++i) {
        B[i * (n + 1)] = T(1);
        for (long j = i + 1; j <= std::min(n - 1, i + bandwidth); ++j)
          B[i + j * n] = tiny * (isComplex<T> ? T(1) + std::sqrt(T(-1)) : T(1));
      }
      EXPECT_LT(error(B, n, bandwidth, reduce(B, n, bandwidth, 1)), 60) << tiny;
    }
    Matrix<T> B{tiny * (isComplex<T> ? T(1) + std::sqrt(T(-1)) : T(1)), T(0), T(1), T(1)};
    EXPECT_LT(error(B, 2, 1, reduce(B, 2, 1, 1)), 60) << tiny;
  }
}

/// Parts that have nothing to do with large ones keep their digits.
TYPED_TEST(BulgeChasingOf, SmallPartsKeepTheirNorm) {
  using T = TypeParam;
  using Real = RealType<T>;
  const long n = 40, bandwidth = 4, half = n / 2;
  for (const Real scale : {std::sqrt(std::numeric_limits<Real>::min()), std::numeric_limits<Real>::min() * 1e6f}) {
    Matrix<T> B = randomBand<T>(n, bandwidth);
    long double expected = 0, found = 0;
    for (long j = half; j < n; ++j)
      for (long i = 0; i < n; ++i) {
        B[i + j * n] *= i < half ? T(0) : T(scale);
        expected += i < half ? 0 : std::norm(std::complex<long double>(element(B, n, bandwidth, i, j)));
      }
    const Bidiagonal<T> r = reduce(B, n, bandwidth, 1);
    for (long i = half; i < n; ++i)
      found += static_cast<long double>(r.d[i]) * r.d[i] + (i + 1 < n ? static_cast<long double>(r.e[i]) * r.e[i] : 0);
    EXPECT_NEAR(static_cast<double>(found / expected), 1, 1e-4) << scale;
  }
}

TYPED_TEST(BulgeChasingOf, TakesZeros) {
  using T = TypeParam;
  const long n = 30, bandwidth = 5;
  Matrix<T> B(n * n);
  const Bidiagonal<T> zero = reduce(B, n, bandwidth, 2);
  EXPECT_TRUE(std::all_of(zero.d.begin(), zero.d.end(), [](auto x) { return x == 0; }));
  EXPECT_TRUE(std::all_of(zero.e.begin(), zero.e.end(), [](auto x) { return x == 0; }));
  B = randomBand<T>(n, bandwidth);
  for (long i = 0; i < n; ++i) // a row, a column, and all behind one
    B[10 + i * n] = B[i + 15 * n] = T(0);
  for (long j = 24; j < n; ++j)
    for (long i = 0; i < n; ++i)
      B[i + j * n] = T(0);
  EXPECT_LT(error(B, n, bandwidth, reduce(B, n, bandwidth, 2)), 60);
}

} // namespace tla::lapack
