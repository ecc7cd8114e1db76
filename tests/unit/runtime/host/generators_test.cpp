#include "runtime/host/problem/generators/generators.hpp"
#include "tests/unit/runtime/host/test_algorithms.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace tla::host {
namespace {
using test::usageError;
using Complex = std::complex<double>;

template <typename T>
std::vector<T> make(const std::string &text, ElementType type, int m, int n, std::uint64_t seed = 42) {
  std::vector<T> values(static_cast<std::size_t>(m) * n);
  makeGenerator(parseGenerator(text), type, "A", m, n, seed)->fill({type, values.data(), 0, 0, m, n, m});
  return values;
}

/// The matrix filled in nb x nb blocks, last ones first.
template <typename T> std::vector<T> makeByBlocks(const std::string &text, ElementType type, int n, int nb) {
  const auto source = makeGenerator(parseGenerator(text), type, "A", n, n, 42);
  std::vector<T> values(static_cast<std::size_t>(n) * n);
  for (int j = (n - 1) / nb; j >= 0; --j)
    for (int i = (n - 1) / nb; i >= 0; --i)
      source->fill({type, values.data() + i * nb + static_cast<long>(j) * nb * n, i * nb, j * nb,
                    std::min(nb, n - i * nb), std::min(nb, n - j * nb), n});
  return values;
}

/// Textbook Cholesky: true when the matrix is positive definite.
template <typename T> bool positiveDefinite(std::vector<T> a, int n) {
  const auto at = [&](int i, int j) -> T & { return a[i + static_cast<std::size_t>(j) * n]; };
  for (int j = 0; j < n; ++j) {
    for (int k = 0; k < j; ++k)
      for (int i = j; i < n; ++i)
        at(i, j) -= at(i, k) * conjugate(at(j, k));
    const double pivot = std::real(Complex(at(j, j)));
    if (!(pivot > 0))
      return false;
    for (int i = j; i < n; ++i)
      at(i, j) /= T(std::sqrt(pivot));
  }
  return true;
}

constexpr const char *hermitianOnes[] = {"spd",   "matern(0.1)", "matern(0.2, 1.5)", "matern(0.1, 2.5, 0.01)",
                                         "minij", "identity",    "spd(1000)",        "toeplitz"};

TEST(Generators, PositiveDefiniteOnes) {
  constexpr int n = 60;
  for (const char *text : hermitianOnes) {
    EXPECT_TRUE(positiveDefinite(make<double>(text, ElementType::D, n, n), n)) << text;
    EXPECT_TRUE(positiveDefinite(make<Complex>(text, ElementType::Z, n, n), n)) << text;
  }
  EXPECT_TRUE(positiveDefinite(make<double>("hilbert", ElementType::D, 8, 8), 8));
}

TEST(Generators, HermitianOnes) {
  constexpr int n = 33;
  for (const char *text : hermitianOnes) {
    const auto a = make<Complex>(text, ElementType::Z, n, n);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        ASSERT_EQ(a[i + j * n], std::conj(a[j + i * n])) << text << " " << i << " " << j;
  }
}

TEST(Generators, ComplexSpdIsTrulyComplex) {
  const auto a = make<Complex>("spd", ElementType::Z, 4, 4);
  EXPECT_NE(a[1].imag(), 0);
  EXPECT_EQ(a[0].imag(), 0);
}

TEST(Generators, SameForAnyBlocking) {
  for (const char *text : {"spd", "random", "lower", "upper", "matern(0.1)", "hilbert", "minij"})
    for (const int nb : {1, 7, 16}) {
      EXPECT_EQ(makeByBlocks<double>(text, ElementType::D, 37, nb), make<double>(text, ElementType::D, 37, 37)) << text;
      EXPECT_EQ(makeByBlocks<Complex>(text, ElementType::Z, 37, nb), make<Complex>(text, ElementType::Z, 37, 37))
          << text;
    }
}

TEST(Generators, SeedAndNameDecide) {
  const auto a = make<double>("random", ElementType::D, 5, 5, 1), b = make<double>("random", ElementType::D, 5, 5, 2);
  EXPECT_NE(a, b);
  std::vector<double> c(25);
  makeGenerator({"random", {}}, ElementType::D, "B", 5, 5, 1)->fill({ElementType::D, c.data(), 0, 0, 5, 5, 5});
  EXPECT_NE(a, c);
}

TEST(Generators, SinglePrecisionIsTheRoundedDouble) {
  const auto d = make<double>("random", ElementType::D, 9, 9);
  const auto s = make<float>("random", ElementType::S, 9, 9);
  for (std::size_t i = 0; i < d.size(); ++i)
    EXPECT_EQ(s[i], static_cast<float>(d[i]));
}

TEST(Generators, RandomIsUniform) {
  constexpr int n = 200;
  const auto a = make<double>("random", ElementType::D, n, n);
  double sum = 0, squares = 0;
  for (const double x : a) {
    ASSERT_LE(std::abs(x), 0.5);
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / (n * n), 0, 4 * std::sqrt(1.0 / 12) / n);
  EXPECT_NEAR(squares / (n * n), 1.0 / 12, 0.002);
}

TEST(Generators, TrianglesAndKnownEntries) {
  const auto lower = make<double>("lower", ElementType::D, 3, 3);
  EXPECT_EQ(lower[3], 0);
  EXPECT_NE(lower[1], 0);
  EXPECT_GT(lower[0], 2);
  const auto upper = make<double>("upper", ElementType::D, 3, 3);
  EXPECT_EQ(upper[1], 0);
  EXPECT_NE(upper[3], 0);
  EXPECT_EQ(make<double>("minij", ElementType::D, 2, 2), (std::vector<double>{1, 1, 1, 2}));
  EXPECT_EQ(make<double>("hilbert", ElementType::D, 2, 2), (std::vector<double>{1, 1.0 / 2, 1.0 / 2, 1.0 / 3}));
  EXPECT_EQ(make<double>("zero", ElementType::D, 1, 2), (std::vector<double>{0, 0}));
}

TEST(Generators, MaternIsACovariance) {
  constexpr int n = 50;
  const auto a = make<double>("matern(0.1, 0.5, 0.25)", ElementType::D, n, n);
  for (int j = 0; j < n; ++j) {
    EXPECT_DOUBLE_EQ(a[j + j * n], 1.25);
    for (int i = 0; i < n; ++i) {
      EXPECT_GT(a[i + j * n], 0);
      EXPECT_LT(a[i + j * n], i == j ? 2 : 1);
    }
  }
  // Neighbours in Morton order are near: much more correlated than the average pair.
  double neighbours = 0, all = 0;
  for (int j = 0; j + 1 < n; ++j)
    neighbours += a[j + 1 + j * n] / (n - 1);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      all += a[i + j * n] / (n * n);
  EXPECT_GT(neighbours, 2 * all);
}

TEST(Generators, PivotsAreRowsFromTheirOwnOn) {
  constexpr int n = 40;
  std::vector<int> ipiv(n);
  makeGenerator({"pivots", {}}, ElementType::I, "ipiv", n, 1, 42)->fill({ElementType::I, ipiv.data(), 0, 0, n, 1, n});
  bool moves = false;
  for (int i = 0; i < n; ++i) {
    EXPECT_TRUE(ipiv[i] > i && ipiv[i] <= n) << i;
    moves |= ipiv[i] != i + 1;
  }
  EXPECT_TRUE(moves);
}

TEST(Generators, ADominantMatrixIsDominant) {
  constexpr int m = 50, n = 30;
  std::vector<double> A(m * n);
  makeGenerator({"dominant", {}}, ElementType::D, "A", m, n, 42)->fill({ElementType::D, A.data(), 0, 0, m, n, m});
  for (int j = 0; j < n; ++j) {
    double others = 0;
    for (int i = 0; i < m; ++i)
      others += i == j ? 0 : std::abs(A[i + j * m]);
    EXPECT_GT(A[j + j * m], others);
    EXPECT_GT(others, 0.2);
  }
}

TEST(Generators, NamesWhatIsWrong) {
  const auto error = [](const std::string &text, int m = 4, int n = 4) {
    return usageError([&] { make<double>(text, ElementType::D, m, n); });
  };
  EXPECT_EQ(
      error("matren(0.1)"),
      "unknown generator 'matren' for A; known are random, spd, hermitian, dominant, lower, upper, matern, toeplitz, "
      "hilbert, minij, identity or zero; did you mean 'matern'?");
  EXPECT_EQ(error("minij(1)"), "minij(1): minij takes no arguments");
  EXPECT_EQ(error("spd(1, 2)"), "spd(1, 2): spd takes at most 1 argument (condition)");
  EXPECT_EQ(error("matern(1,2,3,4)"),
            "matern(1, 2, 3, 4): matern takes at most 3 arguments (range, smoothness, nugget)");
  EXPECT_EQ(error("matern(0)"), "matern(0): the range must be positive");
  EXPECT_EQ(error("matern(0.1, 1)"), "matern(0.1, 1): the smoothness must be 0.5, 1.5 or 2.5");
  EXPECT_EQ(error("matern(0.1, 0.5, -1)"), "matern(0.1, 0.5, -1): the nugget must not be negative");
  EXPECT_EQ(error("spd", 4, 5), "the generator spd makes square matrices, but A is 4 x 5");
  for (const char *bad : {"", "spd(", "matern(x)", "matern(1,)", "matern(0.1) x", "(1)", "a b"})
    EXPECT_NE(error(bad).find("is not a generator"), std::string::npos) << bad;
  EXPECT_EQ(error("matern()"), "no error");
}

/// det(A - shift I) by elimination has as many negative pivots as A has eigenvalues below the shift (Sylvester).
template <typename T> int eigenvaluesBelow(std::vector<T> a, int n, double shift) {
  int negative = 0;
  const auto at = [&](int i, int j) -> T & { return a[i + static_cast<std::size_t>(j) * n]; };
  for (int k = 0; k < n; ++k)
    at(k, k) -= T(shift);
  for (int k = 0; k < n; ++k) {
    negative += std::real(at(k, k)) < 0;
    for (int i = k + 1; i < n; ++i)
      for (int j = k + 1; j < n; ++j)
        at(i, j) -= at(i, k) / at(k, k) * at(k, j);
  }
  return negative;
}

template <typename T> void expectSpectrum(const char *text, ElementType type, bool alternating) {
  constexpr int n = 7; // eigenvalues 1, 1/10, ..., 10^-6
  const auto a = make<T>(text, type, n, n);
  for (int k = 0; k < n; ++k) {
    const double size = std::pow(10.0, -k), value = alternating && k % 2 == 1 ? -size : size;
    EXPECT_EQ(eigenvaluesBelow(a, n, value + 1e-3 * size) - eigenvaluesBelow(a, n, value - 1e-3 * size), 1)
        << text << " " << k;
  }
}

TEST(Generators, HaveTheConditionThatIsAsked) {
  expectSpectrum<double>("spd(1e6)", ElementType::D, false);
  expectSpectrum<Complex>("spd(1e6)", ElementType::Z, false);
  expectSpectrum<double>("hermitian(1e6)", ElementType::D, true);
  expectSpectrum<Complex>("hermitian(1e6)", ElementType::Z, true);
}

/// The Gram matrix has the squares of the singular values, on the shorter side.
TEST(Generators, RectanglesHaveTheConditionThatIsAsked) {
  for (const auto &[m, n] : {std::pair(9, 4), std::pair(4, 9)}) {
    const auto a = make<double>("random(1e3)", ElementType::D, m, n);
    const int count = std::min(m, n);
    std::vector<double> gram(static_cast<std::size_t>(count) * count);
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < count; ++j)
        for (int k = 0; k < std::max(m, n); ++k)
          gram[i + j * count] += m >= n ? a[k + i * m] * a[k + j * m] : a[i + k * m] * a[j + k * m];
    for (const double value : {1.0, 1e-2, 1e-4, 1e-6})
      EXPECT_EQ(eigenvaluesBelow(gram, count, value * 1.001) - eigenvaluesBelow(gram, count, value * 0.999), 1)
          << m << " x " << n << ", " << value;
  }
}

TEST(Generators, IndefiniteOneIsHermitian) {
  constexpr int n = 20;
  const auto a = make<Complex>("hermitian", ElementType::Z, n, n);
  const int negative = eigenvaluesBelow(a, n, 0);
  EXPECT_TRUE(negative > 3 && negative < 17) << negative;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      EXPECT_EQ(a[i + j * n], conjugate(a[j + i * n]));
}

TEST(Generators, ConditionsBelowOneAreRefused) {
  for (const char *text : {"spd(0.5)", "random(-1)", "hermitian(0)"})
    EXPECT_EQ(usageError([&] { make<double>(text, ElementType::D, 3, 3); }),
              std::string(text) + ": the condition number must be finite and at least 1");
}

TEST(Generators, PrintsWhatItReads) {
  EXPECT_EQ(printGenerator(parseGenerator(" matern( 0.1,1.5 )")), "matern(0.1, 1.5)");
}
} // namespace
} // namespace tla::host
