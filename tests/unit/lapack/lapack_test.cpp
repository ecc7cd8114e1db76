// The drop-in library as a C++ host meets it: linked before OpenBLAS, with tiles of 16 from order 32 on (see
// CMakeLists.txt). The answers are compared with those of OpenBLAS's own routines.
#include "tests/unit/lapack/host_calls.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <complex>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <limits>
#include <random>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

// A child process starts threads of its own, which the sanitizer refuses by default after a fork.
extern "C" const char *__tsan_default_options() { return "die_after_fork=0"; }

extern "C" {
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info);
void dpotrs_(const char *uplo, const int *n, const int *nrhs, const double *a, const int *lda, double *b,
             const int *ldb, int *info);
void dpotri_(const char *uplo, const int *n, double *a, const int *lda, int *info);
void dtrtri_(const char *uplo, const char *diag, const int *n, double *a, const int *lda, int *info);
void dtrtrs_(const char *uplo, const char *trans, const char *diag, const int *n, const int *nrhs, const double *a,
             const int *lda, double *b, const int *ldb, int *info);
void dsgesv_(const int *n, const int *nrhs, double *a, const int *lda, int *ipiv, const double *b, const int *ldb,
             double *x, const int *ldx, double *work, float *swork, int *iter, int *info);
void dlauum_(const char *uplo, const int *n, double *a, const int *lda, int *info);
void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);
void dgesv_(const int *n, const int *nrhs, double *a, const int *lda, int *ipiv, double *b, const int *ldb, int *info);
void dgetri_(const int *n, double *a, const int *lda, const int *ipiv, double *work, const int *lwork, int *info);
void dgeqrf_(const int *m, const int *n, double *a, const int *lda, double *tau, double *work, const int *lwork,
             int *info);
void zunmqr_(const char *side, const char *trans, const int *m, const int *n, const int *k,
             const std::complex<double> *a, const int *lda, const std::complex<double> *tau, std::complex<double> *c,
             const int *ldc, std::complex<double> *work, const int *lwork, int *info);
void dgels_(const char *trans, const int *m, const int *n, const int *nrhs, double *a, const int *lda, double *b,
            const int *ldb, double *work, const int *lwork, int *info);
void dgelsd_(const int *m, const int *n, const int *nrhs, double *a, const int *lda, double *b, const int *ldb,
             double *s, const double *rcond, int *rank, double *work, const int *lwork, int *iwork, int *info);
void zgelsd_(const int *m, const int *n, const int *nrhs, std::complex<double> *a, const int *lda,
             std::complex<double> *b, const int *ldb, double *s, const double *rcond, int *rank,
             std::complex<double> *work, const int *lwork, double *rwork, int *iwork, int *info);
void dgesdd_(const char *jobz, const int *m, const int *n, double *a, const int *lda, double *s, double *u,
             const int *ldu, double *vt, const int *ldvt, double *work, const int *lwork, int *iwork, int *info);
void zgesvd_(const char *jobu, const char *jobvt, const int *m, const int *n, std::complex<double> *a, const int *lda,
             double *s, std::complex<double> *u, const int *ldu, std::complex<double> *vt, const int *ldvt,
             std::complex<double> *work, const int *lwork, double *rwork, int *info);
void zposv_(const char *uplo, const int *n, const int *nrhs, std::complex<double> *a, const int *lda,
            std::complex<double> *b, const int *ldb, int *info);
int openblas_get_num_threads();
void openblas_set_num_threads(int);
}

namespace {

using tla::lapack::test::original;
using tla::lapack::test::report;

std::string illegalRoutine;
int illegalPosition = 0;

using Real = std::vector<double>;
using Potrf = decltype(&dpotrf_);

/// Symmetric positive definite, columns lda apart; -7 in the rows between.
Real positiveDefinite(int n, int lda) {
  std::mt19937 random(n);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Real A(static_cast<std::size_t>(lda) * n, -7);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i <= j; ++i)
      A[i + j * lda] = A[j + i * lda] = uniform(random) + (i == j ? n : 0);
  return A;
}

