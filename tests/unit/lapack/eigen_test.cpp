// Hermitian eigenvalue problems under LAPACK's names, with tiles of 16 from order 32 on (see CMakeLists.txt), held
// against OpenBLAS's own routines and against what the results must be.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <dlfcn.h>
#include <limits>
#include <random>
#include <string>
#include <vector>

using Complex = std::complex<double>;

extern "C" {
void dsyev_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w, double *work,
            const int *lwork, int *info);
void zheev_(const char *jobz, const char *uplo, const int *n, Complex *a, const int *lda, double *w, Complex *work,
            const int *lwork, double *rwork, int *info);
void dsyevd_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w, double *work,
             const int *lwork, int *iwork, const int *liwork, int *info);
void zheevd_(const char *jobz, const char *uplo, const int *n, Complex *a, const int *lda, double *w, Complex *work,
             const int *lwork, double *rwork, const int *lrwork, int *iwork, const int *liwork, int *info);
void dsyevr_(const char *jobz, const char *range, const char *uplo, const int *n, double *a, const int *lda,
             const double *vl, const double *vu, const int *il, const int *iu, const double *abstol, int *m, double *w,
             double *z, const int *ldz, int *isuppz, double *work, const int *lwork, int *iwork, const int *liwork,
             int *info);
void zheevr_(const char *jobz, const char *range, const char *uplo, const int *n, Complex *a, const int *lda,
             const double *vl, const double *vu, const int *il, const int *iu, const double *abstol, int *m, double *w,
             Complex *z, const int *ldz, int *isuppz, Complex *work, const int *lwork, double *rwork, const int *lrwork,
             int *iwork, const int *liwork, int *info);
void dsyevx_(const char *jobz, const char *range, const char *uplo, const int *n, double *a, const int *lda,
             const double *vl, const double *vu, const int *il, const int *iu, const double *abstol, int *m, double *w,
             double *z, const int *ldz, double *work, const int *lwork, int *iwork, int *ifail, int *info);
void zheevx_(const char *jobz, const char *range, const char *uplo, const int *n, Complex *a, const int *lda,
             const double *vl, const double *vu, const int *il, const int *iu, const double *abstol, int *m, double *w,
             Complex *z, const int *ldz, Complex *work, const int *lwork, double *rwork, int *iwork, int *ifail,
             int *info);
void dsygst_(const int *itype, const char *uplo, const int *n, double *a, const int *lda, const double *b,
             const int *ldb, int *info);
void zhegst_(const int *itype, const char *uplo, const int *n, Complex *a, const int *lda, const Complex *b,
             const int *ldb, int *info);
void dsygvd_(const int *itype, const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *b,
             const int *ldb, double *w, double *work, const int *lwork, int *iwork, const int *liwork, int *info);
}

namespace eigen_test {
namespace {

constexpr double unset = -7; // in elements that no routine may read or write
using Real = std::vector<double>;
template <typename T> using Elements = std::vector<T>;
template <typename T> constexpr bool isComplexType = !std::is_same_v<T, double>;

template <typename Function> Function theirs(Function, const char *name) {
  static void *const library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_NOLOAD);
  return reinterpret_cast<Function>(dlsym(library, name));
}

Complex conjugate(Complex x) { return std::conj(x); }
double conjugate(double x) { return x; }

template <typename Run> std::string linesOf(Run run) {
  testing::internal::CaptureStderr();
  run();
  return testing::internal::GetCapturedStderr();
}
bool has(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

/// A Hermitian matrix whose columns lie lda apart.
template <typename T> Elements<T> hermitian(int n, int lda) {
  std::mt19937 random(n);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Elements<T> A(static_cast<std::size_t>(lda) * n, T(unset));
  for (int j = 0; j < n; ++j)
    for (int i = 0; i <= j; ++i) {
      T x = uniform(random);
      if constexpr (isComplexType<T>)
        x += i == j ? T(0) : T(0, uniform(random));
      A[i + j * lda] = x, A[j + i * lda] = conjugate(x);
    }
  return A;
}

/// The matrix with the triangle that is not `uplo` unset.
template <typename T> Elements<T> triangleOf(Elements<T> A, const char *uplo, int n, int lda) {
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      if (*uplo == 'L' ? i < j : i > j)
        A[i + j * lda] = T(unset);
  return A;
}

/// Elements that no routine may write still say so: rows behind the matrix, and the other triangle of one that is read.
template <typename T> bool isRestUnset(const Elements<T> &A, const char *uplo, int n, int lda) {
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < lda; ++i)
      if ((i >= n || (*uplo == 'L' && i < j) || (*uplo == 'U' && i > j)) && A[i + j * lda] != T(unset))
        return false;
  return true;
}

/// The largest element of A Z - Z diag(w) and of Z^H Z - I, for the m columns of Z.
template <typename T>
double wrongBy(const Elements<T> &A, int lda, const Real &w, const Elements<T> &Z, int n, int m, int ldz) {
  double largest = 0;
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < n; ++i) {
      T sum = -w[j] * Z[i + j * ldz], product = i == j ? -1 : 0;
      for (int k = 0; k < n; ++k)
        sum += A[i + k * lda] * Z[k + j * ldz];
      for (int k = 0; k < n && i < m; ++k)
        product += conjugate(Z[k + i * ldz]) * Z[k + j * ldz];
      largest = std::max({largest, std::abs(sum), i < m ? std::abs(product) : 0});
    }
  return largest;
}

