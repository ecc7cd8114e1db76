// Our gemm on one core or more against other libraries and against the core's FMA limit, in one process.
//
//   gemm_peers s|d|c|z -n N [--tile NB] [--threads T] [--seconds S] [--library NAME=FILE ...]
//
// Without --tile: one product of N x N matrices in column-major form; with it, products of NB x NB tiles that lie one
// after another, over the N x N matrix that they make up. Every round measures the FMA loop and then each library once,
// T threads with a product of their own each; HETC_KERNELS chooses our bodies. On one thread time is the thread's own,
// so that others on the machine disturb less. One JSON line for the limit and for each library: the best and the median
// Gflop/s, and the median, least and greatest of the rounds' fractions of the limit.
#include "tests/performance/fma.hpp"

#include <tla/kernels/table.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <complex>
#include <cstdio>
#include <ctime>
#include <dlfcn.h>
#include <functional>
#include <thread>
#include <vector>

using namespace tla;
using namespace tla::performance;

namespace {
double wallTime() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }
double threadTime() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

struct Setup {
  int n = 1000, tile = 0, threads = 1;
  double seconds = 5;
};

/// Seconds that `body` takes in each of the threads, which start together.
double measure(int threads, const std::function<void(int)> &body) {
  if (threads == 1) {
    const double begin = threadTime();
    body(0);
    return threadTime() - begin;
  }
  std::atomic<int> waiting = threads;
  std::atomic<bool> go = false;
  std::vector<std::thread> others;
  for (int thread = 0; thread < threads; ++thread)
    others.emplace_back([&, thread] {
      --waiting;
      while (!go)
        ;
      body(thread);
    });
  while (waiting)
    ;
  const double begin = wallTime();
  go = true;
  for (std::thread &other : others)
    other.join();
  return wallTime() - begin;
}

template <typename T> using Product = std::function<void(ConstTile<T>, ConstTile<T>, Tile<T>)>;

/// A = -B C^T + A, as the updates of Cholesky are, for N x N tiles or one matrix.
template <typename T> class Matrices {
public:
  explicit Matrices(const Setup &setup)
      : n_(setup.n), tile_(setup.tile ? setup.tile : setup.n), data_(3 * elements() + line) {
    unsigned long state = 1;
    for (T &x : data_)
      x = T(RealType<T>((state = state * 6364136223846793005u + 1442695040888963407u) >> 40) / RealType<T>(1 << 24) -
            RealType<T>(0.5));
  }
  double flops() const { return (isComplex<T> ? 8.0 : 2.0) * count() * count() * count() * tile_ * tile_ * tile_; }

  void multiply(const Product<T> &product) {
    for (int j = 0; j < count(); ++j)
      for (int l = 0; l < count(); ++l)
        for (int i = 0; i < count(); ++i)
          product(tile(0, i, l), tile(1, j, l), tile(2, i, j));
  }

private:
  static constexpr std::size_t line = 64 / sizeof(T);
  int count() const { return n_ / tile_; }
  std::size_t elements() const {
    return (static_cast<std::size_t>(count()) * count() * tile_ * tile_ + line - 1) / line * line;
  }
  Tile<T> tile(int matrix, int i, int j) {
    T *const aligned = reinterpret_cast<T *>((reinterpret_cast<std::uintptr_t>(data_.data()) + 63) / 64 * 64);
    const std::size_t offset = (i + static_cast<std::size_t>(j) * count()) * tile_ * tile_;
    return {aligned + matrix * elements() + offset, tile_, tile_, tile_};
  }
  int n_, tile_;
  std::vector<T> data_;
};

template <typename T> struct Contestant {
  std::string name;
  Product<T> product;
  std::vector<double> rates, fractions;
};

