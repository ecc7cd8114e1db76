// Singular vectors and LQ factorizations by the drop-in library, with tiles of 16 from order 32 on, against OpenBLAS's.
#include "tests/unit/lapack/host_calls.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <dlfcn.h>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

using Complex = std::complex<double>;

extern "C" {
void sgesdd_(const char *jobz, const int *m, const int *n, float *a, const int *lda, float *s, float *u, const int *ldu,
             float *vt, const int *ldvt, float *work, const int *lwork, int *iwork, int *info);
void dgesdd_(const char *jobz, const int *m, const int *n, double *a, const int *lda, double *s, double *u,
             const int *ldu, double *vt, const int *ldvt, double *work, const int *lwork, int *iwork, int *info);
void zgesdd_(const char *jobz, const int *m, const int *n, Complex *a, const int *lda, double *s, Complex *u,
             const int *ldu, Complex *vt, const int *ldvt, Complex *work, const int *lwork, double *rwork, int *iwork,
             int *info);
void dgesvd_(const char *jobu, const char *jobvt, const int *m, const int *n, double *a, const int *lda, double *s,
             double *u, const int *ldu, double *vt, const int *ldvt, double *work, const int *lwork, int *info);
void zgesvd_(const char *jobu, const char *jobvt, const int *m, const int *n, Complex *a, const int *lda, double *s,
             Complex *u, const int *ldu, Complex *vt, const int *ldvt, Complex *work, const int *lwork, double *rwork,
             int *info);
void zgelqf_(const int *m, const int *n, Complex *a, const int *lda, Complex *tau, Complex *work, const int *lwork,
             int *info);
void zunmlq_(const char *side, const char *trans, const int *m, const int *n, const int *k, const Complex *a,
             const int *lda, const Complex *tau, Complex *c, const int *ldc, Complex *work, const int *lwork,
             int *info);
void zunglq_(const int *m, const int *n, const int *k, Complex *a, const int *lda, const Complex *tau, Complex *work,
             const int *lwork, int *info);
}

namespace {

using tla::lapack::test::original;
using tla::lapack::test::report;

bool isTiled(const std::string &lines) { return lines.find(": tiled") != std::string::npos; }

template <typename T> struct Dense {
  int m, n;
  std::vector<T> x;
  Dense(int m, int n) : m(m), n(n), x(static_cast<std::size_t>(m) * n) {}
  T &operator()(int i, int j) { return x[i + static_cast<std::size_t>(j) * m]; }
  T operator()(int i, int j) const { return x[i + static_cast<std::size_t>(j) * m]; }
};

template <typename T> T conjugate(T x) {
  if constexpr (std::is_same_v<T, Complex>)
    return std::conj(x);
  else
    return x;
}

template <typename T> Dense<T> random(int m, int n) {
  std::mt19937 numbers(m + 1000 * n);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Dense<T> A(m, n);
  for (T &x : A.x) {
    x = uniform(numbers);
    if constexpr (std::is_same_v<T, Complex>)
      x += Complex(0, uniform(numbers));
  }
  return A;
}

/// The first `count` columns, or rows, of a matrix whose every column, or row, is to be of length 1 and orthogonal to
/// the others: by how much they are not.
template <typename T> double lossOfOrthogonality(const Dense<T> &Q, int count, bool rows) {
  double largest = 0;
  for (int j = 0; j < count; ++j)
    for (int k = 0; k <= j; ++k) {
      T dot = 0;
      for (int i = 0; i < (rows ? Q.n : Q.m); ++i)
        dot += rows ? conjugate(Q(k, i)) * Q(j, i) : conjugate(Q(i, k)) * Q(i, j);
      largest = std::max(largest, std::abs(dot - T(j == k)));
    }
  return largest;
}

/// The results of a call of gesdd, or gesvd where there are two jobs: arrays with columns farther apart than they need.
template <typename T> struct Decomposition {
  int m, n, k, info = -99;
  Dense<T> A, U, VT;
  std::vector<double> s;

  Decomposition(const std::string &jobs, const Dense<T> &given)
      : m(given.m), n(given.n), k(std::min(m, n)), A(m + 3, n), U(m + 2, m), VT(n + 1, n), s(k) {
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i)
        A(i, j) = given(i, j);
    T size;
    std::vector<double> rwork(5 * k * k + 7 * k + 2 * std::max(m, n) * k);
    std::vector<int> iwork(8 * k);
    call(jobs, &size, -1, rwork, iwork);
    EXPECT_EQ(info, 0);
    std::vector<T> work(static_cast<std::size_t>(std::real(size)));
    call(jobs, work.data(), static_cast<int>(work.size()), rwork, iwork);
  }

