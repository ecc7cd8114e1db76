// gemm by the tensor cores for double precision: warps multiply fragments by mma.sync, while asynchronous copies bring
// the stripes of A and B several steps ahead into a ring of stages in shared memory. Complex products are four real
// ones.
#pragma once

#include "kernels/cuda/gemm/product.cuh"

namespace tla::cuda_gemm {

/// By one instruction; where matrices are not aligned to that, an element at a time.
inline constexpr int copyBytes = 16;

/// A stripe of a matrix in shared memory: `inner` x `outer` elements, as contiguous as in device memory; along k or
/// across it. What a warp reads of it at once, in a half of it for doubles, a quarter for complex numbers, is 4
/// neighbours along k by 4 (2) across, aligned; with rows of chunks as long as that, these are in different banks if
/// the chunks' places, modulo those that the banks have, differ for as many neighbouring rows. That is done by one
/// chunk more in each row (padding), or by an exchange of the chunks in a row (swizzle).
template <typename T, int inner, int outer, bool alongK, bool swizzle> struct Stripe {
  static constexpr int atOnce = 128 / static_cast<int>(sizeof(T)), chunk = alongK ? 4 : atOnce / 4;
  static constexpr int chunks = inner / chunk, places = atOnce / chunk;
  static_assert(chunks * chunk == inner, "rows are not whole chunks");
  /// Places only repeat after places / common rows.
  static constexpr int common = chunks % places == 0 ? places : chunks % 2 == 0 ? 2 : 1;
  static constexpr int stride = !swizzle && common > 1 ? inner + chunk : inner;
  static constexpr int elements = stride * outer;

  static __device__ int at(int i, int o) {
    if constexpr (swizzle && common > 1)
      i ^= o / (places / common) % common * chunk;
    return i + o * stride;
  }

  /// Starts the copies of all threads: element (0, 0) is *from; what is outside of limitInner x limitOuter is zero.
  template <int threads, bool unroll>
  static __device__ void startCopies(T *to, const T *from, int ld, int limitInner, int limitOuter) {
    constexpr int vec = copyBytes / static_cast<int>(sizeof(T)), copies = inner / vec * outer;
    [[maybe_unused]] constexpr int together = unroll ? (copies + threads - 1) / threads : 1;
    const bool whole = ld % vec == 0 && isAligned(from, copyBytes);
#pragma unroll together
    for (int first = 0; first < copies; first += threads) {
      const int copy = first + threadIdx.x, i = copy % (inner / vec) * vec, o = copy / (inner / vec);
      if (copies % threads != 0 && copy >= copies)
        break;
      const int valid = o < limitOuter ? min(max(limitInner - i, 0), vec) : 0;
      const T *const source = from + i + static_cast<long long>(o) * ld;
      if (vec == 1 || whole) {
        startCopy<copyBytes>(&to[at(i, o)], valid ? source : from, valid * static_cast<int>(sizeof(T)));
        continue;
      }
#pragma unroll
      for (int e = 0; e < vec; ++e)
        startCopy<sizeof(T)>(&to[at(i + e, o)], e < valid ? source + e : from,
                             e < valid ? static_cast<int>(sizeof(T)) : 0);
    }
  }
};

/// The kernel for the constants of a Config: Element (double or Complex<double>), opA, opB, and those of
/// spaces/cuda_dgemm_mma.space, which also says what must hold for them.
template <typename Config> struct MmaGemm {
  using T = typename Config::Element;
  static constexpr int mma_m = Config::mma_m, mma_n = 8, mma_k = Config::mma_k, blk_m = Config::blk_m,
                       blk_n = Config::blk_n, blk_k = Config::blk_k, stages = Config::stages;
  static constexpr int threads = Config::warps_m * Config::warps_n * lanes, blocks = Config::blocks;
  static constexpr int tiles_m = blk_m / Config::warps_m / mma_m, tiles_n = blk_n / Config::warps_n / mma_n;
  static constexpr bool texture = false;
  static constexpr bool transA = Config::opA != Op::NoTrans, transB = Config::opB != Op::NoTrans;
  static_assert(tiles_m * mma_m * Config::warps_m == blk_m && tiles_n * mma_n * Config::warps_n == blk_n &&
                    blk_k % mma_k == 0,
                "the warps do not cover the block's part of C");

  using StripeOfA = Stripe<T, transA ? blk_k : blk_m, transA ? blk_m : blk_k, transA, Config::swizzle != 0>;
  using StripeOfB = Stripe<T, transB ? blk_n : blk_k, transB ? blk_k : blk_n, !transB, Config::swizzle != 0>;
  struct alignas(16) Stage {
    T a[StripeOfA::elements];
    T b[StripeOfB::elements];
  };
  static constexpr int sharedBytes = stages * static_cast<int>(sizeof(Stage));

  /// Real and imaginary parts are apart in registers.
  static constexpr int parts = isComplex<T> ? 2 : 1;
  static constexpr int countA = mma_m * mma_k / lanes, countB = mma_k * mma_n / lanes, countC = mma_m * mma_n / lanes;
  using FragmentOfA = double[countA];
  using FragmentOfB = double[countB];
  using FragmentOfC = double[countC];

  static __device__ void start(Stage &stage, const Product<T> &p, Corner corner, int k0, int k) {
    const long long row = corner.row, column = corner.column;
    if constexpr (transA)
      StripeOfA::template startCopies<threads, Config::unroll_copies != 0>(stage.a, p.A + k0 + row * p.lda, p.lda,
                                                                           k - k0, p.m - corner.row);
    else
      StripeOfA::template startCopies<threads, Config::unroll_copies != 0>(
          stage.a, p.A + row + static_cast<long long>(k0) * p.lda, p.lda, p.m - corner.row, k - k0);
    if constexpr (transB)
      StripeOfB::template startCopies<threads, Config::unroll_copies != 0>(
          stage.b, p.B + column + static_cast<long long>(k0) * p.ldb, p.ldb, p.n - corner.column, k - k0);
    else
      StripeOfB::template startCopies<threads, Config::unroll_copies != 0>(stage.b, p.B + k0 + column * p.ldb, p.ldb,
                                                                           k - k0, p.n - corner.column);
  }

  /// The parts of x; `im` is left alone for a real one.
  template <Op op> static __device__ void split(T x, double &re, double &im) {
    if constexpr (isComplex<T>) {
      re = x.re;
      im = conjugatedFor<op>(x).im;
    } else {
      re = x;
    }
  }

  static __device__ void multiply(FragmentOfC (&c)[parts][tiles_n][tiles_m], const Stage &stage) {
    const int warp = threadIdx.x / lanes, lane = threadIdx.x % lanes;
    const int row = warp % Config::warps_m * (tiles_m * mma_m), column = warp / Config::warps_m * (tiles_n * mma_n);
#pragma unroll
    for (int k = 0; k < blk_k; k += mma_k) {
      FragmentOfA a[tiles_m][parts];
      FragmentOfB b[tiles_n][parts];
#pragma unroll
      for (int m = 0; m < tiles_m; ++m)
#pragma unroll
        for (int i = 0; i < countA; ++i) {
          const int atM = row + m * mma_m + rowOfA<mma_m>(lane, i), atK = k + columnOfA<mma_m>(lane, i);
          const int at = transA ? StripeOfA::at(atK, atM) : StripeOfA::at(atM, atK);
          split<Config::opA>(stage.a[at], a[m][0][i], a[m][parts - 1][i]);
        }
#pragma unroll
      for (int n = 0; n < tiles_n; ++n)
#pragma unroll
        for (int i = 0; i < countB; ++i) {
          const int atK = k + rowOfB(lane, i), atN = column + n * mma_n + columnOfB(lane);
          const int at = transB ? StripeOfB::at(atN, atK) : StripeOfB::at(atK, atN);
          split<Config::opB>(stage.b[at], b[n][0][i], b[n][parts - 1][i]);
        }
#pragma unroll
      for (int m = 0; m < tiles_m; ++m) {
#pragma unroll
        for (int n = 0; n < tiles_n; ++n)
          multiplyAdd(c[0][n][m], a[m][0], b[n][0]);
        if constexpr (isComplex<T>) {
          FragmentOfA minus;
#pragma unroll
          for (int i = 0; i < countA; ++i)
            minus[i] = -a[m][1][i];
#pragma unroll
          for (int n = 0; n < tiles_n; ++n) {
            multiplyAdd(c[1][n][m], a[m][0], b[n][1]);
            multiplyAdd(c[1][n][m], a[m][1], b[n][0]);
            multiplyAdd(c[0][n][m], minus, b[n][1]);
          }
        }
      }
    }
  }

  static __device__ void store(const FragmentOfC (&c)[parts][tiles_n][tiles_m], const Product<T> &p, Corner corner,
                               T alpha, T beta) {
    const int warp = threadIdx.x / lanes, lane = threadIdx.x % lanes;
    corner.row += warp % Config::warps_m * (tiles_m * mma_m);
    corner.column += warp / Config::warps_m * (tiles_n * mma_n);
#pragma unroll
    for (int n = 0; n < tiles_n; ++n)
#pragma unroll
      for (int m = 0; m < tiles_m; ++m)
#pragma unroll
        for (int i = 0; i < countC; ++i) {
          const int row = corner.row + m * mma_m + rowOfC(lane, i);
          const int column = corner.column + n * mma_n + columnOfC(lane, i);
          if (row >= p.m || column >= p.n)
            continue;
          T sum;
          if constexpr (isComplex<T>)
            sum = {c[0][n][m][i], c[1][n][m][i]};
          else
            sum = c[0][n][m][i];
          update(p.C[row + static_cast<long long>(column) * p.ldc], alpha, sum, beta);
        }
  }

  /// By block blockIdx.x of those of a product, one-dimensional, of `threads` threads.
  static __device__ void run(const Product<T> &p, T alpha, T beta) {
    Corner corner;
    if (!cornerOf<blk_m, blk_n, Config::group>(blockIdx.x, p.m, p.n, corner))
      return;
    Stage *const ring = static_cast<Stage *>(sharedMemory());
    FragmentOfC c[parts][tiles_n][tiles_m] = {};
    const int k = isZero(alpha) ? 0 : p.k; // BLAS: A and B are not read then
    const int steps = (k + blk_k - 1) / blk_k;
    // A group for each step, empty or not, so that "all but the newest stages - 2" always means the same.
    for (int step = 0; step < stages - 1; ++step) {
      if (step < steps)
        start(ring[step], p, corner, step * blk_k, k);
      closeGroup();
    }
    for (int step = 0; step < steps; ++step) {
      waitForGroups<stages - 2>();
      __syncthreads(); // for all threads' copies, and until all have read the stage that is filled next
      if (step + stages - 1 < steps)
        start(ring[(step + stages - 1) % stages], p, corner, (step + stages - 1) * blk_k, k);
      closeGroup();
      multiply(c, ring[step % stages]);
    }
    store(c, p, corner, alpha, beta);
  }
};

} // namespace tla::cuda_gemm
