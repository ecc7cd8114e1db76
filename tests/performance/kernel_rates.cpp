// Rates of the tile kernels on one core, by tile size: kernel_rates [s|d|c|z] [size ...]. HETC_KERNELS chooses the
// bodies. Medians of Gflop/s; `cold` takes its tiles from a pool far larger than the caches. The other kernels follow
// as fractions of gemm's rate, then panels.
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

/// Fractions of gemm's rate on n x n tiles.
template <typename T> void measureFractions(int n) {
  Pool<T> pool(n);
  const double cube = (isComplex<T> ? 4.0 : 1.0) * n * n * n;
  const Tile<T> spd = pool.tile(0), L = pool.tile(1), A = pool.tile(2), B = pool.tile(3), C = pool.tile(4);
  copy<T>(spd, L);
  potrf(Uplo::Lower, L);
  const auto nothing = [] {};
  const auto fresh = [&](ConstTile<T> from) { return [from, C] { copy<T>(from, C); }; };
  const double whole = rate(2 * cube, nothing, [&] { gemm<T>(Op::NoTrans, Op::NoTrans, T(-1), A, B, T(1), C); });
  const double fractions[] = {
      rate(cube, fresh(A), [&] { trmm<T>(Side::Left, Uplo::Lower, Op::NoTrans, Diag::NonUnit, T(1), L, C); }),
      rate(cube, fresh(A), [&] { trmm<T>(Side::Right, Uplo::Lower, Op::ConjTrans, Diag::NonUnit, T(1), L, C); }),
      rate(2 * cube, nothing, [&] { hemm<T>(Side::Left, Uplo::Lower, T(-1), spd, B, T(1), C); }),
      rate(cube, nothing, [&] { gemmt<T>(Uplo::Lower, Op::NoTrans, Op::ConjTrans, T(-1), A, B, T(1), C); }),
      rate(cube / 3, fresh(L), [&] { trtri(Uplo::Lower, Diag::NonUnit, C); }),
      rate(cube / 3, fresh(L), [&] { lauum(Uplo::Lower, C); }),
      rate(cube / 3, fresh(spd), [&] { hetrf_nopiv(C); }),
      rate(2 * cube / 3, fresh(spd), [&] { getrf_nopiv(C); })};
  std::printf("%5d", n);
  for (double fraction : fractions)
    std::printf(" %8.2f", fraction / whole);
  std::printf("\n");
}

/// m x n panels, as windows on one array and as tiles of n rows: getrf in Gflop/s, laswp in Gbyte/s.
template <typename T> void measurePanels(int m, int n) {
  std::vector<T> source(static_cast<std::size_t>(m) * n), data(source);
  std::mt19937 random(1);
  std::uniform_real_distribution<RealType<T>> uniform(-0.5, 0.5);
  for (T &x : source)
    x = uniform(random);
  std::vector<Tile<T>> windows, tiles;
  for (int i = 0; i < m; i += n) {
    windows.push_back({data.data() + i, std::min(n, m - i), n, m});
    tiles.push_back({data.data() + static_cast<std::size_t>(i) * n, std::min(n, m - i), n, std::min(n, m - i)});
  }
  std::vector<int> pivots(n);
  const OutTile<int> ipiv(pivots.data(), n, 1, n);
  const auto fresh = [&] { data = source; };
  const double flops = (isComplex<T> ? 4.0 : 1.0) * n * n * (m - n / 3.0), bytes = 4.0 * sizeof(T) * n * n;
  std::printf("%5d %5d", m, n);
  for (const std::vector<Tile<T>> *layout : {&windows, &tiles}) {
    const Panel<T> panel(layout->data(), static_cast<int>(layout->size()));
    std::printf(" %8.1f", rate(flops, fresh, [&] { getrf<T>(0, panel, ipiv); }));
    std::printf(" %8.1f", rate(bytes, fresh, [&] { laswp<T>(0, ipiv, 1, panel); }));
  }
  std::printf("\n");
}

