// What hetc is measured against, in the same run: the cores' FMA peak, and OpenBLAS, or another library of BLAS and
// LAPACK, on column-major matrices with its own threads.
//
//   peers fma [--threads T]
//   peers gemm|potrf|getrf|geqrf|syevd|syevd_values|syevr|gesdd|gesdd_values -n N [-m M] [--threads T] [--repeat R]
//   [--library FILE ... [--prefix scipy_]]
//
// Libraries are loaded in order, and their routines looked for from the last to the first: what one needs of those
// before it, it finds. Prints one JSON object; seconds and Gflop/s are medians over the repetitions.
#include "tests/performance/fma.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <dlfcn.h>

using namespace tla::performance;

namespace {

/// The functions of BLAS and LAPACK, with integers of 32 bits. Character arguments have their lengths behind all
/// others.
using Gemm = void(const char *transA, const char *transB, const int *m, const int *n, const int *k, const double *alpha,
                  const double *A, const int *lda, const double *B, const int *ldb, const double *beta, double *C,
                  const int *ldc, std::size_t lengthA, std::size_t lengthB);
using Potrf = void(const char *uplo, const int *n, double *A, const int *lda, int *info, std::size_t length);
using Getrf = void(const int *m, const int *n, double *A, const int *lda, int *ipiv, int *info);
using Geqrf = void(const int *m, const int *n, double *A, const int *lda, double *tau, double *work, const int *lwork,
                   int *info);
using Syevd = void(const char *jobz, const char *uplo, const int *n, double *A, const int *lda, double *w, double *work,
                   const int *lwork, int *iwork, const int *liwork, int *info, std::size_t, std::size_t);
using Syevr = void(const char *jobz, const char *range, const char *uplo, const int *n, double *A, const int *lda,
                   const double *vl, const double *vu, const int *il, const int *iu, const double *abstol, int *m,
                   double *w, double *Z, const int *ldz, int *isuppz, double *work, const int *lwork, int *iwork,
                   const int *liwork, int *info, std::size_t, std::size_t, std::size_t);
using Gesdd = void(const char *jobz, const int *m, const int *n, double *A, const int *lda, double *s, double *U,
                   const int *ldu, double *VT, const int *ldvt, double *work, const int *lwork, int *iwork, int *info,
                   std::size_t);

/// Nothing of it is linked to this program, which could then be found by another one in its place.
class Library {
public:
  /// Loads a library, whose threads are set by the environment, which libraries read when they are loaded.
  Library(const std::vector<std::string> &files, std::string prefix, int threads) : prefix_(std::move(prefix)) {
    for (const char *name : {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "BLIS_NUM_THREADS", "MKL_NUM_THREADS"})
      setenv(name, std::to_string(threads).c_str(), 1);
    for (const std::string &file : files) {
      void *const handle = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
      if (!handle)
        throw std::runtime_error(dlerror());
      handles_.push_back(handle);
    }
  }

  template <typename Function> Function *find(const std::string &name) const {
    for (auto handle = handles_.rbegin(); handle != handles_.rend(); ++handle)
      if (void *const symbol = dlsym(*handle, (prefix_ + name).c_str()))
        return reinterpret_cast<Function *>(symbol);
    return nullptr;
  }

  template <typename Function> Function *need(const std::string &name) const {
    if (auto *const function = find<Function>(name))
      return function;
    throw std::runtime_error("no routine " + prefix_ + name);
  }

private:
  const std::string prefix_;
  std::vector<void *> handles_;
};

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// Best rate of several short loops on one thread.
double fmaRate(const FmaLoop &loop) {
  double best = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const double begin = now();
    sink = loop.run();
    best = std::max(best, loop.flops() / (now() - begin));
  }
  return best * 1e-9;
}

void reportFma(int threads) {
  const FmaLoop loop = widestFmaLoop();
  std::vector<double> rates(static_cast<std::size_t>(threads));
  std::vector<std::thread> others;
  for (double &rate : rates)
    others.emplace_back([&rate, &loop] { rate = fmaRate(loop); });
  for (std::thread &other : others)
    other.join();
  double sum = 0;
  for (const double rate : rates)
    sum += rate;
  std::printf("{\"bench\":\"fma\",\"threads\":%d,\"gflops\":%.3f}\n", threads, sum);
}

struct Free {
  void operator()(double *memory) const { std::free(memory); }
};
using Array = std::unique_ptr<double[], Free>;

struct Size {
  int m, n;
  long elements() const { return static_cast<long>(m) * n; }
};