template <typename Vector> double largestDifference(const Vector &a, const Vector &b, std::size_t count) {
  double largest = 0;
  for (std::size_t i = 0; i < count; ++i)
    largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

constexpr int plenty = 60000;
/// The arrays and numbers that one call of a driver gave.
template <typename T> struct Result {
  Elements<T> A, Z;
  Real w;
  int m = -99, info = -99;
  std::vector<int> support;
  double work = 0;
};

template <typename T, typename Function>
Result<T> evd(Function function, const char *jobz, const char *uplo, int n, Elements<T> A, int lda, int lwork = plenty,
              int liwork = plenty) {
  Result<T> r{std::move(A), {}, Real(n, -1)};
  Elements<T> work(plenty);
  Real rwork(plenty);
  std::vector<int> iwork(plenty);
  if constexpr (isComplexType<T>)
    function(jobz, uplo, &n, r.A.data(), &lda, r.w.data(), work.data(), &lwork, rwork.data(), &plenty, iwork.data(),
             &liwork, &r.info);
  else
    function(jobz, uplo, &n, r.A.data(), &lda, r.w.data(), work.data(), &lwork, iwork.data(), &liwork, &r.info);
  r.work = std::real(work[0]);
  return r;
}

template <typename T, typename Function>
Result<T> ev(Function function, const char *jobz, const char *uplo, int n, Elements<T> A, int lda) {
  Result<T> r{std::move(A), {}, Real(n, -1)};
  Elements<T> work(plenty);
  Real rwork(plenty);
  if constexpr (isComplexType<T>)
    function(jobz, uplo, &n, r.A.data(), &lda, r.w.data(), work.data(), &plenty, rwork.data(), &r.info);
  else
    function(jobz, uplo, &n, r.A.data(), &lda, r.w.data(), work.data(), &plenty, &r.info);
  return r;
}

struct Wanted {
  const char *range;
  double vl = 0, vu = 0;
  int il = 0, iu = 0;
};

/// evr or evx.
template <typename T, typename Function>
Result<T> ranged(Function function, const char *jobz, const Wanted &r, const char *uplo, int n, Elements<T> A,
                 int lda) {
  const int ldz = n + 2;
  const double tolerance = 0;
  Result<T> out{std::move(A), Elements<T>(static_cast<std::size_t>(ldz) * n, T(unset)), Real(n, unset)};
  out.support.assign(2 * n, -5);
  Elements<T> work(plenty);
  Real rwork(plenty);
  std::vector<int> iwork(plenty);
  const auto call = [&](auto... rest) {
    function(jobz, r.range, uplo, &n, out.A.data(), &lda, &r.vl, &r.vu, &r.il, &r.iu, &tolerance, &out.m, out.w.data(),
             out.Z.data(), &ldz, rest...);
  };
  int *const support = out.support.data();
  if constexpr (std::is_same_v<Function, decltype(&dsyevx_)>)
    call(work.data(), &plenty, iwork.data(), support, &out.info);
  else if constexpr (std::is_same_v<Function, decltype(&zheevx_)>)
    call(work.data(), &plenty, rwork.data(), iwork.data(), support, &out.info);
  else if constexpr (std::is_same_v<Function, decltype(&dsyevr_)>)
    call(support, work.data(), &plenty, iwork.data(), &plenty, &out.info);
  else
    call(support, work.data(), &plenty, rwork.data(), &plenty, iwork.data(), &plenty, &out.info);
  return out;
}

template <typename T, typename Function> void expectAllPairs(Function function, const char *name) {
  for (const char *uplo : {"L", "U"})
    for (const int n : {32, 45, 100}) {
      const int lda = n + 3;
      const Elements<T> A = hermitian<T>(n, lda);
      const Elements<T> given = triangleOf(A, uplo, n, lda);
      const Result<T> expected = function(true, "V", uplo, n, A, lda);
      Result<T> found, values;
      const std::string lines = linesOf([&] { found = function(false, "V", uplo, n, given, lda); });
      EXPECT_TRUE(has(lines, std::string(name) + " n=" + std::to_string(n) + ": tiled, nb 16, 3 threads")) << lines;
      EXPECT_EQ(found.info, 0);
      EXPECT_EQ(found.work, expected.work); // WORK(1)
      EXPECT_LT(largestDifference(found.w, expected.w, n), 1e-12);
      EXPECT_LT(wrongBy(A, lda, found.w, found.A, n, n, lda), 1e-12) << name << uplo << n;
      EXPECT_TRUE(isRestUnset(found.A, " ", n, lda));
      EXPECT_TRUE(has(linesOf([&] { values = function(false, "N", uplo, n, given, lda); }), "tiled"));
      EXPECT_EQ(values.info, 0);
      EXPECT_LT(largestDifference(values.w, expected.w, n), 1e-12) << name << uplo << n;
      EXPECT_TRUE(isRestUnset(values.A, uplo, n, lda)) << name << uplo << n;
    }
}

template <typename T, typename Function> void expectParts(Function ours, const char *name) {
  const Function original = theirs(ours, (std::string(name) + "_").c_str());
  const int n = 70, lda = n + 1, ldz = n + 2;
  const bool isX = name[5] == 'x';
  const Elements<T> A = hermitian<T>(n, lda);
  const Result<T> all = ranged<T>(original, "N", {"A"}, "L", n, A, lda);
  const double vl = (all.w[19] + all.w[20]) / 2, vu = (all.w[40] + all.w[41]) / 2;
  const Wanted wanted[] = {{"A"},         {"I", 0, 0, 1, 1}, {"I", 0, 0, n, n}, {"i", 0, 0, 12, 50},
                           {"V", vl, vu}, {"V", vu, 1e9},    {"V", 1e8, 1e9}};
  for (const Wanted &part : wanted)
    for (const char *uplo : {"L", "U"}) {
      const Elements<T> given = triangleOf(A, uplo, n, lda);
      const Result<T> expected = ranged<T>(original, "V", part, uplo, n, A, lda);
      for (const char *jobz : {"N", "V"}) {
        Result<T> r;
        EXPECT_TRUE(has(linesOf([&] { r = ranged<T>(ours, jobz, part, uplo, n, given, lda); }), "tiled"));
        EXPECT_EQ(r.info, 0);
        ASSERT_EQ(r.m, expected.m) << name << part.range << jobz << uplo;
        EXPECT_LT(largestDifference(r.w, expected.w, r.m), 1e-12);
        EXPECT_TRUE(isRestUnset(r.A, uplo, n, lda));
        if (*jobz == 'N')
          continue;
        EXPECT_LT(wrongBy(A, lda, r.w, r.Z, n, r.m, ldz), 1e-12) << name << part.range << uplo;
        EXPECT_TRUE(
            std::all_of(r.Z.begin() + static_cast<long>(ldz) * r.m, r.Z.end(), [](T z) { return z == T(unset); }));
        const std::vector<int> said(r.support.begin(), r.support.begin() + (isX ? r.m : 2 * r.m));
        std::vector<int> right(said.size(), isX ? 0 : -5); // IFAIL; ISUPPZ, which may not be there but for all pairs
        for (int i = 0; !isX && r.m == n && i < n; ++i)
          right[2 * i] = 1, right[2 * i + 1] = n;
        EXPECT_EQ(said, right);
      }
    }
  for (const Wanted &illegal :
       {Wanted{"I", 0, 0, 0, 5}, {"I", 0, 0, 6, 5}, {"I", 0, 0, 1, n + 1}, {"V", 1, 1}, {"V", 2, 1}, {"X"}})
    EXPECT_EQ(ranged<T>(ours, "V", illegal, "L", n, A, lda).info,
              ranged<T>(original, "V", illegal, "L", n, A, lda).info);
}

template <typename T, typename Function> void expectStandardForm(Function ours, const char *name) {
  const int n = 60, lda = n + 2;
  const Elements<T> A = hermitian<T>(n, lda);
  Elements<T> B = hermitian<T>(n + 1, lda); // its triangles serve as factors
  for (int j = 0; j < n; ++j)
    B[j + j * lda] = 8 + j % 3;
  for (const int itype : {1, 2, 3})
    for (const char *uplo : {"L", "U"}) {
      Elements<T> found = triangleOf(A, uplo, n, lda), expected = found;
      const Elements<T> factor = triangleOf(B, uplo, n, lda);
      int info = -99;
      EXPECT_TRUE(
          has(linesOf([&] { ours(&itype, uplo, &n, found.data(), &lda, factor.data(), &lda, &info); }), "tiled"));
      EXPECT_EQ(info, 0);
      theirs(ours, name)(&itype, uplo, &n, expected.data(), &lda, factor.data(), &lda, &info);
      EXPECT_LT(largestDifference(found, expected, found.size()), 1e-10)
          << name << itype << uplo; // the other triangle: exactly 0
    }
  const int none = 0, itype = 4;
  int info = -99;
  ours(&itype, "L", &none, nullptr, &n, nullptr, &n, &info);
  EXPECT_EQ(info, -1);
}

} // namespace
TEST(LapackEigen, AllPairsAreRightAndTheRestIsUntouched) {
  expectAllPairs<double>(
      [](bool original, auto... call) {
        return evd<double>(original ? theirs(&dsyevd_, "dsyevd_") : &dsyevd_, call...);
      },
      "dsyevd");
  expectAllPairs<Complex>(
      [](bool original, auto... call) {
        return evd<Complex>(original ? theirs(&zheevd_, "zheevd_") : &zheevd_, call...);
      },
      "zheevd");
  expectAllPairs<double>(
      [](bool original, auto... call) { return ev<double>(original ? theirs(&dsyev_, "dsyev_") : &dsyev_, call...); },
      "dsyev");
  expectAllPairs<Complex>(
      [](bool original, auto... call) { return ev<Complex>(original ? theirs(&zheev_, "zheev_") : &zheev_, call...); },
      "zheev");
}

