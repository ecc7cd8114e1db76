// What the lanes of a warp do together.
#pragma once

#include "kernels/cuda/scalar.cuh"

namespace tla::kernels::cuda {

inline constexpr int lanes = 32;

template <typename R> __device__ R shuffled(R x, int distance) { return __shfl_xor_sync(0xffffffffu, x, distance); }
template <typename R> __device__ Complex<R> shuffled(Complex<R> x, int distance) {
  return {shuffled(x.re, distance), shuffled(x.im, distance)};
}
/// The value of x in a lane, for every lane.
template <typename R> __device__ R fromLane(R x, int lane) { return __shfl_sync(0xffffffffu, x, lane); }
template <typename R> __device__ Complex<R> fromLane(Complex<R> x, int lane) {
  return {fromLane(x.re, lane), fromLane(x.im, lane)};
}
/// NaN wins.
template <typename R> __device__ R largerOf(R x, R y) { return y > x || y != y ? y : x; }
template <typename R> __device__ R warpMax(R x) {
  for (int distance = lanes / 2; distance; distance /= 2)
    x = largerOf(x, shuffled(x, distance));
  return x;
}

} // namespace tla::kernels::cuda
