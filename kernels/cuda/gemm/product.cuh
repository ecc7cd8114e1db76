// C = alpha op(A) op(B) + beta C in device code: elements, operands, and which block computes what. Device code of this
// folder includes nothing but itself, so that NVRTC compiles it without any header of the toolkit.
#pragma once

#include "kernels/cuda/gemm/instructions.cuh"

namespace tla::cuda_gemm {

enum class Op { NoTrans, Trans, ConjTrans };

/// Laid out as std::complex.
template <typename R> struct alignas(2 * sizeof(R)) Complex { R re, im; };

template <typename T> inline constexpr bool isComplex = false;
template <typename R> inline constexpr bool isComplex<Complex<R>> = true;

/// sum += x y; without a second look at NaN, as in BLAS.
template <typename R> __device__ void addProduct(R &sum, R x, R y) { sum += x * y; }
template <typename R> __device__ void addProduct(Complex<R> &sum, Complex<R> x, Complex<R> y) {
  sum.re += x.re * y.re;
  sum.re -= x.im * y.im;
  sum.im += x.re * y.im;
  sum.im += x.im * y.re;
}
template <typename R> __device__ bool isZero(R x) { return x == 0; }
template <typename R> __device__ bool isZero(Complex<R> x) { return x.re == 0 && x.im == 0; }
/// 1 or -1.
template <typename R> __device__ bool isUnit(R x) { return x == 1 || x == -1; }
template <typename R> __device__ bool isUnit(Complex<R> x) { return isUnit(x.re) && x.im == 0; }

template <Op op, typename T> __device__ T conjugatedFor(T x) {
  if constexpr (op == Op::ConjTrans && isComplex<T>)
    x.im = -x.im;
  return x;
}

/// One product: C is m x n, the inner dimension is k; all column-major. A launch may have many of them.
template <typename T> struct Product {
  const T *A, *B;
  T *C;
  int m, n, k, lda, ldb, ldc;
  Texture textureA, textureB; ///< textures of A and B, for kernels that read by texture
};

/// Rows [row, ...) and columns [column, ...) of C.
struct Corner {
  int row, column;
};

/// The part of C that block `index` of a product computes: bands of `group` tiles in height, each swept column by
/// column, so that blocks that run together share operands in the second-level cache. False: there is no such part.
template <int blk_m, int blk_n, int group> __device__ bool cornerOf(int index, int m, int n, Corner &corner) {
  const int tilesM = (m + blk_m - 1) / blk_m, tilesN = (n + blk_n - 1) / blk_n;
  if (index >= static_cast<long long>(tilesM) * tilesN)
    return false;
  const int top = index / (group * tilesN) * group, at = index - top * tilesN;
  const int height = tilesM - top < group ? tilesM - top : group;
  corner = {(top + at % height) * blk_m, at / height * blk_n};
  return true;
}

/// c = alpha sum + beta c; c is not read for beta = 0 (BLAS).
template <typename T> __device__ void update(T &c, T alpha, T sum, T beta) {
  T result{};
  addProduct(result, alpha, sum);
  if (!isZero(beta))
    addProduct(result, beta, c);
  c = result;
}

} // namespace tla::cuda_gemm