  void call(const std::string &jobs, T *work, int lwork, std::vector<double> &rwork, std::vector<int> &iwork) {
    const char *const left = &jobs[0], *const right = &jobs[jobs.size() - 1];
    if constexpr (std::is_same_v<T, Complex>) {
      if (jobs.size() == 1)
        zgesdd_(left, &m, &n, A.x.data(), &A.m, s.data(), U.x.data(), &U.m, VT.x.data(), &VT.m, work, &lwork,
                rwork.data(), iwork.data(), &info);
      else
        zgesvd_(left, right, &m, &n, A.x.data(), &A.m, s.data(), U.x.data(), &U.m, VT.x.data(), &VT.m, work, &lwork,
                rwork.data(), &info);
    } else {
      if (jobs.size() == 1)
        dgesdd_(left, &m, &n, A.x.data(), &A.m, s.data(), U.x.data(), &U.m, VT.x.data(), &VT.m, work, &lwork,
                iwork.data(), &info);
      else
        dgesvd_(left, right, &m, &n, A.x.data(), &A.m, s.data(), U.x.data(), &U.m, VT.x.data(), &VT.m, work, &lwork,
                &info);
    }
  }
};

/// Expects that the jobs give what they say, U and VT in A's place included.
template <typename T> void expectDecomposition(const std::string &jobs, int m, int n, const std::vector<double> &s) {
  SCOPED_TRACE(jobs + " " + std::to_string(m) + " x " + std::to_string(n));
  const Dense<T> A = random<T>(m, n);
  std::optional<Decomposition<T>> made;
  const std::string lines = report([&] { made.emplace(jobs, A); });
  EXPECT_TRUE(isTiled(lines)) << lines;
  EXPECT_EQ(made->info, 0);
  const int k = std::min(m, n);
  for (int i = 0; i < k; ++i)
    EXPECT_NEAR(made->s[i], s[i], 1e-12 * s[0]);
  const bool one = jobs.size() == 1;
  const char left = jobs[0] != 'O' || !one ? jobs[0] : m >= n ? 'O' : 'S';
  const char right = jobs.back() != 'O' || !one ? jobs.back() : m >= n ? 'S' : 'O';
  const Dense<T> &U = left == 'O' ? made->A : made->U, &VT = right == 'O' ? made->A : made->VT;
  Dense<T> rowsOfVT(right == 'A' ? n : k, n), columnsOfU(m, left == 'A' ? m : k);
  if (left != 'N') {
    for (int j = 0; j < columnsOfU.n; ++j)
      for (int i = 0; i < m; ++i)
        columnsOfU(i, j) = U(i, j);
    EXPECT_LT(lossOfOrthogonality(columnsOfU, columnsOfU.n, false), 1e-12);
  }
  if (right != 'N') {
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < rowsOfVT.m; ++i)
        rowsOfVT(i, j) = VT(i, j);
    EXPECT_LT(lossOfOrthogonality(rowsOfVT, rowsOfVT.m, true), 1e-12);
  }
  if (left == 'N' || right == 'N')
    return;
  double largest = 0;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      T sum = 0;
      for (int l = 0; l < k; ++l)
        sum += columnsOfU(i, l) * made->s[l] * rowsOfVT(l, j);
      largest = std::max(largest, std::abs(sum - A(i, j)));
    }
  EXPECT_LT(largest, 1e-12 * s[0]);
}

/// The singular values by OpenBLAS's own gesvd.
template <typename T> std::vector<double> valuesOf(int m, int n) {
  Dense<T> A = random<T>(m, n);
  const int k = std::min(m, n), lwork = 100 * (m + n), one = 1;
  std::vector<double> s(k), rwork(5 * k);
  std::vector<T> work(lwork);
  T nothing;
  int info = -99;
  if constexpr (std::is_same_v<T, Complex>)
    original(&zgesvd_, "zgesvd_")("N", "N", &m, &n, A.x.data(), &m, s.data(), &nothing, &one, &nothing, &one,
                                  work.data(), &lwork, rwork.data(), &info);
  else
    original(&dgesvd_, "dgesvd_")("N", "N", &m, &n, A.x.data(), &m, s.data(), &nothing, &one, &nothing, &one,
                                  work.data(), &lwork, &info);
  EXPECT_EQ(info, 0);
  return s;
}

template <typename T> void expectAllJobs(std::initializer_list<const char *> jobs) {
  for (const auto &[m, n] : {std::pair(40, 40), std::pair(75, 33), std::pair(33, 75)}) {
    const std::vector<double> s = valuesOf<T>(m, n);
    for (const char *const job : jobs)
      expectDecomposition<T>(job, m, n, s);
  }
}

double largestDifference(const std::vector<Complex> &A, const std::vector<Complex> &B) {
  double largest = 0;
  for (std::size_t i = 0; i < A.size(); ++i)
    largest = std::max(largest, std::abs(A[i] - B[i]));
  return largest;
}

} // namespace

TEST(SvdTest, AllJobsOfGesddAreTiled) {
  expectAllJobs<double>({"N", "S", "A", "O"});
  expectAllJobs<Complex>({"S", "A", "O"});
}

