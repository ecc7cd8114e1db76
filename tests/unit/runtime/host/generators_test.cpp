#include "runtime/host/problem/generators.hpp"
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
                                         "minij", "identity"};

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
  EXPECT_EQ(error("matren(0.1)"),
            "unknown generator 'matren' for A; known are random, spd, dominant, lower, upper, matern, hilbert, "
            "minij, identity or zero; did you mean 'matern'?");
  EXPECT_EQ(error("spd(1)"), "spd(1): spd takes no arguments");
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

TEST(Generators, PrintsWhatItReads) {
  EXPECT_EQ(printGenerator(parseGenerator(" matern( 0.1,1.5 )")), "matern(0.1, 1.5)");
}
} // namespace
} // namespace tla::host
