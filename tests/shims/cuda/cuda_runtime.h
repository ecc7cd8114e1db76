// The vocabulary of device code. See README.md.
#pragma once

#include "cuda_runtime_api.h"

#include "streams.hpp"

#include <functional>
#include <math.h>
#include <tuple>

#define __device__
#define __host__
#define __global__
#define __shared__ static // one block runs at a time
#define __launch_bounds__(...)

extern dim3 gridDim, blockDim, blockIdx, threadIdx; // of the fiber that runs

void __syncthreads();
void __syncwarp();

namespace shim {
inline constexpr unsigned lanes = 32;
/// Runs `body` by every thread of every block.
void runGrid(dim3 grid, dim3 block, const std::function<void()> &body);
/// Puts the value where the warp sees it, and after all have done so returns that of another lane.
double exchange(double value, unsigned lane);
unsigned laneOfThread();
/// Shows the warp something of the calling thread, until the warp's next barrier; returns when all lanes have.
void shareWithWarp(const void *operands);
const void *sharedBy(unsigned lane);
/// A block's memory beyond its static arrays.
inline constexpr int sharedMemoryBytes = 227 << 10;
void *sharedMemory();
/// cp.async: done when a wait asks for it, not before.
void startCopy(void *to, const void *from, int bytes, int valid);
void closeGroup();
void waitForGroups(unsigned remaining);
} // namespace shim

template <typename R> R __shfl_xor_sync(unsigned, R value, int distance) {
  return static_cast<R>(shim::exchange(value, shim::laneOfThread() ^ static_cast<unsigned>(distance)));
}
inline int atomicMin(int *address, int value) {
  const int old = *address;
  *address = value < old ? value : old;
  return old;
}

struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  std::size_t dynamicSmemBytes;
  cudaStream_t stream;
};

template <typename... Parameters, typename... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Parameters...),
                               const Arguments &...arguments) {
  shim::enqueue(config->stream, [grid = config->gridDim, block = config->blockDim, kernel,
                                 copies = std::tuple<Parameters...>(arguments...)] {
    shim::runGrid(grid, block, [&] { std::apply(kernel, copies); });
  });
  return cudaSuccess;
}