/// xgemm_ of a library, which is found nowhere else: several libraries define the same names.
template <typename T> Product<T> productOf(const std::string &file, char type) {
  using Gemm = void (*)(const char *, const char *, const int *, const int *, const int *, const T *, const T *,
                        const int *, const T *, const int *, const T *, T *, const int *);
  void *const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  const auto gemm = library ? reinterpret_cast<Gemm>(dlsym(library, (type + std::string("gemm_")).c_str())) : nullptr;
  if (!gemm)
    throw std::runtime_error("gemm_peers: " + std::string(dlerror()));
  return [gemm](ConstTile<T> A, ConstTile<T> B, Tile<T> C) {
    const int m = C.m(), n = C.n(), k = A.n(), lda = A.ld(), ldb = B.ld(), ldc = C.ld();
    const T alpha = -1, beta = 1;
    gemm("N", "T", &m, &n, &k, &alpha, A.data(), &lda, B.data(), &ldb, &beta, C.data(), &ldc);
  };
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

void print(const std::string &name, const std::vector<double> &rates, const std::vector<double> &fractions) {
  const auto [least, most] = std::minmax_element(fractions.begin(), fractions.end());
  std::printf("{\"library\":\"%s\",\"gflops\":%.3f,\"median\":%.3f,\"fraction\":%.4f,\"fraction_min\":%.4f,"
              "\"fraction_max\":%.4f,\"rounds\":%zu}\n",
              name.c_str(), *std::max_element(rates.begin(), rates.end()), median(rates), median(fractions), *least,
              *most, rates.size());
}

template <typename T> void compare(const Setup &setup, char type, const std::vector<std::string> &libraries) {
  std::vector<Contestant<T>> contestants{
      {"hetc",
       [](ConstTile<T> A, ConstTile<T> B, Tile<T> C) { gemm<T>(Op::NoTrans, Op::Trans, T(-1), A, B, T(1), C); },
       {},
       {}}};
  for (const std::string &library : libraries) {
    const std::size_t equals = library.find('=');
    contestants.push_back({library.substr(0, equals), productOf<T>(library.substr(equals + 1), type), {}, {}});
  }
  std::vector<Matrices<T>> matrices(setup.threads, Matrices<T>(setup));
  const FmaLoop loop = widestFmaLoop();
  const double lanes = 8 / sizeof(RealType<T>); // numbers of this type in the place of one double
  const int loops = std::max(1.0, 0.005 / (loop.flops() / 1e11));
  std::vector<double> limits;
  for (double begin = wallTime(); limits.size() < 3 || wallTime() - begin < setup.seconds;) {
    const double limitTime = measure(setup.threads, [&](int) {
      for (int i = 0; i < loops; ++i)
        sink = loop.run();
    });
    limits.push_back(1e-9 * setup.threads * loops * loop.flops() * lanes / limitTime);
    for (Contestant<T> &one : contestants) {
      const double time = measure(setup.threads, [&](int thread) { matrices[thread].multiply(one.product); });
      one.rates.push_back(1e-9 * setup.threads * matrices[0].flops() / time);
      one.fractions.push_back(one.rates.back() / limits.back());
    }
  }
  print("limit", limits, std::vector<double>(limits.size(), 1));
  for (const Contestant<T> &one : contestants)
    print(one.name, one.rates, one.fractions);
}
} // namespace

int main(int argc, char **argv) {
  CLI::App app{"gemm of ours against others"};
  Setup setup;
  std::string type = "d";
  std::vector<std::string> libraries;
  app.add_option("type", type)->check(CLI::IsMember({"s", "d", "c", "z"}));
  app.add_option("-n", setup.n);
  app.add_option("--tile", setup.tile);
  app.add_option("--threads", setup.threads);
  app.add_option("--seconds", setup.seconds);
  app.add_option("--library", libraries);
  CLI11_PARSE(app, argc, argv);
  kernels::installKernels();
  try {
    type == "s"   ? compare<float>(setup, 's', libraries)
    : type == "d" ? compare<double>(setup, 'd', libraries)
    : type == "c" ? compare<std::complex<float>>(setup, 'c', libraries)
                  : compare<std::complex<double>>(setup, 'z', libraries);
  } catch (const std::runtime_error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