TEST(LapackEigen, PartsOfTheSpectrumAreTheOtherLibrarys) {
  expectParts<double>(&dsyevr_, "dsyevr");
  expectParts<Complex>(&zheevr_, "zheevr");
  expectParts<double>(&dsyevx_, "dsyevx");
  expectParts<Complex>(&zheevx_, "zheevx");
}

TEST(LapackEigen, StandardFormIsTheOtherLibrarys) {
  expectStandardForm<double>(&dsygst_, "dsygst_");
  expectStandardForm<Complex>(&zhegst_, "zhegst_");
}

TEST(LapackEigen, GeneralizedProblemsComeOntoTilesByTheirParts) {
  const int n = 80, itype = 1;
  Elements<double> A = hermitian<double>(n, n), B = A;
  const Elements<double> before = A;
  for (int j = 0; j < n; ++j)
    B[j + j * n] = 2 * n;
  Elements<double> factor = B, work(plenty);
  Real w(n);
  std::vector<int> iwork(plenty);
  int info = -99;
  const std::string lines = linesOf([&] {
    dsygvd_(&itype, "V", "L", &n, A.data(), &n, factor.data(), &n, w.data(), work.data(), &plenty, iwork.data(),
            &plenty, &info);
  });
  EXPECT_EQ(info, 0);
  for (const char *part : {"dpotrf n=80: tiled", "dsygst n=80: tiled", "dsyevd n=80: tiled"})
    EXPECT_TRUE(has(lines, part)) << lines;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      double sum = 0;
      for (int k = 0; k < n; ++k)
        sum += (before[i + k * n] - w[j] * B[i + k * n]) * A[k + j * n];
      EXPECT_LT(std::abs(sum), 1e-12);
    }
}

