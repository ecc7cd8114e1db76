// gemm without tensor cores: the kernel of [Dongarra14] (Figure 6), for all types and ops, with vectors to read by, and
// with the next stripes of A and B on the way while the threads compute.
#pragma once

#include "kernels/cuda/gemm/product.cuh"

namespace tla::cuda_gemm {

/// A thread's part of a stripe of a matrix, `inner` x `outer` elements of which `inner` are contiguous, on its way from
/// device to shared memory. The block's threads are dim_inner x dim_outer, each reads vectors of `vec` elements.
template <typename T, int inner, int outer, int dim_inner, int dim_outer, int vec, bool texture> class StripePart {
  static constexpr int countInner = inner / (dim_inner * vec), countOuter = outer / dim_outer;
  static_assert(countInner * dim_inner * vec == inner && countOuter * dim_outer == outer, "a shape that does not fit");
  struct alignas(vec * sizeof(T)) Vector {
    T elements[vec];
  };

public:
  /// Element (0, 0) of the stripe is at `offset` of the matrix; what is outside limitInner x limitOuter becomes zero.
  __device__ void read(const T *matrix, Texture object, long long offset, int ld, int limitInner, int limitOuter) {
    const int thread = threadIdx.x;
    const bool whole = vec > 1 && ld % vec == 0 && isAligned(matrix, vec * sizeof(T));
#pragma unroll
    for (int o = 0; o < countOuter; ++o)
#pragma unroll
      for (int i = 0; i < countInner; ++i) {
        const int atInner = (thread % dim_inner + i * dim_inner) * vec, atOuter = thread / dim_inner + o * dim_outer;
        const long long at = offset + atInner + static_cast<long long>(atOuter) * ld;
        Vector &part = parts_[o][i];
        if (whole && atOuter < limitOuter && atInner + vec <= limitInner) {
          part = *reinterpret_cast<const Vector *>(matrix + at);
          continue;
        }
#pragma unroll
        for (int e = 0; e < vec; ++e) {
          part.elements[e] = T{};
          if (atOuter < limitOuter && atInner + e < limitInner)
            part.elements[e] = texture ? fetch(object, static_cast<int>(at + e), matrix) : matrix[at + e];
        }
      }
  }

  /// put(inner, outer, element) for all.
  template <typename Put> __device__ void write(const Put &put) const {
    const int thread = threadIdx.x;
#pragma unroll
    for (int o = 0; o < countOuter; ++o)
#pragma unroll
      for (int i = 0; i < countInner; ++i)
#pragma unroll
        for (int e = 0; e < vec; ++e)
          put((thread % dim_inner + i * dim_inner) * vec + e, thread / dim_inner + o * dim_outer,
              parts_[o][i].elements[e]);
  }

private:
  Vector parts_[countOuter][countInner];
};

/// The kernel for the constants of a Config: Element, opA, opB, and those of spaces/cuda_gemm_simt.space, which also
/// says what must hold for them.
template <typename Config> struct SimtGemm {
  using T = typename Config::Element;
  static constexpr int dim_m = Config::dim_m, dim_n = Config::dim_n, blk_m = Config::blk_m, blk_n = Config::blk_n,
                       blk_k = Config::blk_k, thread_m = blk_m / dim_m, thread_n = blk_n / dim_n;
  static constexpr int threads = dim_m * dim_n, blocks = 1;
  static constexpr bool texture = Config::texture != 0;
  static constexpr bool transA = Config::opA != Op::NoTrans, transB = Config::opB != Op::NoTrans;
  static_assert(thread_m * dim_m == blk_m && thread_n * dim_n == blk_n, "the block does not cover its part of C");

  /// One more in each row, as in Figure 6: threads that write a column do not meet in a bank.
  struct Stripes {
    T a[blk_k][blk_m + 1];
    T b[blk_n][blk_k + 1];
  };
  static constexpr int sharedBytes = Config::buffers * static_cast<int>(sizeof(Stripes));

  template <int inner, int outer, int dim_inner>
  using Part = StripePart<T, inner, outer, dim_inner, threads / dim_inner, Config::vec, texture>;
  using PartOfA = Part<transA ? blk_k : blk_m, transA ? blk_m : blk_k, Config::dim_m_a>;
  using PartOfB = Part<transB ? blk_n : blk_k, transB ? blk_k : blk_n, Config::dim_m_b>;

  static __device__ void readA(PartOfA &part, const Product<T> &p, int row, int k0, int k) {
    if constexpr (transA)
      part.read(p.A, p.textureA, k0 + static_cast<long long>(row) * p.lda, p.lda, k - k0, p.m - row);
    else
      part.read(p.A, p.textureA, row + static_cast<long long>(k0) * p.lda, p.lda, p.m - row, k - k0);
  }
  static __device__ void readB(PartOfB &part, const Product<T> &p, int column, int k0, int k) {
    if constexpr (transB)
      part.read(p.B, p.textureB, column + static_cast<long long>(k0) * p.ldb, p.ldb, p.n - column, k - k0);
    else
      part.read(p.B, p.textureB, k0 + static_cast<long long>(column) * p.ldb, p.ldb, k - k0, p.n - column);
  }

  static __device__ void write(Stripes &stripes, const PartOfA &a, const PartOfB &b) {
    a.write([&](int inner, int outer, T x) {
      stripes.a[transA ? inner : outer][transA ? outer : inner] = conjugatedFor<Config::opA>(x);
    });
    b.write([&](int inner, int outer, T x) {
      stripes.b[transB ? inner : outer][transB ? outer : inner] = conjugatedFor<Config::opB>(x);
    });
  }

  static __device__ void multiply(T (&c)[thread_n][thread_m], const Stripes &stripes) {
    const int idx = threadIdx.x % dim_m, idy = threadIdx.x / dim_m;
#pragma unroll
    for (int k = 0; k < blk_k; ++k) {
      T a[thread_m], b[thread_n];
#pragma unroll
      for (int m = 0; m < thread_m; ++m)
        a[m] = stripes.a[k][m * dim_m + idx];
#pragma unroll
      for (int n = 0; n < thread_n; ++n)
        b[n] = stripes.b[n * dim_n + idy][k];
#pragma unroll
      for (int n = 0; n < thread_n; ++n)
#pragma unroll
        for (int m = 0; m < thread_m; ++m)
          addProduct(c[n][m], a[m], b[n]);
    }
  }

  /// Computes block blockIdx.x of a product's blocks, which are one-dimensional, of `threads` threads.
  static __device__ void run(const Product<T> &p, T alpha, T beta) {
    Corner corner;
    if (!cornerOf<blk_m, blk_n, 1>(blockIdx.x, p.m, p.n, corner))
      return;
    Stripes *const buffers = static_cast<Stripes *>(sharedMemory());
    T c[thread_n][thread_m] = {};
    const int k = isZero(alpha) ? 0 : p.k; // BLAS: A and B are not read then
    PartOfA a;
    PartOfB b;
    if (k > 0) {
      readA(a, p, corner.row, 0, k);
      readB(b, p, corner.column, 0, k);
    }
    for (int k0 = 0, turn = 0; k0 < k; k0 += blk_k, turn = (turn + 1) % Config::buffers) {
      write(buffers[turn], a, b);
      __syncthreads();
      if (k0 + blk_k < k) {
        readA(a, p, corner.row, k0 + blk_k, k);
        readB(b, p, corner.column, k0 + blk_k, k);
      }
      multiply(c, buffers[turn]);
      if constexpr (Config::buffers == 1)
        __syncthreads();
    }
    const int idx = threadIdx.x % dim_m, idy = threadIdx.x / dim_m;
#pragma unroll
    for (int n = 0; n < thread_n; ++n)
#pragma unroll
      for (int m = 0; m < thread_m; ++m) {
        const int row = corner.row + m * dim_m + idx, column = corner.column + n * dim_n + idy;
        if (row < p.m && column < p.n)
          update(p.C[row + static_cast<long long>(column) * p.ldc], alpha, c[n][m], beta);
      }
  }
};

} // namespace tla::cuda_gemm
