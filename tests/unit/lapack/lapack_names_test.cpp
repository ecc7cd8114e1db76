// The families of names: what is behind each caller, and 64-bit integers. The LAPACKs here are stand-ins that compute
// nothing and say who they are (stand_in/lapack.c); this program is linked to none. Tiles of 16 from order 32 on.
#include "tests/unit/lapack/host_calls.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using tla::lapack::test::report;

using Real = std::vector<double>;

constexpr const char *prefixes[] = {"", "", "scipy_", "scipy_"}, *suffixes[] = {"_", "_64_", "_", "_64_"};

void *libraryUnderTest() {
  static void *const handle = dlopen("libhetc_lapack.so", RTLD_NOW | RTLD_NOLOAD);
  return handle;
}

/// A routine of the library under test, by LAPACK's name, in the family that `Int` is for ("dpotrf_", or the wheels'
/// "scipy_dpotrf_64_"). CHARACTER lengths are left out: nothing here reads them.
template <typename Int, typename... Arguments> void call(const std::string &name, Arguments... arguments) {
  const std::string symbol = std::is_same_v<Int, int> ? name + "_" : "scipy_" + name + "_64_";
  const auto function = reinterpret_cast<void (*)(Arguments...)>(dlsym(libraryUnderTest(), symbol.c_str()));
  ASSERT_NE(function, nullptr) << symbol;
  function(arguments...);
}

/// A module with a LAPACK of its own, opened as Python opens its modules.
class Module {
public:
  explicit Module(const std::string &name)
      : handle_(dlopen((MODULE_FOLDER "/libstand_in_" + name + "_caller.so").c_str(), RTLD_NOW | RTLD_LOCAL)) {
    EXPECT_NE(handle_, nullptr) << dlerror();
  }
  /// info
  std::int64_t potrf(std::int64_t n, double *a, std::int64_t lda) const {
    return find<std::int64_t(std::int64_t, double *, std::int64_t)>("potrf")(n, a, lda);
  }
  std::int64_t illegalPosition() const { return find<std::int64_t()>("illegalPosition")(); }

private:
  template <typename Function> Function *find(const char *name) const {
    return reinterpret_cast<Function *>(dlsym(handle_, name));
  }
  void *handle_;
};

Real positiveDefinite(int n) {
  std::mt19937 random(n);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Real A(static_cast<std::size_t>(n) * n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i <= j; ++i)
      A[i + j * n] = A[j + i * n] = uniform(random) + (i == j ? n : 0);
  return A;
}

bool contains(const std::string &text, const char *part) { return text.find(part) != std::string::npos; }

} // namespace

TEST(Names, EveryRoutineIsInEveryFamily) {
  for (const char *routine :
       {"potrf", "potrs", "posv", "potri", "trtri", "trtrs", "lauum", "getrf", "getrs", "gesv", "getri",
        "geqrf", "gelqf", "gels", "gelsd", "gesdd", "gesvd", "ormqr", "orgqr", "ormlq", "orglq"})
    for (const char letter : {'s', 'd', 'c', 'z'})
      for (int family = 0; family < 4; ++family) {
        std::string name = letter + std::string(routine);
        if (std::string("cz").find(letter) != std::string::npos && name.substr(1, 2) == "or")
          name.replace(1, 2, "un");
        const std::string symbol = prefixes[family] + name + suffixes[family];
        EXPECT_NE(dlsym(libraryUnderTest(), symbol.c_str()), nullptr) << symbol;
      }
}

TEST(Names, SmallCallsGoToTheCallersOwnLibrary) {
  const struct {
    const char *name;
    int identity;
  } modules[] = {{"wheel_a", 1}, {"wheel_b", 2}, {"wheel_32", 3}, {"julia", 4}};
  double a = 4;
  for (int round = 0; round < 2; ++round) // the second time from what is remembered
    for (const auto &module : modules)
      EXPECT_EQ(Module(module.name).potrf(1, &a, 1), 1000 + module.identity) << module.name;
}

TEST(Names, LargeCallsAreComputedOnTiles) {
  const int n = 100;
  Real expected = positiveDefinite(n);
  int info = -99;
  call<int>("dpotrf", "L", &n, expected.data(), &n, &info);
  EXPECT_EQ(info, 0);
  for (const char *module : {"wheel_a", "wheel_b", "wheel_32", "julia"}) {
    Real A = positiveDefinite(n);
    const std::string lines = report([&] { EXPECT_EQ(Module(module).potrf(n, A.data(), n), 0); });
    EXPECT_TRUE(contains(lines, "dpotrf n=100: tiled")) << lines;
    EXPECT_EQ(A, expected) << module;
    A = positiveDefinite(n);
    A[39 * (n + 1)] = -1;
    EXPECT_EQ(Module(module).potrf(n, A.data(), n), 40) << module; // in all 64 bits
  }
}

TEST(Names, IllegalArgumentsGoToTheXerblaOfTheCallersLibrary) {
  double a = 0;
  for (const char *module : {"wheel_a", "wheel_32", "wheel_b", "julia"}) {
    EXPECT_EQ(Module(module).potrf(5, &a, 4), -4) << module;
    EXPECT_EQ(Module(module).illegalPosition(), 4) << module;
  }
  EXPECT_EQ(Module("wheel_a").potrf(-1 - (std::int64_t{1} << 40), &a, 1), -2); // also where its lower half is positive
}