TEST(SvdTest, AllJobsOfGesvdAreTiled) {
  expectAllJobs<double>({"NN", "NS", "NA", "NO", "SN", "SS", "SA", "SO", "AN", "AS", "AA", "AO", "ON", "OS", "OA"});
  expectAllJobs<Complex>({"AS", "NO", "OA"});
}

/// LAPACK's 3 n^2 does not fit into an INTEGER of 32 bits: what callers allocate for it must be a size.
TEST(SvdTest, QueriesAboveTheWallHaveAnAnswer) {
  for (const char *const job : {"S", "A", "O", "N"}) {
    const int n = 32767, query = -1;
    int info = -99, iwork = 0;
    double nothing = 0, size = -1;
    dgesdd_(job, &n, &n, &nothing, &n, &nothing, &nothing, &n, &nothing, &n, &size, &query, &iwork, &info);
    EXPECT_EQ(info, 0) << job;
    EXPECT_GE(size, 5.0 * n) << job;
    EXPECT_LE(size, std::numeric_limits<int>::max()) << job;
  }
}

/// A float has no odd number above 2^24: the size must not be rounded to less than is needed.
TEST(SvdTest, SizesInSinglePrecisionAreRoundedUp) {
  const int n = 3001, query = -1;
  int info = -99, iwork = 0;
  float nothing = 0, size = -1;
  double exact = -1, none = 0;
  sgesdd_("S", &n, &n, &nothing, &n, &nothing, &nothing, &n, &nothing, &n, &size, &query, &iwork, &info);
  EXPECT_EQ(info, 0);
  dgesdd_("S", &n, &n, &none, &n, &none, &none, &n, &none, &n, &exact, &query, &iwork, &info);
  EXPECT_GE(size, exact);
}

TEST(SvdTest, NotANumberIsLeftToLapack) {
  Dense<double> A = random<double>(75, 33);
  A(7, 5) = std::numeric_limits<double>::quiet_NaN();
  const std::string lines = report([&] { EXPECT_NE(Decomposition<double>("S", A).info, 0); });
  EXPECT_NE(lines.find("passed on (to be scaled)"), std::string::npos) << lines;
}

TEST(LqTest, FactorsAreLapacks) {
  for (const auto &[m, n] : {std::pair(40, 75), std::pair(75, 40), std::pair(50, 50)}) {
    const int k = std::min(m, n), lwork = 100 * (m + n);
    Dense<Complex> A = random<Complex>(m, n), B = A;
    std::vector<Complex> tau(k), theirs(k), work(lwork);
    int info = -99;
    const std::string lines =
        report([&, m = m, n = n] { zgelqf_(&m, &n, A.x.data(), &m, tau.data(), work.data(), &lwork, &info); });
    EXPECT_TRUE(isTiled(lines)) << lines;
    EXPECT_EQ(info, 0);
    original(&zgelqf_, "zgelqf_")(&m, &n, B.x.data(), &m, theirs.data(), work.data(), &lwork, &info);
    EXPECT_LT(largestDifference(A.x, B.x), 1e-12) << m << " x " << n;
    EXPECT_LT(largestDifference(tau, theirs), 1e-12);
  }
}

TEST(LqTest, QIsAppliedFromBothSidesAndFormed) {
  const int k = 40, order = 75, others = 35, lwork = 10000;
  Dense<Complex> V = random<Complex>(k, order);
  std::vector<Complex> tau(k), work(lwork);
  int info = -99;
  original(&zgelqf_, "zgelqf_")(&k, &order, V.x.data(), &k, tau.data(), work.data(), &lwork, &info);
  for (const char *const side : {"L", "R"})
    for (const char *const trans : {"N", "C"}) {
      const int m = *side == 'L' ? order : others, n = *side == 'L' ? others : order;
      Dense<Complex> C = random<Complex>(m, n), D = C;
      const std::string lines = report([&] {
        zunmlq_(side, trans, &m, &n, &k, V.x.data(), &k, tau.data(), C.x.data(), &m, work.data(), &lwork, &info);
      });
      EXPECT_TRUE(isTiled(lines)) << lines;
      EXPECT_EQ(info, 0);
      original(&zunmlq_, "zunmlq_")(side, trans, &m, &n, &k, V.x.data(), &k, tau.data(), D.x.data(), &m, work.data(),
                                    &lwork, &info);
      EXPECT_LT(largestDifference(C.x, D.x), 1e-12) << side << trans;
    }
  const int rows = 60; // more than there are vectors
  Dense<Complex> Q(rows, order);
  for (int j = 0; j < order; ++j)
    for (int i = 0; i < k; ++i)
      Q(i, j) = V(i, j);
  Dense<Complex> P = Q;
  const std::string lines =
      report([&] { zunglq_(&rows, &order, &k, Q.x.data(), &rows, tau.data(), work.data(), &lwork, &info); });
  EXPECT_TRUE(isTiled(lines)) << lines;
  original(&zunglq_, "zunglq_")(&rows, &order, &k, P.x.data(), &rows, tau.data(), work.data(), &lwork, &info);
  EXPECT_LT(largestDifference(Q.x, P.x), 1e-12);
}
