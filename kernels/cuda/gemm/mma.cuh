// gemm by the tensor cores for double precision: warps multiply fragments by mma.sync, while asynchronous copies bring
// the stripes of A and B several steps ahead into a ring of stages in shared memory. Complex products are four real
// ones.
//
// What a step costs besides its products decides the rate, for all warps of a block do it at the same time, behind a
// barrier: so where a thread copies from is worked out once, and fragments may be read ahead of their products.
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

  static constexpr int vec = copyBytes / static_cast<int>(sizeof(T)), chunksInner = inner / vec,
                       copies = chunksInner * outer;
  static_assert(outer <= 256 && inner <= 256, "offsets of copies have 32 bits");
  /// Leading dimensions that the offsets of Copies are for.
  static constexpr int mostLd = (1 << 24) / static_cast<int>(sizeof(T)) - 1;

  /// The copies of the calling thread for every stripe that is whole along k, where leading dimensions and addresses
  /// are multiples of a copy. Outside of limitInner (a multiple of vec, or not less than inner) x limitOuter it copies
  /// the elements at the edge again: the results that are made of them are not stored.
  template <int threads> class Copies {
  public:
    static constexpr int count = (copies + threads - 1) / threads;

    __device__ Copies(int ld, int limitInner, int limitOuter) : to_(at(innerOf(0), outerOf(0))) {
#pragma unroll
      for (int c = 0; c < count; ++c)
        bytes_[c] = (unsigned(min(innerOf(c), limitInner - vec)) + unsigned(min(outerOf(c), limitOuter - 1)) * ld) *
                    unsigned(sizeof(T));
    }
    /// Starts the copies of `part` of `parts`. Element (0, 0) is *from.
    template <int part, int parts> __device__ void start(T *to, const T *from) const {
#pragma unroll
      for (int c = part; c < count; c += parts)
        if (copies % threads == 0 || threadIdx.x + c * threads < copies)
          startCopy(&to[isRegular ? to_ + c * apart * stride : at(innerOf(c), outerOf(c))],
                    reinterpret_cast<const char *>(from) + bytes_[c]);
    }

  private:
    /// A thread's copies lie one above the other, `apart` from each other, where the threads make whole rows.
    static constexpr bool isStraight = threads % chunksInner == 0;
    static constexpr int apart = threads / chunksInner;
    static constexpr bool isRegular = isStraight && (!swizzle || apart % places == 0);
    static __device__ int innerOf(int c) {
      return (isStraight ? threadIdx.x : threadIdx.x + c * threads) % chunksInner * vec;
    }
    static __device__ int outerOf(int c) {
      return isStraight ? threadIdx.x / chunksInner + c * apart : (threadIdx.x + c * threads) / chunksInner;
    }

    const int to_;
    unsigned bytes_[count];
  };

  /// Starts the copies of all threads, of any stripe: element (0, 0) is *from; what is outside of limitInner x
  /// limitOuter is zero.
  template <int threads>
  static __device__ void startCopies(T *to, const T *from, int ld, int limitInner, int limitOuter) {
    const bool whole = ld % vec == 0 && isAligned(from, copyBytes);
#pragma unroll 1
    for (int copy = threadIdx.x; copy < copies; copy += threads) {
      const int i = copy % chunksInner * vec, o = copy / chunksInner;
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
  static_assert(Config::ahead == 0 || blk_k / mma_k % 2 == 0, "fragments take turns");

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

  /// Brings the stripes of a block's part of C, one step after the other. Each is a group of copies, empty or not, so
  /// that "all but the newest" always means the same.
  class Feed {
  public:
    __device__ Feed(const Product<T> &p, Corner corner, int k)
        : p_(p), m_(p.m - corner.row), n_(p.n - corner.column), k_(k),
          a_(p.A + corner.row * (transA ? static_cast<long long>(p.lda) : 1)),
          b_(p.B + corner.column * (transB ? 1 : static_cast<long long>(p.ldb))),
          ofA_(p.lda, transA ? blk_k : min(m_, blk_m), transA ? m_ : blk_k),
          ofB_(p.ldb, transB ? min(n_, blk_n) : blk_k, transB ? blk_k : n_),
          isQuick_(isQuick(p.A, p.lda, transA ? 0 : m_, blk_m) && isQuick(p.B, p.ldb, transB ? n_ : 0, blk_n)) {}

    /// The number of the next steps that can be made by nextQuick().
    __device__ int quickSteps() const { return isQuick_ && k_ > 0 ? k_ / blk_k : 0; }

    /// `part` of `parts` of the next step, in their order: between them there is time for something else.
    template <int part, int parts> __device__ void nextQuick(Stage &stage) {
      ofA_.template start<part, parts>(stage.a, a_);
      ofB_.template start<part, parts>(stage.b, b_);
      if constexpr (part == parts - 1)
        advance();
    }

    /// The next step, if there is one.
    __device__ void next(Stage &stage) {
      if (quickSteps() > 0)
        return nextQuick<0, 1>(stage);
      if (k_ > 0) {
        StripeOfA::template startCopies<threads>(stage.a, a_, p_.lda, transA ? k_ : m_, transA ? m_ : k_);
        StripeOfB::template startCopies<threads>(stage.b, b_, p_.ldb, transB ? n_ : k_, transB ? k_ : n_);
      }
      advance();
    }

  private:
    static constexpr int vec = StripeOfA::vec;
    static __device__ bool isQuick(const T *matrix, int ld, int across, int blk) {
      return ld % vec == 0 && ld <= StripeOfA::mostLd && isAligned(matrix, copyBytes) &&
             (across >= blk || across % vec == 0);
    }
    __device__ void advance() {
      a_ += blk_k * (transA ? 1 : static_cast<long long>(p_.lda));
      b_ += blk_k * (transB ? static_cast<long long>(p_.ldb) : 1);
      k_ -= blk_k;
      closeGroup();
    }

    const Product<T> &p_;
    const int m_, n_; ///< rows and columns from the block's first ones on
    int k_;           ///< left
    const T *a_, *b_; ///< the next stripes
    const typename StripeOfA::template Copies<threads> ofA_;
    const typename StripeOfB::template Copies<threads> ofB_;
    const bool isQuick_;
  };

  /// The parts of x; `im` is left alone for a real one.
  template <Op op> static __device__ void split(T x, double &re, double &im) {
    if constexpr (isComplex<T>) {
      re = x.re;
      im = conjugatedFor<op>(x).im;
    } else {
      re = x;
    }
  }

  /// The warp's tiles of A in row m of them, or of B in column n, for the mma_k at k of a stage.
  static __device__ void read(FragmentOfA (&a)[parts], const Stage &stage, int m, int k) {
    const int warp = threadIdx.x / lanes, lane = threadIdx.x % lanes;
    const int row = (warp % Config::warps_m * tiles_m + m) * mma_m;
#pragma unroll
    for (int i = 0; i < countA; ++i) {
      const int atM = row + rowOfA<mma_m>(lane, i), atK = k + columnOfA<mma_m>(lane, i);
      const int at = transA ? StripeOfA::at(atK, atM) : StripeOfA::at(atM, atK);
      split<Config::opA>(stage.a[at], a[0][i], a[parts - 1][i]);
    }
  }
  static __device__ void read(FragmentOfB (&b)[tiles_n][parts], const Stage &stage, int k) {
    const int warp = threadIdx.x / lanes, lane = threadIdx.x % lanes;
    const int column = warp / Config::warps_m * (tiles_n * mma_n);
#pragma unroll
    for (int n = 0; n < tiles_n; ++n)
#pragma unroll
      for (int i = 0; i < countB; ++i) {
        const int atK = k + rowOfB(lane, i), atN = column + n * mma_n + columnOfB(lane);
        const int at = transB ? StripeOfB::at(atN, atK) : StripeOfB::at(atK, atN);
        split<Config::opB>(stage.b[at], b[n][0][i], b[n][parts - 1][i]);
      }
  }

  using Sums = FragmentOfC[tiles_m][tiles_n][parts];

  /// Adds the product of a row of the warp's tiles.
  static __device__ void multiply(FragmentOfC (&c)[tiles_n][parts], const FragmentOfA (&a)[parts],
                                  const FragmentOfB (&b)[tiles_n][parts]) {
#pragma unroll
    for (int n = 0; n < tiles_n; ++n)
      multiplyAdd(c[n][0], a[0], b[n][0]);
    if constexpr (isComplex<T>) {
      FragmentOfA minus;
#pragma unroll
      for (int i = 0; i < countA; ++i)
        minus[i] = -a[1][i];
#pragma unroll
      for (int n = 0; n < tiles_n; ++n) {
        multiplyAdd(c[n][1], a[0], b[n][1]);
        multiplyAdd(c[n][1], a[1], b[n][0]);
        multiplyAdd(c[n][0], minus, b[n][1]);
      }
    }
  }

  /// Calls act(x, sum, i) for the thread's elements x of C that there are, whose sums are sum[...][i]. Where all the
  /// block's are, an address is a column's and a constant.
  template <bool isWhole, typename Act>
  static __device__ void forEach(Sums &c, const Product<T> &p, Corner corner, const Act &act) {
    const int warp = threadIdx.x / lanes, lane = threadIdx.x % lanes;
    const int row = corner.row + warp % Config::warps_m * (tiles_m * mma_m) + rowOfC(lane, 0);
    const int column = corner.column + warp / Config::warps_m * (tiles_n * mma_n) + columnOfC(lane, 0);
    T *x = p.C + row + static_cast<long long>(column) * p.ldc;
#pragma unroll
    for (int n = 0; n < tiles_n; ++n) {
#pragma unroll
      for (int j = 0; j < 2; ++j) {
#pragma unroll
        for (int m = 0; m < tiles_m; ++m)
#pragma unroll
          for (int i = j; i < countC; i += 2)
            if (const int down = m * mma_m + rowOfC(0, i);
                isWhole || (row + down < p.m && column + n * mma_n + j < p.n))
              act(x[down], c[m][n], i);
        x += p.ldc;
      }
      x += (mma_n - 2) * static_cast<long long>(p.ldc);
    }
  }
  template <typename Act> static __device__ void forEach(Sums &c, const Product<T> &p, Corner corner, const Act &act) {
    if (corner.row + blk_m <= p.m && corner.column + blk_n <= p.n)
      forEach<true>(c, p, corner, act);
    else
      forEach<false>(c, p, corner, act);
  }
  static __device__ T sumOf(const FragmentOfC (&c)[parts], int i) {
    if constexpr (isComplex<T>)
      return {c[0][i], c[1][i]};
    else
      return c[0][i];
  }
  static __device__ void load(Sums &c, const Product<T> &p, Corner corner, T factor) {
    forEach(c, p, corner, [factor](const T &x, FragmentOfC(&sum)[parts], int i) {
      T product{};
      addProduct(product, factor, x);
      split<Op::NoTrans>(product, sum[0][i], sum[parts - 1][i]);
    });
  }
  static __device__ void store(Sums &c, const Product<T> &p, Corner corner, T alpha, T beta) {
    if (isZero(beta))
      forEach(c, p, corner,
              [alpha](T &x, const FragmentOfC(&sum)[parts], int i) { update(x, alpha, sumOf(sum, i), T{}); });
    else
      forEach(c, p, corner,
              [alpha, beta](T &x, const FragmentOfC(&sum)[parts], int i) { update(x, alpha, sumOf(sum, i), beta); });
  }

  /// The stages of the ring that are read and filled.
  struct Places {
    int from = 0, to = stages - 1;
    static __device__ void advance(int &place) { place = place == stages - 1 ? 0 : place + 1; }
  };
  static __device__ void waitForOldest() {
    waitForGroups<stages - 2>();
    __syncthreads(); // for all threads' copies, and until all have read what is filled next
  }

  /// Fragments for the next row of tiles are read while one is multiplied.
  static constexpr int rows = blk_k / mma_k * tiles_m;
  struct Ahead {
    FragmentOfA a[2][parts];
    FragmentOfB b[2][tiles_n][parts];
  };

  /// Row `row` of a step, and so on.
  template <bool quick, int row = 0>
  static __device__ void stepAhead(Sums &c, Ahead &f, Stage *ring, Places &places, Feed &feed) {
    constexpr int m = row % tiles_m, at = row / tiles_m, count = blk_k / mma_k;
    if constexpr (row + 1 < rows)
      read(f.a[(row + 1) % 2], ring[places.from], (row + 1) % tiles_m, (row + 1) / tiles_m * mma_k);
    if constexpr (m == 0 && at + 1 < count)
      read(f.b[(at + 1) % 2], ring[places.from], (at + 1) * mma_k);
    if constexpr (quick && row < copyRows)
      feed.template nextQuick<row, copyRows>(ring[places.to]);
    if constexpr (row == (tiles_m > 1 ? rows - 2 : rows - 1)) { // all of the stage has been read
      waitForOldest();
      Places::advance(places.from);
      read(f.b[0], ring[places.from], 0);
    }
    if constexpr (row + 1 == rows)
      read(f.a[0], ring[places.from], 0, 0);
    multiply(c[m], f.a[row % 2], f.b[at % 2]);
    if constexpr (row + 1 < rows)
      stepAhead<quick, row + 1>(c, f, ring, places, feed);
  }
  static constexpr int copyRows = rows > 2 ? rows - 2 : 1;

  /// Computes block blockIdx.x of a product's blocks, which are one-dimensional, of `threads` threads.
  static __device__ void run(const Product<T> &p, T alpha, T beta) {
    Corner corner;
    if (!cornerOf<blk_m, blk_n, Config::group>(blockIdx.x, p.m, p.n, corner))
      return;
    Stage *const ring = static_cast<Stage *>(sharedMemory());
    const int k = isZero(alpha) ? 0 : p.k; // BLAS: A and B are not read then
    const int steps = (k + blk_k - 1) / blk_k;
    Feed feed(p, corner, k);
    for (int step = 0; step < stages - 1; ++step)
      feed.next(ring[step]);
    Sums c = {};
    // Where alpha is its own inverse, the sums begin with alpha beta C: C comes while the first stripes do, and behind
    // the last product nothing is waited for.
    if (isUnit(alpha) && !isZero(beta)) {
      T factor{};
      addProduct(factor, alpha, beta);
      load(c, p, corner, factor);
      beta = T{};
    }
    Places places;
    int step = 0;
    if constexpr (Config::ahead == 0) {
      for (; step < steps; ++step) {
        waitForOldest();
        feed.next(ring[places.to]);
        Places::advance(places.to);
#pragma unroll
        for (int at = 0; at < blk_k; at += mma_k) {
          FragmentOfB b[tiles_n][parts];
          read(b, ring[places.from], at);
#pragma unroll
          for (int m = 0; m < tiles_m; ++m) {
            FragmentOfA a[parts];
            read(a, ring[places.from], m, at);
            multiply(c[m], a, b);
          }
        }
        Places::advance(places.from);
      }
    } else {
      Ahead fragments;
      waitForOldest();
      read(fragments.b[0], ring[0], 0); // with no step at all: of nothing, and not used
      read(fragments.a[0], ring[0], 0, 0);
      for (const int quick = feed.quickSteps(); step < quick; ++step) {
        stepAhead<true>(c, fragments, ring, places, feed);
        Places::advance(places.to);
      }
      for (; step < steps; ++step) {
        feed.next(ring[places.to]);
        stepAhead<false>(c, fragments, ring, places, feed);
        Places::advance(places.to);
      }
    }
    store(c, p, corner, alpha, beta);
  }
};

} // namespace tla::cuda_gemm