/// The tile kernels of QR for one block size ib.
template <typename T> void measureQr(int n, int ib) {
  Pool<T> pool(n);
  const double cube = (isComplex<T> ? 4.0 : 1.0) * n * n * n;
  const Tile<T> A = pool.tile(1), B = pool.tile(2), C1 = pool.tile(3), C2 = pool.tile(4), V = pool.tile(5),
                R = pool.tile(6);
  std::vector<T> factors(static_cast<std::size_t>(ib) * n);
  const Tile<T> W(factors.data(), ib, n, ib);
  const auto restore = [&] {
    copy<T>(A, V);
    copy<T>(B, R);
  };
  const double product = rate(
      2 * cube, [] {}, [&] { gemm<T>(Op::NoTrans, Op::ConjTrans, T(-1), A, B, T(1), C1); });
  copy<T>(B, C1); // products with Q keep its size
  const double rates[] = {
      rate(4 * cube / 3, restore, [&] { geqrt<T>(ib, V, W); }),
      rate(
          2 * cube, [] {}, [&] { unmqr<T>(Op::ConjTrans, ib, V, W, C1); }),
      rate(2 * cube, restore, [&] { tsqrt<T>(ib, R, V, W); }),
      rate(
          4 * cube, [] {}, [&] { tsmqr<T>(Op::ConjTrans, ib, C1, C2, V, W); }),
      rate(2 * cube / 3, restore, [&] { ttqrt<T>(ib, R, V, W); }),
      rate(
          2 * cube, [] {}, [&] { ttmqr<T>(Op::ConjTrans, ib, C1, C2, V, W); }),
  };
  std::printf("%5d %4d %8.1f", n, ib, product);
  for (double r : rates)
    std::printf(" %8.1f", r);
  std::printf("\n");
}

/// The panel kernels of QR: k columns, m rows in one array; larfb on as many columns.
template <typename T> void measureQrPanel(int m, int k) {
  std::vector<T> data(3 * static_cast<std::size_t>(m) * k), small(static_cast<std::size_t>(k + 1) * k);
  std::mt19937 random(1);
  std::uniform_real_distribution<RealType<T>> uniform(-0.5, 0.5);
  for (T &x : data)
    x = uniform(random);
  const Tile<T> A(data.data(), m, k, m), V(&A(0, 0) + m * k, m, k, m), C(&V(0, 0) + m * k, m, k, m);
  const Tile<T> W(small.data(), k, k, k), tau(small.data() + k * k, k, 1, k);
  const Panel<T> panelV(&V, 1), panelC(&C, 1);
  const double square = (isComplex<T> ? 4.0 : 1.0) * k * k;
  const double product = rate(
      2 * square * k, [] {},
      [&] {
        gemm<T>(Op::NoTrans, Op::ConjTrans, T(-1), {&A(0, 0), k, k, m}, {&A(0, 0), k, k, m}, T(1), W);
      });
  const double factor = rate(
      2 * square * (m - k / 3.0), [&] { copy<T>(A, V); }, [&] { geqrf<T>(panelV, tau, W); });
  const double form = rate(
      square * m, [] {}, [&] { larft<T>(panelV, tau, W); });
  const double apply = rate(
      2 * square * (2 * m - k), [] {}, [&] { larfb<T>(Op::ConjTrans, panelV, W, panelC); });
  std::printf("%5d %4d %8.1f %8.1f %8.1f %8.1f\n", m, k, product, factor, form, apply);
}

template <typename T> void measureAll(const std::vector<int> &sizes) {
  std::printf("%5s %8s %8s %8s %8s %8s %8s %8s\n", "nb", "gemm N,C", "cold", "gemm N,N", "trsm R", "trsm L", "herk",
              "potrf");
  for (int n : sizes)
    measure<T>(n);
  std::printf("%5s %8s %8s %8s %8s %8s %8s %8s %8s\n", "nb", "trmm L", "trmm R", "hemm", "gemmt", "trtri", "lauum",
              "hetrf np", "getrf np");
  for (int n : sizes)
    measureFractions<T>(n);
  std::printf("%5s %5s %8s %8s %8s %8s\n", "m", "nb", "getrf", "laswp", "in tiles", "laswp");
  for (int m : {2000, 4000})
    for (int n : sizes)
      measurePanels<T>(m, n);
  std::printf("%5s %4s %8s %8s %8s %8s %8s %8s %8s\n", "nb", "ib", "gemm N,C", "geqrt", "unmqr", "tsqrt", "tsmqr",
              "ttqrt", "ttmqr");
  for (int n : sizes)
    for (int ib : {16, 32, 48, 64})
      measureQr<T>(n, ib);
  std::printf("%5s %4s %8s %8s %8s %8s\n", "m", "k", "gemm k", "geqrf", "larft", "larfb");
  for (int m : {2000, 4000})
    for (int k : {128, 192})
      measureQrPanel<T>(m, k);
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
  std::printf("%s: %s\n", status.backEnd.c_str(), status.detail.c_str());
  type == 's'   ? measureAll<float>(sizes)
  : type == 'd' ? measureAll<double>(sizes)
  : type == 'c' ? measureAll<std::complex<float>>(sizes)
                : measureAll<std::complex<double>>(sizes);
}
