// What hetc is measured against, in the same run: the cores' FMA peak, and OpenBLAS on column-major matrices with its
// own threads.
//
//   peers fma [--threads T]
//   peers gemm|potrf|getrf|geqrf -n N [-m M] [--threads T] [--repeat R]
//
// Prints one JSON object; seconds and Gflop/s are medians over the repetitions.
#include "tests/performance/fma.hpp"

#include <cblas.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

extern "C" {
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info);
void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);
void dgeqrf_(const int *m, const int *n, double *a, const int *lda, double *tau, double *work, const int *lwork,
             int *info);
}

using namespace tla::performance;

namespace {

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
      matrix[i + j * size.m] = static_cast<double>(state >> 40) / (1 << 24) - 0.5 + (positiveDefinite && i == j ? size.n : 0);
    }
  return matrix;
}

double timeGemm(int n, const Array &A, const Array &B, const Array &C) {
  const double begin = now();
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, A.get(), n, B.get(), n, 1, C.get(), n);
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

Bench makeBench(const std::string &name, Size size) {
  const double m = size.m, n = size.n;
  auto A = std::make_shared<Array>(makeMatrix(size, name == "potrf"));
  auto copy = std::make_shared<Array>(makeMatrix(size, false));
  if (name == "gemm") {
    auto B = std::make_shared<Array>(makeMatrix(size, false));
    return {[=] { return timeGemm(size.n, *A, *B, *copy); }, 2 * n * n * n};
  }
  const auto on = [=](auto factor) { return [=] { return timeFactorization(size, *A, *copy, factor); }; };
  if (name == "potrf")
    return {on([=](double *a, int *info) { dpotrf_("L", &size.n, a, &size.m, info); }), n * n * n / 3 + n * n / 2 + n / 6};
  if (name == "getrf") {
    auto ipiv = std::make_shared<std::vector<int>>(std::min(size.m, size.n));
    return {on([=](double *a, int *info) { dgetrf_(&size.m, &size.n, a, &size.m, ipiv->data(), info); }),
            n * n * (m - n / 3) - n * n / 2 + 5 * n / 6};
  }
  auto tau = std::make_shared<std::vector<double>>(std::min(size.m, size.n));
  auto work = std::make_shared<std::vector<double>>(64 * size.n);
  return {on([=](double *a, int *info) {
            const int lwork = static_cast<int>(work->size());
            dgeqrf_(&size.m, &size.n, a, &size.m, tau->data(), work->data(), &lwork, info);
          }),
          2 * n * n * (m - n / 3) + m * n + n * n + 14 * n / 3};
}

void report(const std::string &bench, Size size, int threads, std::vector<double> seconds, double flops) {
  std::sort(seconds.begin(), seconds.end());
  const double median = seconds[seconds.size() / 2];
  std::printf("{\"bench\":\"%s\",\"m\":%d,\"n\":%d,\"threads\":%d,\"seconds\":%.6f,\"gflops\":%.3f,\"core\":\"%s\"}\n",
              bench.c_str(), size.m, size.n, threads, median, flops / median * 1e-9, openblas_get_corename());
}

} // namespace

int main(int argc, char **argv) {
  CLI::App app("peers: FMA peak and OpenBLAS");
  std::string bench;
  int m = 0, n = 1000, threads = static_cast<int>(std::thread::hardware_concurrency()), repeat = 3;
  app.add_option("bench", bench)->required()->check(CLI::IsMember({"fma", "gemm", "potrf", "getrf", "geqrf"}));
  app.add_option("-m", m, "rows, of getrf and geqrf; n when not given")->check(CLI::PositiveNumber);
  app.add_option("-n", n)->check(CLI::PositiveNumber);
  app.add_option("--threads", threads)->check(CLI::PositiveNumber);
  app.add_option("--repeat", repeat)->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  if (bench == "fma") {
    reportFma(threads);
    return 0;
  }
  openblas_set_num_threads(threads);
  const Size size{m && (bench == "getrf" || bench == "geqrf") ? m : n, n};
  const Bench run = makeBench(bench, size);
  std::vector<double> seconds;
  for (int r = -1; r < repeat; ++r) { // the first warms up
    const double time = run.time();
    if (r >= 0)
      seconds.push_back(time);
  }
  report(bench, size, threads, seconds, run.flops);
}