template <typename T> std::vector<T> randomMatrix(int rows, int columns, int lda) {
  std::mt19937 random(rows + 1000 * columns);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<T> A(static_cast<std::size_t>(lda) * columns, T(-7));
  for (int j = 0; j < columns; ++j)
    for (int i = 0; i < rows; ++i) {
      A[i + j * lda] = uniform(random);
      if constexpr (!std::is_same_v<T, double>)
        A[i + j * lda] += T(0, uniform(random));
    }
  return A;
}

double largestDifference(const Real &A, const Real &B) {
  double largest = 0;
  for (std::size_t i = 0; i < A.size(); ++i)
    largest = std::max(largest, std::abs(A[i] - B[i]));
  return largest;
}

bool contains(const std::string &text, const char *part) { return text.find(part) != std::string::npos; }

int factor(const char *uplo, int n, Real &A, int lda) {
  int info = -99;
  dpotrf_(uplo, &n, A.data(), &lda, &info);
  return info;
}

} // namespace

/// The test program's own error handler: LAPACK's would end nothing here, but would print.
extern "C" void xerbla_(const char *routine, const int *position, std::size_t length) {
  illegalRoutine.assign(routine, length);
  illegalPosition = *position;
}

TEST(Lapack, FactorIsTheOtherLibrarysAndTheRestIsUntouched) {
  const Potrf theirs = original(&dpotrf_, "dpotrf_");
  ASSERT_NE(theirs, &dpotrf_);
  for (const char *uplo : {"L", "U", "l", "u"})
    for (const int n : {32, 33, 64, 100}) {
      const int lda = n + 5;
      Real A = positiveDefinite(n, lda), B = A;
      const std::string lines = report([&] { EXPECT_EQ(factor(uplo, n, A, lda), 0); });
      EXPECT_TRUE(contains(lines, "tiled, nb 16, 3 threads")) << lines;
      int info = 0;
      theirs(uplo, &n, B.data(), &lda, &info);
      EXPECT_LT(largestDifference(A, B), 1e-12) << uplo << n; // the other triangle and the rows below n: exactly 0
    }
}

TEST(Lapack, SmallMatricesArePassedOn) {
  Real A = positiveDefinite(31, 31);
  std::string lines = report([&] { EXPECT_EQ(factor("L", 31, A, 31), 0); });
  EXPECT_TRUE(contains(lines, "dpotrf n=31: passed on (smaller than 32)")) << lines;
  lines = report([&] { EXPECT_EQ(factor("L", 0, A, 1), 0); });
  EXPECT_TRUE(contains(lines, "passed on (nothing to compute)")) << lines;
}

TEST(Lapack, IllegalArgumentsGoToTheProgramsXerbla) {
  struct Case {
    const char *uplo;
    int n, lda, position;
  };
  Real A(100, 1);
  for (const Case &c : {Case{"X", -1, 0, 1}, {"L", -1, 0, 2}, {"U", 5, 4, 4}, {"L", 0, 0, 4}}) {
    illegalPosition = 0;
    EXPECT_EQ(factor(c.uplo, c.n, A, c.lda), -c.position);
    EXPECT_EQ(illegalRoutine, "DPOTRF");
    EXPECT_EQ(illegalPosition, c.position);
  }
  const int n = 40, nrhs = 3, lda = 40, ldb = 39;
  std::complex<double> none;
  int info = 0;
  zposv_("L", &n, &nrhs, &none, &lda, &none, &ldb, &info);
  EXPECT_EQ(info, -7);
  EXPECT_EQ(illegalRoutine, "ZPOSV ");
}

TEST(Lapack, InfoIsTheOrderOfTheMinorAndBStays) {
  const int n = 100, nrhs = 40;
  for (const char *uplo : {"L", "U"})
    for (const int bad : {1, 40, 100}) {
      Real A = positiveDefinite(n, n);
      A[(bad - 1) * (n + 1)] = -1;
      EXPECT_EQ(factor(uplo, n, A, n), bad);

      std::vector<std::complex<double>> C(n * n), B(n * nrhs, 3.0);
      const Real original = positiveDefinite(n, n);
      std::copy(original.begin(), original.end(), C.begin());
      C[(bad - 1) * (n + 1)] = -1;
      int info = 0;
      zposv_(uplo, &n, &nrhs, C.data(), &n, B.data(), &n, &info);
      EXPECT_EQ(info, bad);
      EXPECT_TRUE(std::all_of(B.begin(), B.end(), [](std::complex<double> b) { return b == 3.0; }));
    }
}

