// QR of a few columns by one thread block, column by column.
#pragma once

#include "kernels/cuda/enqueue.cuh"

namespace tla::kernels::cuda {

/// Where the vectors lie in a tile V, as in kernels/reference/qr_blocks.hpp: v_j has its one in row j of the top tile,
/// and below it
enum class Vectors {
  BelowDiagonal, ///< rows [j + 1, m) of column j, of the top tile itself (geqrt)
  Full,          ///< the whole of column j, of a second tile (tsqrt)
  Upper,         ///< rows [0, j] of column j, of a second tile (ttqrt)
};

inline constexpr int lanes = 32;
/// A warp per column.
inline constexpr int panelColumns = 32, panelThreads = panelColumns * lanes;

template <typename R> __device__ R shuffled(R x, int distance) { return __shfl_xor_sync(0xffffffffu, x, distance); }
template <typename R> __device__ Complex<R> shuffled(Complex<R> x, int distance) {
  return {shuffled(x.re, distance), shuffled(x.im, distance)};
}
/// The sum over a warp, in every lane.
template <typename D> __device__ D warpSum(D x) {
  for (int distance = lanes / 2; distance; distance /= 2)
    x = x + shuffled(x, distance);
  return x;
}
/// NaN wins.
template <typename R> __device__ R largerOf(R x, R y) { return y > x || y != y ? y : x; }
template <typename R> __device__ R warpMax(R x) {
  for (int distance = lanes / 2; distance; distance /= 2)
    x = largerOf(x, shuffled(x, distance));
  return x;
}

/// What the columns of a panel work on: columns [l, l + columns) of A below the rows [l, l + columns) of `top`, which
/// is A for BelowDiagonal; F receives the upper triangular factor of their reflectors, nothing below its diagonal.
template <typename D> struct QrPanel {
  Vectors shape;
  View<D> top, A, F;
  int l, columns;

  /// The rows of column j that hold v_j.
  __device__ int begin(int j) const { return shape == Vectors::BelowDiagonal ? l + j + 1 : 0; }
  __device__ int end(int j) const { return shape == Vectors::Upper ? min(l + j + 1, A.m) : A.m; }
};

/// LAPACK's larfg for the column j of the panel by all threads; returns tau, the same in all. With all of the vector
/// divided by its largest part first, no square overflows or vanishes.
template <typename D> __device__ D makeReflector(const QrPanel<D> &p, int j, RealOf<D> (&sums)[panelColumns]) {
  using R = RealOf<D>;
  const int warp = threadIdx.x / lanes, lane = threadIdx.x % lanes;
  D *const x = &p.A(0, p.l + j);
  D &diagonal = p.top(p.l + j, p.l + j);
  const D alpha = diagonal;

  R largest = largestPart(alpha);
  for (int i = p.begin(j) + threadIdx.x; i < p.end(j); i += panelThreads)
    largest = largerOf(largest, largestPart(x[i]));
  largest = warpMax(largest);
  if (lane == 0)
    sums[warp] = largest;
  __syncthreads();
  largest = warpMax(sums[lane]);
  __syncthreads();
  if (largest == 0)
    return D(0);

  R squares = 0;
  for (int i = p.begin(j) + threadIdx.x; i < p.end(j); i += panelThreads) {
    const R re = realPart(x[i]) / largest, im = imaginaryPart(x[i]) / largest;
    squares += re * re + im * im;
  }
  squares = warpSum(squares);
  if (lane == 0)
    sums[warp] = squares;
  __syncthreads();
  squares = warpSum(sums[lane]);
  __syncthreads();
  if (squares == 0 && imaginaryPart(alpha) == 0)
    return D(0);

  const D first = alpha / largest;
  const R beta = -copysign(
      sqrt(realPart(first) * realPart(first) + imaginaryPart(first) * imaginaryPart(first) + squares), realPart(first));
  const D factor = reciprocal(first - D(beta));
  for (int i = p.begin(j) + threadIdx.x; i < p.end(j); i += panelThreads)
    x[i] = (x[i] / largest) * factor;
  if (threadIdx.x == 0)
    diagonal = D(beta * largest);
  __syncthreads();
  return (D(beta) - first) / beta;
}

/// (first; rest) = (I - conj(tau) v v^H) (first; rest) for column c, by one warp.
template <typename D> __device__ void reflectColumn(const QrPanel<D> &p, D tau, int j, int c, int lane) {
  const D *const x = &p.A(0, p.l + j);
  D *const rest = &p.A(0, p.l + c);
  D &first = p.top(p.l + j, p.l + c);
  D sum(0);
  for (int i = p.begin(j) + lane; i < p.end(j); i += lanes)
    sum = sum + conjugate(x[i]) * rest[i];
  sum = conjugate(tau) * (warpSum(sum) + first);
  __syncwarp();
  if (lane == 0)
    first = first - sum;
  for (int i = p.begin(j) + lane; i < p.end(j); i += lanes)
    rest[i] = rest[i] - x[i] * sum;
}

/// v_c^H v_j, c < j, by one warp.
template <typename D> __device__ D vectorProduct(const QrPanel<D> &p, int c, int j, int lane) {
  D sum(0);
  for (int i = p.begin(j) + lane; i < min(p.end(c), p.end(j)); i += lanes)
    sum = sum + conjugate(p.A(i, p.l + c)) * p.A(i, p.l + j);
  sum = warpSum(sum);
  return p.shape == Vectors::BelowDiagonal ? sum + conjugate(p.A(p.l + j, p.l + c)) : sum;
}

/// One block of panelThreads. In step j the warps right of column j apply its reflector to theirs, those left of it
/// make the products that column j of the factor consists of (LAPACK: larft).
template <typename D> __global__ void __launch_bounds__(panelThreads) factorPanel(QrPanel<D> p) {
  __shared__ RealOf<D> sums[panelColumns];
  __shared__ D products[panelColumns];
  __shared__ D F[panelColumns][panelColumns + 1];
  const int thread = threadIdx.x, warp = thread / lanes, lane = thread % lanes;
  for (int j = 0; j < p.columns; ++j) {
    const D tau = makeReflector(p, j, sums);
    if (warp > j && warp < p.columns) {
      reflectColumn(p, tau, j, warp, lane);
    } else if (warp < j) {
      const D product = vectorProduct(p, warp, j, lane);
      if (lane == 0)
        products[warp] = product;
    }
    __syncthreads();
    if (thread < j) {
      D sum(0);
      for (int l = thread; l < j; ++l)
        sum = sum + F[thread][l] * products[l];
      F[thread][j] = -(tau * sum);
    } else if (thread == j) {
      F[j][j] = tau;
    }
    __syncthreads();
  }
  if (warp < p.columns && lane <= warp)
    p.F(lane, warp) = F[lane][warp];
}

} // namespace tla::kernels::cuda