/// INTEGER has no room for 2 n^2 then, and so no caller could say that it has the workspace.
TEST(LapackEigen, WorkspacesBeyondIntegersAreAnsweredFor) {
  const int n = 40000, ask = -1;
  double work = 0, w = 0, rwork = 0;
  Complex complexWork;
  int iwork = 0, info = -99;
  dsyevd_("V", "L", &n, nullptr, &n, &w, &work, &ask, &iwork, &ask, &info);
  EXPECT_EQ(info, 0);
  EXPECT_EQ(work, 2 * n + 1);
  EXPECT_EQ(iwork, 3 + 5 * n);
  info = -99;
  zheevd_("V", "L", &n, nullptr, &n, &w, &complexWork, &ask, &rwork, &ask, &iwork, &ask, &info);
  EXPECT_EQ(info, 0);
  EXPECT_EQ(complexWork.real(), n + 1);
  EXPECT_EQ(rwork, n);
  dsyevd_("N", "L", &n, nullptr, &n, &w, &work, &ask, &iwork, &ask, &info);
  EXPECT_GE(work, 2 * n + 1); // as LAPACK answers
}

TEST(LapackEigen, NumbersThatAreNotFiniteAreLeftToLapack) {
  const int n = 50;
  const Elements<double> A = hermitian<double>(n, n);
  for (const double strange : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Elements<double> spoiled = A;
    spoiled[40 + 7 * n] = strange;
    EXPECT_TRUE(has(linesOf([&] { evd<double>(&dsyevd_, "N", "L", n, spoiled, n); }), "passed on (NaN or infinity)"));
    Result<double> r; // which is in the triangle that nobody reads
    EXPECT_TRUE(has(linesOf([&] { r = evd<double>(&dsyevd_, "V", "U", n, spoiled, n); }), "tiled"));
    EXPECT_LT(wrongBy(A, n, r.w, r.A, n, n, n), 1e-12);
  }
}