TEST(Lapack, NotANumberIsNotPositiveDefinite) {
  Real A = positiveDefinite(80, 80);
  A[50 * 81] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(factor("L", 80, A, 80), 51);
}

TEST(Lapack, AZeroPivotIsReportedAndTheFactorizationCompleted) {
  const int n = 100, nrhs = 40;
  Real A = positiveDefinite(n, n), B(n * nrhs, 3.0);
  for (const int zero : {30, 71}) // columns, from 1
    std::fill_n(A.begin() + (zero - 1) * n, n, 0.0);
  Real C = A, D = A;
  std::vector<int> ipiv(n), expectedPivots(n);
  int info = 0;
  dgetrf_(&n, &n, A.data(), &n, ipiv.data(), &info);
  EXPECT_EQ(info, 30);
  original(&dgetrf_, "dgetrf_")(&n, &n, C.data(), &n, expectedPivots.data(), &info);
  EXPECT_EQ(ipiv, expectedPivots);
  EXPECT_LT(largestDifference(A, C), 1e-11);

  dgesv_(&n, &nrhs, D.data(), &n, ipiv.data(), B.data(), &n, &info);
  EXPECT_EQ(info, 30);
  EXPECT_EQ(B, Real(n * nrhs, 3.0));
}

TEST(Lapack, SingularTrianglesStayAsTheyAre) {
  const int n = 100, lwork = n;
  Real A = positiveDefinite(n, n), work(n);
  A[60 * (n + 1)] = A[80 * (n + 1)] = 0;
  const Real before = A;
  std::vector<int> ipiv(n, 1);
  int info = 0;
  dtrtri_("U", "N", &n, A.data(), &n, &info);
  EXPECT_EQ(info, 61);
  dpotri_("L", &n, A.data(), &n, &info);
  EXPECT_EQ(info, 61);
  dgetri_(&n, A.data(), &n, ipiv.data(), work.data(), &lwork, &info);
  EXPECT_EQ(info, 61);
  EXPECT_GE(work[0], n); // the best size, as LAPACK leaves it
  EXPECT_EQ(A, before);
}

TEST(Lapack, TrianglesAreSolvedAsTheOtherLibraryDoes) {
  const int n = 100, nrhs = 40;
  const Real A = positiveDefinite(n, n), before(n * nrhs, 3.0);
  for (const char *uplo : {"L", "U"})
    for (const char *trans : {"N", "T", "C"})
      for (const char *diag : {"N", "U"}) {
        Real B = randomMatrix<double>(n, nrhs, n), expected = B, D = A;
        if (*diag == 'U')
          for (double &element : D)
            element /= n;
        int info = -99;
        EXPECT_TRUE(contains(report([&] { dtrtrs_(uplo, trans, diag, &n, &nrhs, D.data(), &n, B.data(), &n, &info); }),
                             "tiled"));
        EXPECT_EQ(info, 0);
        original(&dtrtrs_, "dtrtrs_")(uplo, trans, diag, &n, &nrhs, D.data(), &n, expected.data(), &n, &info);
        EXPECT_LT(largestDifference(B, expected), 1e-11) << uplo << trans << diag;
      }
  Real singular = A, B = before;
  singular[70 * (n + 1)] = 0;
  int info = -99;
  dtrtrs_("L", "N", "N", &n, &nrhs, singular.data(), &n, B.data(), &n, &info);
  EXPECT_EQ(info, 71);
  EXPECT_EQ(B, before);
  const int small = n - 1;
  dtrtrs_("L", "X", "N", &n, &nrhs, singular.data(), &n, B.data(), &n, &info);
  EXPECT_EQ(info, -2);
  dtrtrs_("L", "N", "N", &n, &nrhs, singular.data(), &n, B.data(), &small, &info);
  EXPECT_EQ(info, -9);
}

