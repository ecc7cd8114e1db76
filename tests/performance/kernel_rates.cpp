// Rates of the tile kernels on one core, by tile size: kernel_rates [s|d|c|z] [size ...]. HETC_KERNELS chooses the
// bodies. Medians of Gflop/s; `cold` takes its tiles from a pool far larger than the caches.
#include <tla/kernels/table.hpp>

#include <algorithm>
#include <chrono>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

using namespace tla;

namespace {
constexpr double secondsPerRate = 0.2;
constexpr std::size_t poolBytes = 256u << 20;

/// The median rate of `call`, in Gflop/s; `prepare` is not timed.
template <typename Prepare, typename Call> double rate(double flops, Prepare prepare, Call call) {
  std::vector<double> times;
  for (double total = 0; total < secondsPerRate || times.size() < 5; total += times.back()) {
    prepare();
    const auto start = std::chrono::steady_clock::now();
    call();
    times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  return flops / times[times.size() / 2] * 1e-9;
}

/// n x n tiles in one piece of memory: tile 0 is positive definite, the others are random.
template <typename T> struct Pool {
  explicit Pool(int n) : n(n), count(std::max<std::size_t>(8, poolBytes / (sizeof(T) * n * n))) {
    data.resize(count * n * n);
    std::mt19937 random(1);
    std::uniform_real_distribution<RealType<T>> uniform(-0.5, 0.5);
    for (T &x : data)
      x = uniform(random);
    for (int i = 0; i < n; ++i)
      tile(0)(i, i) += RealType<T>(n);
  }
  Tile<T> tile(std::size_t i) { return {data.data() + i % count * n * n, n, n, n}; }
  int n;
  std::size_t count;
  std::vector<T> data;
};

template <typename T> void copy(ConstTile<T> A, Tile<T> B) { std::copy_n(A.data(), A.m() * A.n(), B.data()); }

template <typename T> void measure(int n) {
  Pool<T> pool(n);
  const double cube = (isComplex<T> ? 4.0 : 1.0) * n * n * n;
  const Tile<T> spd = pool.tile(0), L = pool.tile(1), A = pool.tile(2), B = pool.tile(3), C = pool.tile(4);
  copy<T>(spd, L);
  potrf(Uplo::Lower, L);
  const auto nothing = [] {};
  const auto multiply = [](ConstTile<T> A, ConstTile<T> B, Tile<T> C) {
    gemm<T>(Op::NoTrans, Op::ConjTrans, T(-1), A, B, T(1), C);
  };
  std::size_t next = 5;
  const double hot = rate(2 * cube, nothing, [&] { multiply(A, B, C); });
  const double cold = rate(
      2 * cube, [&] { next += 3; },
      [&] { multiply(pool.tile(next * 7), pool.tile(next * 7 + 1), pool.tile(5 + next * 7 % (pool.count - 5))); });
  const double plain = rate(2 * cube, nothing, [&] { gemm<T>(Op::NoTrans, Op::NoTrans, T(-1), A, B, T(1), C); });
  const double solve = rate(
      cube, [&] { copy<T>(A, C); },
      [&] { trsm<T>(Side::Right, Uplo::Lower, Op::ConjTrans, Diag::NonUnit, T(1), L, C); });
  const double left = rate(
      cube, [&] { copy<T>(A, C); }, [&] { trsm<T>(Side::Left, Uplo::Lower, Op::NoTrans, Diag::NonUnit, T(1), L, C); });
  const double rankK = rate(cube, nothing, [&] { herk<T>(Uplo::Lower, Op::NoTrans, -1, A, 1, C); });
  const double factor = rate(
      cube / 3, [&] { copy<T>(spd, C); }, [&] { potrf(Uplo::Lower, C); });
  std::printf("%5d %8.1f %8.1f %8.1f %8.1f %8.1f %8.1f %8.1f\n", n, hot, cold, plain, solve, left, rankK, factor);
}
} // namespace

int main(int argc, char **argv) {
  const kernels::KernelStatus status = kernels::installKernels();
  const char type = argc > 1 ? argv[1][0] : 'd';
  std::vector<int> sizes;
  for (int i = 2; i < argc; ++i)
    sizes.push_back(std::atoi(argv[i]));
  if (sizes.empty())
    sizes = {128, 192, 256, 320, 384, 512, 640, 800};
  std::printf("%s: %s\n%5s %8s %8s %8s %8s %8s %8s %8s\n", status.backEnd.c_str(), status.detail.c_str(), "nb",
              "gemm N,C", "cold", "gemm N,N", "trsm R", "trsm L", "herk", "potrf");
  for (int n : sizes)
    type == 's'   ? measure<float>(n)
    : type == 'd' ? measure<double>(n)
    : type == 'c' ? measure<std::complex<float>>(n)
                  : measure<std::complex<double>>(n);
}