Array makeMatrix(Size size, bool positiveDefinite) {
  Array matrix(static_cast<double *>(std::aligned_alloc(64, (sizeof(double) * size.elements() + 63) / 64 * 64)));
  unsigned long state = 1;
  for (long j = 0; j < size.n; ++j)
    for (long i = 0; i < size.m; ++i) {
      state = state * 6364136223846793005UL + 1442695040888963407UL;
      matrix[i + j * size.m] =
          static_cast<double>(state >> 40) / (1 << 24) - 0.5 + (positiveDefinite && i == j ? size.n : 0);
    }
  return matrix;
}

double timeGemm(Gemm *gemm, int n, const Array &A, const Array &B, const Array &C) {
  const double one = 1, begin = now();
  gemm("N", "N", &n, &n, &n, &one, A.get(), &n, B.get(), &n, &one, C.get(), &n, 1, 1);
  return now() - begin;
}

/// Seconds of factor(array, info) on a copy of A.
template <typename Factor> double timeFactorization(Size size, const Array &A, const Array &copy, Factor factor) {
  std::copy_n(A.get(), size.elements(), copy.get());
  int info = 0;
  const double begin = now();
  factor(copy.get(), &info);
  const double seconds = now() - begin;
  if (info != 0)
    std::fprintf(stderr, "peers: info = %d\n", info);
  return seconds;
}

/// Seconds of one call; flops as LAPACK Working Note 41 counts them.
struct Bench {
  std::function<double()> time;
  double flops;
};

/// The results of an eigensolver beside A, and its workspaces, of the sizes that it asks for.
struct EigenSpace {
  explicit EigenSpace(int order)
      : n(order), w(order), Z(static_cast<std::size_t>(order) * order), isuppz(2 * order + 2) {}
  int n;
  std::vector<double> w, Z, work = std::vector<double>(1);
  std::vector<int> isuppz, iwork = std::vector<int>(1);
  int lwork = -1, liwork = -1;

  /// Calls solve(A, info) once for the workspaces' sizes.
  template <typename Solve> void size(Solve solve) {
    int info = 0;
    solve(Z.data(), &info);
    lwork = static_cast<int>(work[0]), liwork = iwork[0];
    work.resize(lwork), iwork.resize(liwork);
  }
};

/// All eigenvalues of a symmetric matrix, with their vectors but for syevd_values; as flops count what it takes to make
/// A tridiagonal.
Bench makeEigenBench(const Library &library, const std::string &name, Size size) {
  auto space = std::make_shared<EigenSpace>(size.n);
  EigenSpace *const s = space.get();
  std::function<void(double *, int *)> solve;
  if (name == "syevr") {
    auto *const syevr = library.need<Syevr>("dsyevr_");
    solve = [=](double *a, int *info) {
      const double none = 0;
      int found = 0;
      syevr("V", "A", "L", &s->n, a, &s->n, &none, &none, &s->n, &s->n, &none, &found, s->w.data(), s->Z.data(), &s->n,
            s->isuppz.data(), s->work.data(), &s->lwork, s->iwork.data(), &s->liwork, info, 1, 1, 1);
    };
  } else {
    auto *const syevd = library.need<Syevd>("dsyevd_");
    const char *const jobz = name == "syevd" ? "V" : "N";
    solve = [=](double *a, int *info) {
      syevd(jobz, "L", &s->n, a, &s->n, s->w.data(), s->work.data(), &s->lwork, s->iwork.data(), &s->liwork, info, 1,
            1);
    };
  }
  s->size(solve);
  auto A = std::make_shared<Array>(makeMatrix(size, false));
  auto copy = std::make_shared<Array>(makeMatrix(size, false));
  const double n = size.n;
  return {[=] { return space ? timeFactorization(size, *A, *copy, solve) : 0; }, 4 * n * n * n / 3};
}

/// All singular values, with min(m, n) vectors of each side but for gesdd_values; as flops count what it takes to make
/// A bidiagonal.
Bench makeSvdBench(const Library &library, const std::string &name, Size size) {
  struct Space {
    std::vector<double> s, U, VT, work = std::vector<double>(1);
    std::vector<int> iwork;
    int lwork = -1;
  };
  const int k = std::min(size.m, size.n);
  auto space = std::make_shared<Space>();
  space->s.resize(k), space->U.resize(static_cast<std::size_t>(size.m) * k);
  space->VT.resize(static_cast<std::size_t>(k) * size.n), space->iwork.resize(8 * k);
  auto *const gesdd = library.need<Gesdd>("dgesdd_");
  const char *const jobz = name == "gesdd" ? "S" : "N";
  const auto solve = [=](double *a, int *info) {
    gesdd(jobz, &size.m, &size.n, a, &size.m, space->s.data(), space->U.data(), &size.m, space->VT.data(), &k,
          space->work.data(), &space->lwork, space->iwork.data(), info, 1);
  };
  auto A = std::make_shared<Array>(makeMatrix(size, false));
  auto copy = std::make_shared<Array>(makeMatrix(size, false));
  int info = 0;
  solve(copy->get(), &info);
  space->lwork = static_cast<int>(space->work[0]);
  space->work.resize(space->lwork);
  const double larger = std::max(size.m, size.n);
  return {[=] { return timeFactorization(size, *A, *copy, solve); }, 4.0 * k * k * (larger - k / 3.0)};
}