TEST(Lapack, MixedPrecisionComesOntoTilesByItsParts) {
  const int n = 100, nrhs = 40;
  Real A = positiveDefinite(n, n), B = randomMatrix<double>(n, nrhs, n), X(n * nrhs), work(n * nrhs);
  std::vector<float> swork(n * (n + nrhs));
  std::vector<int> ipiv(n);
  int iterations = -99, info = -99;
  const std::string lines = report([&] {
    dsgesv_(&n, &nrhs, A.data(), &n, ipiv.data(), B.data(), &n, X.data(), &n, work.data(), swork.data(), &iterations,
            &info);
  });
  EXPECT_EQ(info, 0);
  EXPECT_GT(iterations, 0); // and so in single precision
  EXPECT_TRUE(contains(lines, "sgetrf m=100 n=100: tiled") && contains(lines, "sgetrs n=100 nrhs=40: tiled")) << lines;
  const Real full = positiveDefinite(n, n);
  for (int j = 0; j < nrhs; ++j)
    for (int i = 0; i < n; ++i) {
      double sum = -B[i + j * n];
      for (int k = 0; k < n; ++k)
        sum += full[i + k * n] * X[k + j * n];
      EXPECT_LT(std::abs(sum), 1e-12);
    }
}

TEST(Lapack, LauumIsTheOtherLibrarys) {
  const int n = 70;
  for (const char *uplo : {"L", "U"}) {
    Real A = positiveDefinite(n, n), B = A;
    int info = -99;
    dlauum_(uplo, &n, A.data(), &n, &info);
    EXPECT_EQ(info, 0);
    original(&dlauum_, "dlauum_")(uplo, &n, B.data(), &n, &info);
    EXPECT_LT(largestDifference(A, B), 1e-10);
  }
}

TEST(Lapack, WorkspacesAreAnsweredForAndChecked) {
  const int m = 90, n = 60, ask = -1, small = n - 1, enough = n;
  Real A = positiveDefinite(m, m), tau(n), work(n, -1), theirs(1);
  int info = -99;
  dgeqrf_(&m, &n, A.data(), &m, tau.data(), work.data(), &ask, &info);
  EXPECT_EQ(info, 0);
  EXPECT_EQ(A, positiveDefinite(m, m));
  original(&dgeqrf_, "dgeqrf_")(&m, &n, A.data(), &m, tau.data(), theirs.data(), &ask, &info);
  EXPECT_GE(work[0], theirs[0]);

  dgeqrf_(&m, &n, A.data(), &m, tau.data(), work.data(), &small, &info);
  EXPECT_EQ(info, -7);
  EXPECT_EQ(illegalRoutine, "DGEQRF");
  work[0] = -1;
  const std::string lines = report([&] { dgeqrf_(&m, &n, A.data(), &m, tau.data(), work.data(), &enough, &info); });
  EXPECT_EQ(info, 0);
  EXPECT_TRUE(contains(lines, "dgeqrf m=90 n=60: tiled")) << lines;
  EXPECT_GE(work[0], theirs[0]); // LAPACK leaves the best size there

  std::complex<double> none;
  zunmqr_("L", "T", &m, &n, &n, &none, &m, &none, &none, &m, &none, &ask, &info);
  EXPECT_EQ(info, -2); // complex: 'C'
  EXPECT_EQ(illegalRoutine, "ZUNMQR");
}

TEST(Lapack, LeastSquaresWithoutFullRankNamesTheFirstZero) {
  const int m = 120, n = 80, nrhs = 3, lwork = 2 * n;
  Real A(m * n, 0), B(m * nrhs, 1.0), work(lwork);
  for (int j = 0; j < n; ++j)
    A[j + j * m] = j == 37 || j == 5 ? 0 : 2;
  int info = 0;
  dgels_("N", &m, &n, &nrhs, A.data(), &m, B.data(), &m, work.data(), &lwork, &info);
  EXPECT_EQ(info, 6);
}