TEST(Names, DimensionsThatNeedMoreBitsAreRightOrPassedOn) {
  double a = 4;
  const std::int64_t large = (std::int64_t{1} << 32) + 100;
  std::string lines = report([&] { EXPECT_EQ(Module("wheel_a").potrf(large, &a, large), 1001); });
  EXPECT_TRUE(contains(lines, "n=4294967396: passed on (a dimension is larger than 2147483647)")) << lines;
  lines = report([&] { EXPECT_EQ(Module("wheel_a").potrf(100, &a, large), 1001); });
  EXPECT_TRUE(contains(lines, "passed on (a dimension is larger than 2147483647)")) << lines;
  EXPECT_EQ(Module("wheel_a").potrf(large, &a, 100), -4); // lda < n
}

TEST(Names, PlainNamesWithLongIntegersAreLeftAlone) {
  const int n = 100;
  Real A = positiveDefinite(n);
  const std::string lines = report([&] { EXPECT_EQ(Module("long_plain").potrf(n, A.data(), n), 1005); });
  EXPECT_TRUE(contains(lines, "passed on (the library has 64-bit integers under LAPACK's plain names)")) << lines;
  EXPECT_EQ(A, positiveDefinite(n));
}

namespace {

/// The results of one routine: its matrices and integers.
struct Outcome {
  std::vector<Real> matrices;
  std::vector<std::int64_t> integers;
};

/// All routines on one set of matrices, with integers of one width.
template <typename Int> Outcome allRoutines() {
  const Int n = 100, nrhs = 60, m = 140, lwork = 10 * m, k = n;
  const Real A = positiveDefinite(100);
  Real general(m * n);
  std::mt19937 random(5);
  std::generate(general.begin(), general.end(), [&] { return random() / 4294967296.0 - 0.5; });
  Real B(m * nrhs, 1.0), work(lwork), tau(n);
  Outcome all;
  Int info = -99;
  const auto keep = [&](const Real &matrix) {
    all.matrices.push_back(matrix);
    all.integers.push_back(info);
    info = -99;
  };

  Real F = A, X = B;
  call<Int>("dpotrf", "U", &n, F.data(), &n, &info);
  keep(F);
  call<Int>("dpotrs", "U", &n, &nrhs, F.data(), &n, X.data(), &n, &info);
  keep(X);
  Real I = F;
  call<Int>("dpotri", "U", &n, I.data(), &n, &info);
  keep(I);
  I = F;
  call<Int>("dtrtri", "U", "N", &n, I.data(), &n, &info);
  keep(I);
  call<Int>("dlauum", "U", &n, I.data(), &n, &info);
  keep(I);
  F = A, X = B;
  call<Int>("dposv", "L", &n, &nrhs, F.data(), &n, X.data(), &n, &info);
  keep(X);

  std::vector<Int> ipiv(n, -1);
  F = general;
  call<Int>("dgetrf", &m, &n, F.data(), &m, ipiv.data(), &info);
  keep(F);
  all.integers.insert(all.integers.end(), ipiv.begin(), ipiv.end());
  F.assign(general.begin(), general.begin() + n * n), X = B;
  call<Int>("dgesv", &n, &nrhs, F.data(), &n, ipiv.data(), X.data(), &n, &info);
  keep(X);
  all.integers.insert(all.integers.end(), ipiv.begin(), ipiv.end());
  call<Int>("dgetrs", "T", &n, &nrhs, F.data(), &n, ipiv.data(), X.data(), &n, &info);
  keep(X);
  call<Int>("dgetri", &n, F.data(), &n, ipiv.data(), work.data(), &lwork, &info);
  keep(F);

  F = general;
  call<Int>("dgeqrf", &m, &n, F.data(), &m, tau.data(), work.data(), &lwork, &info);
  keep(F);
  X = B;
  call<Int>("dormqr", "L", "T", &m, &nrhs, &k, F.data(), &m, tau.data(), X.data(), &m, work.data(), &lwork, &info);
  keep(X);
  call<Int>("dorgqr", &m, &n, &k, F.data(), &m, tau.data(), work.data(), &lwork, &info);
  keep(F);
  F = general, X = B;
  call<Int>("dgels", "N", &m, &n, &nrhs, F.data(), &m, X.data(), &m, work.data(), &lwork, &info);
  keep(X);
  return all;
}

} // namespace

TEST(Names, LongIntegersGiveTheSameBits) {
  const Module wheel("wheel_a"); // what asks for the size of a workspace asks it
  const Outcome expected = allRoutines<int>();
  Outcome found;
  const std::string lines = report([&] { found = allRoutines<std::int64_t>(); });
  EXPECT_FALSE(contains(lines, "passed on")) << lines;
  EXPECT_EQ(expected.integers, found.integers);
  ASSERT_EQ(expected.matrices.size(), 14u);
  for (std::size_t i = 0; i < expected.matrices.size(); ++i)
    EXPECT_EQ(expected.matrices[i], found.matrices[i]) << "matrix " << i;
  EXPECT_TRUE(
      std::all_of(found.integers.begin(), found.integers.end(), [](std::int64_t i) { return i >= 0 && i <= 140; }));
}

/// Run by itself without HETC_THREADS (unit.lapack_host_threads): the stand-in allows as many threads as its identity.
TEST(HostThreads, AreNoMoreThanTheCallersLibraryAllows) {
  if (std::getenv("HETC_THREADS"))
    GTEST_SKIP() << "HETC_THREADS counts more";
  Real A = positiveDefinite(100);
  const std::string lines = report([&] { EXPECT_EQ(Module("wheel_a").potrf(100, A.data(), 100), 1001); });
  EXPECT_TRUE(contains(lines, "passed on (one thread only)")) << lines;
}