Bench makeBench(const Library &library, const std::string &name, Size size) {
  if (name.starts_with("gesdd"))
    return makeSvdBench(library, name, size);
  if (name.starts_with("sy"))
    return makeEigenBench(library, name, size);
  const double m = size.m, n = size.n;
  auto A = std::make_shared<Array>(makeMatrix(size, name == "potrf"));
  auto copy = std::make_shared<Array>(makeMatrix(size, false));
  if (name == "gemm") {
    auto B = std::make_shared<Array>(makeMatrix(size, false));
    auto *const gemm = library.need<Gemm>("dgemm_");
    return {[=] { return timeGemm(gemm, size.n, *A, *B, *copy); }, 2 * n * n * n};
  }
  const auto on = [=](auto factor) { return [=] { return timeFactorization(size, *A, *copy, factor); }; };
  if (name == "potrf") {
    auto *const potrf = library.need<Potrf>("dpotrf_");
    return {on([=](double *a, int *info) { potrf("L", &size.n, a, &size.m, info, 1); }),
            n * n * n / 3 + n * n / 2 + n / 6};
  }
  if (name == "getrf") {
    auto *const getrf = library.need<Getrf>("dgetrf_");
    auto ipiv = std::make_shared<std::vector<int>>(std::min(size.m, size.n));
    return {on([=](double *a, int *info) { getrf(&size.m, &size.n, a, &size.m, ipiv->data(), info); }),
            n * n * (m - n / 3) - n * n / 2 + 5 * n / 6};
  }
  auto *const geqrf = library.need<Geqrf>("dgeqrf_");
  auto tau = std::make_shared<std::vector<double>>(std::min(size.m, size.n));
  auto work = std::make_shared<std::vector<double>>(64 * size.n);
  return {on([=](double *a, int *info) {
            const int lwork = static_cast<int>(work->size());
            geqrf(&size.m, &size.n, a, &size.m, tau->data(), work->data(), &lwork, info);
          }),
          2 * n * n * (m - n / 3) + m * n + n * n + 14 * n / 3};
}

void report(const Library &library, const std::string &bench, Size size, int threads, std::vector<double> seconds,
            double flops) {
  std::sort(seconds.begin(), seconds.end());
  const double median = seconds[seconds.size() / 2];
  auto *const core = library.find<const char *()>("openblas_get_corename");
  std::printf("{\"bench\":\"%s\",\"m\":%d,\"n\":%d,\"threads\":%d,\"seconds\":%.6f,\"gflops\":%.3f,\"core\":\"%s\"}\n",
              bench.c_str(), size.m, size.n, threads, median, flops / median * 1e-9, core ? core() : "");
}

} // namespace

int main(int argc, char **argv) try {
  CLI::App app("peers: FMA peak, and libraries of BLAS and LAPACK");
  std::string bench, prefix;
  std::vector<std::string> files = {TLA_OPENBLAS_FILE};
  int m = 0, n = 1000, threads = static_cast<int>(std::thread::hardware_concurrency()), repeat = 3;
  app.add_option("bench", bench)
      ->required()
      ->check(CLI::IsMember(
          {"fma", "gemm", "potrf", "getrf", "geqrf", "syevd", "syevd_values", "syevr", "gesdd", "gesdd_values"}));
  app.add_option("-m", m, "rows, of getrf, geqrf and gesdd; n when not given")->check(CLI::PositiveNumber);
  app.add_option("-n", n)->check(CLI::PositiveNumber);
  app.add_option("--threads", threads)->check(CLI::PositiveNumber);
  app.add_option("--repeat", repeat)->check(CLI::PositiveNumber);
  app.add_option("--library", files, "in place of OpenBLAS");
  app.add_option("--prefix", prefix, "of the names of all routines");
  CLI11_PARSE(app, argc, argv);
  if (bench == "fma") {
    reportFma(threads);
    return 0;
  }
  const Library library(files, prefix, threads);
  const Size size{m && (bench == "getrf" || bench == "geqrf" || bench.starts_with("gesdd")) ? m : n, n};
  const Bench run = makeBench(library, bench, size);
  std::vector<double> seconds;
  for (int r = -1; r < repeat; ++r) { // the first warms up
    const double time = run.time();
    if (r >= 0)
      seconds.push_back(time);
  }
  report(library, bench, size, threads, seconds, run.flops);
} catch (const std::runtime_error &error) {
  std::fprintf(stderr, "peers: %s\n", error.what());
  return 1;
}