namespace {

/// The columns from `rank` on become sums of two before them.
template <typename T> void lowerRank(std::vector<T> &A, int m, int n, int lda, int rank) {
  for (int j = rank; j < n; ++j)
    for (int i = 0; i < m; ++i)
      A[i + j * lda] = A[i + (j - rank) % rank * lda] + A[i + (j - rank + 1) % rank * lda];
}

template <typename T> struct LeastSquares {
  std::vector<T> B;
  Real s;
  int rank = -99, info = -99;
};

/// gelsd of `function`, ours or the original.
template <typename T, typename Function>
LeastSquares<T> gelsd(Function function, int m, int n, int nrhs, std::vector<T> A, int lda, std::vector<T> B, int ldb,
                      double rcond, int lwork = 200000) {
  LeastSquares<T> r{std::move(B), Real(std::min(m, n), -1)};
  std::vector<T> work(200000);
  std::vector<int> iwork(20000);
  if constexpr (std::is_same_v<T, double>) {
    function(&m, &n, &nrhs, A.data(), &lda, r.B.data(), &ldb, r.s.data(), &rcond, &r.rank, work.data(), &lwork,
             iwork.data(), &r.info);
  } else {
    Real rwork(200000);
    function(&m, &n, &nrhs, A.data(), &lda, r.B.data(), &ldb, r.s.data(), &rcond, &r.rank, work.data(), &lwork,
             rwork.data(), iwork.data(), &r.info);
  }
  return r;
}

template <typename T, typename Function>
void expectTheOtherLibrarysLeastSquares(Function ours, Function theirs, const char *letter) {
  const struct {
    int m, n, rank;
  } cases[] = {{100, 100, 100}, {130, 90, 90}, {300, 60, 60}, {100, 100, 37}, {300, 60, 20}, {33, 32, 32}};
  for (const auto &c : cases)
    for (const int nrhs : {1, std::is_same_v<T, double> ? 5 : 2}) {
      const int lda = c.m + 3, ldb = c.m + 2;
      std::vector<T> A = randomMatrix<T>(c.m, c.n, lda);
      lowerRank(A, c.m, c.n, lda, c.rank);
      const std::vector<T> B = randomMatrix<T>(c.m, nrhs, ldb);
      LeastSquares<T> found;
      const std::string lines = report([&] { found = gelsd(ours, c.m, c.n, nrhs, A, lda, B, ldb, 1e-10); });
      const LeastSquares<T> expected = gelsd(theirs, c.m, c.n, nrhs, A, lda, B, ldb, 1e-10);
      EXPECT_TRUE(contains(lines, (std::string("hetc: ") + letter + "gelsd").c_str()) && contains(lines, "tiled"))
          << lines;
      EXPECT_EQ(found.info, 0);
      EXPECT_EQ(found.rank, c.rank);
      EXPECT_EQ(expected.rank, c.rank);
      for (int i = 0; i < c.n; ++i)
        EXPECT_NEAR(found.s[i], expected.s[i], 1e-12 * expected.s[0]);
      for (int j = 0; j < nrhs; ++j) {
        double residual = 0, theirResidual = 0; // as long as the rank is full
        for (int i = 0; i < ldb; ++i) {
          const T x = found.B[i + j * ldb], y = expected.B[i + j * ldb];
          if (i < c.n || i >= c.m) {
            EXPECT_LT(std::abs(x - y), 1e-8 * (1 + std::abs(y))) << c.m << " x " << c.n << " element " << i;
          } else {
            residual += std::norm(x), theirResidual += std::norm(y);
          }
        }
        if (c.rank == c.n) {
          EXPECT_NEAR(residual, theirResidual, 1e-11 * (1 + theirResidual));
        }
      }
    }
}

} // namespace

TEST(Lapack, LeastSquaresBySingularValuesAreTheOtherLibrarys) {
  expectTheOtherLibrarysLeastSquares<double>(&dgelsd_, original(&dgelsd_, "dgelsd_"), "d");
  expectTheOtherLibrarysLeastSquares<std::complex<double>>(&zgelsd_, original(&zgelsd_, "zgelsd_"), "z");
}