TEST(LapackEigen, IllegalArgumentsAreLapacks) {
  const int n = 40;
  const Elements<double> A = hermitian<double>(n, n);
  EXPECT_EQ(evd<double>(&dsyevd_, "X", "L", n, A, n).info, -1);
  EXPECT_EQ(evd<double>(&dsyevd_, "V", "X", n, A, n).info, -2);
  EXPECT_EQ(evd<double>(&dsyevd_, "V", "L", n, A, n - 1).info, -5);
  EXPECT_EQ(evd<double>(&dsyevd_, "V", "L", n, A, n, 2 * n * n + 6 * n).info, -8);
  EXPECT_EQ(evd<double>(&dsyevd_, "V", "L", n, A, n, 2 * n * n + 6 * n + 1, 5 * n + 2).info, -10);
  EXPECT_EQ(evd<double>(&dsyevd_, "N", "L", n, A, n, 2 * n).info, -8);
  EXPECT_EQ(evd<Complex>(&zheevd_, "V", "L", n, hermitian<Complex>(n, n), n, n * n + 2 * n - 1).info, -8);
  EXPECT_TRUE(has(
      linesOf([&] { EXPECT_EQ(evd<double>(&dsyevd_, "V", "L", n, A, n, 2 * n * n + 6 * n + 1, 5 * n + 3).info, 0); }),
      "tiled"));
}

TEST(LapackEigen, TinyAndHugeElementsAreScaled) {
  const int n = 40;
  for (const double factor : {1e-300, 1e300}) {
    Elements<double> A = hermitian<double>(n, n);
    const Result<double> expected = evd<double>(theirs(&dsyevd_, "dsyevd_"), "V", "L", n, A, n);
    for (double &a : A)
      a *= factor;
    Result<double> r;
    EXPECT_TRUE(has(linesOf([&] { r = evd<double>(&dsyevd_, "V", "L", n, A, n); }), "tiled"));
    for (int i = 0; i < n; ++i)
      EXPECT_NEAR(r.w[i] / factor, expected.w[i], 1e-12);
  }
}
} // namespace eigen_test
