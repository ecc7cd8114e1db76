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
#define __shared__ static // one block runs at a time, but for those of a cooperative launch, which must not have any
#define __launch_bounds__(...)
#define __grid_constant__

#ifdef SHIM_THREADS // threads.cpp
#define SHIM_OF_THREAD thread_local
#else // fibers.cpp: of the fiber that runs
#define SHIM_OF_THREAD
#endif
extern SHIM_OF_THREAD dim3 gridDim, blockDim, blockIdx, threadIdx;

void __syncthreads();
void __syncwarp();
template <typename R> R __ldcg(const R *address) { return *address; }

namespace shim {
inline constexpr unsigned lanes = 32;
inline constexpr int sharedMemoryBytes = 227 << 10; ///< shared memory that a block can have
/// Runs `body` by every thread of every block; `together`: all blocks, which differ in x, are resident at one time.
/// sharedMemory() has `sharedBytes`, of NaN at first, and what is behind them must stay as it is.
void runGrid(dim3 grid, dim3 block, const std::function<void()> &body, bool together = false,
             std::size_t sharedBytes = sharedMemoryBytes);
/// In a loop that waits for what other blocks do.
void letOthersRun();
/// Puts the value where the warp sees it, and after all have done so returns that of another lane.
double exchange(double value, unsigned lane);
unsigned laneOfThread();
/// Shows the warp something of the calling thread, until the warp's next barrier; returns when all lanes have.
void shareWithWarp(const void *operands);
const void *sharedBy(unsigned lane);
/// A block's memory beyond its static arrays.
void *sharedMemory();
/// cp.async: done when a wait asks for it, not before.
void startCopy(void *to, const void *from, int bytes, int valid);
void closeGroup();
void waitForGroups(unsigned remaining);
} // namespace shim

template <typename R> R __shfl_xor_sync(unsigned, R value, int distance) {
  return static_cast<R>(shim::exchange(value, shim::laneOfThread() ^ static_cast<unsigned>(distance)));
}
template <typename R> R __shfl_sync(unsigned, R value, int lane) {
  return static_cast<R>(shim::exchange(value, static_cast<unsigned>(lane)));
}
inline double rsqrt(double x) { return 1 / sqrt(x); }
inline float rsqrt(float x) { return 1 / sqrtf(x); }
inline int atomicMin(int *address, int value) {
  const int old = *address;
  *address = value < old ? value : old;
  return old;
}

enum cudaLaunchAttributeID { cudaLaunchAttributeCooperative = 2 };
union cudaLaunchAttributeValue {
  int cooperative;
};
struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  cudaLaunchAttributeValue val;
};
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  std::size_t dynamicSmemBytes;
  cudaStream_t stream;
  const cudaLaunchAttribute *attrs;
  unsigned numAttrs;
};

template <typename... Parameters, typename... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Parameters...),
                               const Arguments &...arguments) {
  const bool together = config->numAttrs > 0 && config->attrs[0].val.cooperative;
  if (together && config->gridDim.x > shim::multiprocessors)
    return cudaErrorCooperativeLaunchTooLarge;
  shim::enqueue(config->stream, [grid = config->gridDim, block = config->blockDim, bytes = config->dynamicSmemBytes,
                                 kernel, together, copies = std::tuple<Parameters...>(arguments...)] {
    shim::runGrid(
        grid, block, [&] { std::apply(kernel, copies); }, together, bytes);
  });
  return cudaSuccess;
}