TEST(Lapack, LeastSquaresThatAreNotForTilesArePassedOn) {
  const int m = 80, n = 60;
  const Real A = randomMatrix<double>(m, n, m), B = randomMatrix<double>(m, 20, m);
  const auto linesOf = [&](int rows, int columns, int nrhs, const Real &a, const Real &b) {
    return report([&] { gelsd(&dgelsd_, rows, columns, nrhs, a, rows, b, std::max(rows, columns), -1); });
  };
  EXPECT_TRUE(contains(linesOf(n, m, 1, A, B), "passed on (m < n)"));
  EXPECT_TRUE(contains(linesOf(m, n, 20, A, B), "passed on (many right-hand sides)"));
  EXPECT_TRUE(contains(linesOf(m, n, 0, A, B), "passed on (nothing to compute)"));
  for (const double factor : {0., 1e-305, 1e300}) {
    Real scaled = A;
    for (double &a : scaled)
      a *= factor;
    EXPECT_TRUE(contains(linesOf(m, n, 1, scaled, B), "passed on (to be scaled)")) << factor;
  }
  for (const double strange : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Real spoiled = A, right = B;
    spoiled[40 + 30 * m] = right[77] = strange;
    EXPECT_TRUE(contains(linesOf(m, n, 1, spoiled, B), "passed on (to be scaled)")) << strange;
    EXPECT_TRUE(contains(linesOf(m, n, 1, A, right), "passed on (to be scaled)")) << strange;
  }
  // LWORK: LAPACK's own says what it wants, and is asked where it might say that it is too little.
  const int levels = 2, least = 12 * n + 50 * n + 8 * n * levels + n + 26 * 26;
  for (const int lwork : {10, 62 * n + n + 26 * 26, least - 1}) {
    illegalPosition = 0;
    EXPECT_EQ(gelsd(&dgelsd_, m, n, 1, A, m, B, m, -1, lwork).info, -12);
    EXPECT_EQ(illegalPosition, 12);
  }
  EXPECT_TRUE(contains(report([&] { EXPECT_EQ(gelsd(&dgelsd_, m, n, 1, A, m, B, m, -1, least).info, 0); }), "tiled"));
  EXPECT_EQ(gelsd(&dgelsd_, m, n, 1, A, m, B, m - 1, -1).info, -7);
  EXPECT_EQ(illegalRoutine, "DGELSD");
}

TEST(Lapack, SingularValuesAloneAreTheOtherLibrarys) {
  using Complex = std::complex<double>;
  const int lwork = 20000, one = 1;
  Real work(lwork), rwork(lwork), none(1);
  std::vector<Complex> complexWork(lwork), complexNone(1);
  std::vector<int> iwork(8 * 300);
  for (const auto &[m, n] : {std::pair(100, 100), std::pair(130, 90), std::pair(300, 40), std::pair(90, 130)}) {
    const int k = std::min(m, n), lda = m + 1;
    Real s(k, -1), expected(k, -2);
    const auto values = [&](auto function, Real &into) {
      Real A = randomMatrix<double>(m, n, lda);
      int info = -99;
      function("N", &m, &n, A.data(), &lda, into.data(), none.data(), &one, none.data(), &one, work.data(), &lwork,
               iwork.data(), &info);
      EXPECT_EQ(info, 0);
    };
    const std::string lines = report([&] { values(&dgesdd_, s); });
    EXPECT_TRUE(contains(lines, "tiled")) << lines;
    values(original(&dgesdd_, "dgesdd_"), expected);
    EXPECT_LT(largestDifference(s, expected), 1e-13 * expected[0]) << m << " x " << n;

    const auto complexValues = [&](auto function, Real &into) {
      std::vector<Complex> A = randomMatrix<Complex>(m, n, lda);
      int info = -99;
      function("N", "N", &m, &n, A.data(), &lda, into.data(), complexNone.data(), &one, complexNone.data(), &one,
               complexWork.data(), &lwork, rwork.data(), &info);
      EXPECT_EQ(info, 0);
    };
    EXPECT_TRUE(contains(report([&] { complexValues(&zgesvd_, s); }), "tiled"));
    complexValues(original(&zgesvd_, "zgesvd_"), expected);
    EXPECT_LT(largestDifference(s, expected), 1e-13 * expected[0]) << m << " x " << n;
  }
  const int n = 50;
  Real A = randomMatrix<double>(n, n, n), s(n), u(n * n), vt(n * n);
  int info = -99;
  const std::string lines = report([&] {
    dgesdd_("A", &n, &n, A.data(), &n, s.data(), u.data(), &n, vt.data(), &n, work.data(), &lwork, iwork.data(), &info);
  });
  EXPECT_EQ(info, 0);
  EXPECT_TRUE(contains(lines, "tiled")) << lines;
  std::vector<Complex> O = randomMatrix<Complex>(n, n, n);
  for (const char *jobs : {"ON", "NO", "NS"}) {
    std::vector<Complex> a = O, left(n * n), right(n * n);
    EXPECT_TRUE(contains(report([&] {
                           zgesvd_(jobs, jobs + 1, &n, &n, a.data(), &n, s.data(), left.data(), &n, right.data(), &n,
                                   complexWork.data(), &lwork, rwork.data(), &info);
                         }),
                         "tiled"));
  }
}

/// The library behind first makes a triangular matrix of a tall one, by name.
TEST(Lapack, WhatIsPassedOnComesOntoTilesByItsParts) {
  const int m = 200, n = 40, nrhs = 30;
  const std::string lines = report(
      [&] { gelsd(&dgelsd_, m, n, nrhs, randomMatrix<double>(m, n, m), m, randomMatrix<double>(m, nrhs, m), m, -1); });
  EXPECT_TRUE(contains(lines, "dgeqrf m=200 n=40: tiled") && contains(lines, "passed on (many right-hand")) << lines;
}

TEST(Lapack, TheHostsBlasKeepsItsThreads) {
  openblas_set_num_threads(2);
  Real A = positiveDefinite(200, 200);
  EXPECT_TRUE(contains(report([&] { factor("L", 200, A, 200); }), "tiled"));
  EXPECT_EQ(openblas_get_num_threads(), 2);
}

TEST(Lapack, ManyThreadsCallAtOnce) {
  const int n = 150;
  const Real A = positiveDefinite(n, n);
  Real expected = A;
  factor("L", n, expected, n);
  std::atomic<int> wrong = 0;
  const std::string lines = report([&] {
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t)
      threads.emplace_back([&] {
        for (int repeat = 0; repeat < 20; ++repeat) {
          Real B = A;
          wrong += factor("L", n, B, n) != 0 || largestDifference(B, expected) > 1e-12;
        }
      });
    for (std::thread &thread : threads)
      thread.join();
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_TRUE(contains(lines, "tiled"));
  EXPECT_TRUE(contains(lines, "passed on (another thread is computing on tiles)"));
}

#ifdef _OPENMP
TEST(Lapack, ParallelRegionsArePassedOn) {
  const int n = 150;
  const Real A = positiveDefinite(n, n);
  const std::string lines = report([&] {
#pragma omp parallel for num_threads(3)
    for (int repeat = 0; repeat < 9; ++repeat) {
      Real B = A;
      factor("U", n, B, n);
    }
  });
  EXPECT_TRUE(contains(lines, "passed on (inside an OpenMP parallel region)"));
  EXPECT_FALSE(contains(lines, "tiled"));
}
#endif

namespace {

long threadCount() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return std::distance(begin(tasks), end(tasks));
}

/// The exit code of a child that factors A: 0 when it did so right and on tiles; `alone`: with no threads before.
int factorInChild(const Real &A, int n, const Real &expected, bool alone) {
  const pid_t child = fork();
  if (child == 0) {
    Real B = A;
    const bool asSaid = !alone || threadCount() == 1;
    const std::string lines = report([&] { factor("L", n, B, n); });
    const bool right = largestDifference(B, expected) < 1e-12;
    const bool threaded = threadCount() >= 3;
    _exit((asSaid ? 0 : 1) + (right ? 0 : 2) + (threaded ? 0 : 4) + (contains(lines, "tiled") ? 0 : 8));
  }
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace

TEST(Lapack, ChildProcessesBeginAnew) {
  const int n = 150;
  const Real A = positiveDefinite(n, n);
  Real expected = A;
  factor("L", n, expected, n);
  EXPECT_EQ(factorInChild(A, n, expected, true), 0);

  // Also when the parent forks in the middle of a call; OpenBLAS may have its threads then.
  std::atomic<bool> stop = false;
  std::thread busy([&] {
    while (!stop) {
      Real B = A;
      factor("L", n, B, n);
    }
  });
  for (int repeat = 0; repeat < 20; ++repeat)
    EXPECT_EQ(factorInChild(A, n, expected, false), 0);
  stop = true;
  busy.join();
  Real B = A;
  EXPECT_EQ(factor("L", n, B, n), 0);
  EXPECT_LT(largestDifference(B, expected), 1e-12);
}
