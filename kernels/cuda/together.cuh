// Kernels whose blocks wait for each other.
#pragma once

#include "kernels/cuda/enqueue.cuh"
#include "kernels/cuda/gemm/instructions.cuh"
#include "kernels/cuda/row_parts.hpp"

#include <cstring>

namespace tla::kernels::cuda {

/// Numbers of the rounds in which blocks of a kernel send each other something, over any number of grids, one after the
/// other. None is 0.
class Rounds {
public:
  unsigned take(int count) {
    const unsigned first = next_;
    next_ += static_cast<unsigned>(count);
    return first;
  }

private:
  unsigned next_ = 1;
};

/// Turns of a loop that waits for other blocks. One that never comes, as an error in a kernel, or memory that others
/// wrote to, would have it, is the end of the kernel and no standstill.
class Patience {
public:
  __device__ void wait() {
    if (++turns_ == cuda_gemm::mostTurns)
      cuda_gemm::giveUp();
    cuda_gemm::letOthersRun();
  }

private:
  unsigned turns_ = 0;
};

/// Half of a value of 8 bytes, with the number of a round: written and read at once, so that whoever sees the number
/// has the value, and nobody has to wait for memory that is ordered (as NCCL's protocol LL does).
using Word = unsigned long long;

/// A value on its way between blocks. Before the first round all words are 0.
template <typename D> struct Letter {
  static constexpr int words = sizeof(D) / sizeof(unsigned);
  Word word[words];

  __device__ void send(unsigned round, const D &value) {
    unsigned bits[words];
    memcpy(bits, &value, sizeof(D));
    for (int i = 0; i < words; ++i)
      cuda_gemm::storeWord(&word[i], static_cast<Word>(round) << 32 | bits[i]);
  }
  /// Whether the value of that round is here; then it is in `value`.
  __device__ bool receive(unsigned round, D &value) const {
    unsigned bits[words];
    bool isHere = true;
    for (int i = 0; i < words; ++i) {
      const Word now = cuda_gemm::loadWord(&word[i]);
      isHere = isHere && now >> 32 == round;
      bits[i] = static_cast<unsigned>(now);
    }
    memcpy(&value, bits, sizeof(D));
    return isHere;
  }
  __device__ D await(unsigned round) const {
    D value;
    for (Patience patience; !receive(round, value);)
      patience.wait();
    return value;
  }
};

/// Blocks of a grid wait until all are there, over any number of grids, one after the other.
class ArrivalCounter {
public:
  /// Counts in scratch memory of the current launch.
  ArrivalCounter() : count_(static_cast<unsigned *>(Launch::current().scratch(sizeof(unsigned)))) {
    TLA_CUDA_CHECK(cudaMemsetAsync(count_, 0, sizeof(unsigned), Launch::current().stream()));
  }
  struct View {
    unsigned *count, goal;
    /// Called by all threads of all blocks: what any of them has written before, all read behind it by __ldcg().
    __device__ void wait() {
      goal += gridDim.x;
      __syncthreads();
      if (threadIdx.x == 0) {
        cuda_gemm::addToCount(count);
        for (Patience patience; static_cast<int>(cuda_gemm::loadCount(count) - goal) < 0;)
          patience.wait();
      }
      __syncthreads();
    }
  };
  /// For a grid of so many blocks that wait so many times.
  View take(int blocks, int waits) {
    const View view{count_, taken_};
    taken_ += static_cast<unsigned>(blocks) * static_cast<unsigned>(waits);
    return view;
  }

private:
  unsigned *const count_;
  unsigned taken_ = 0; // modulo 2^32, as all of it
};

/// Reads past the cache of the multiprocessor, since other blocks write the value.
template <typename R> __device__ R readShared(const R &x) { return __ldcg(&x); }
template <typename R> __device__ Complex<R> readShared(const Complex<R> &x) { return {__ldcg(&x.re), __ldcg(&x.im)}; }

/// Throws CudaError.
inline Multiprocessors multiprocessorsOfDevice() {
  int device = 0;
  Multiprocessors all{};
  TLA_CUDA_CHECK(cudaGetDevice(&device));
  TLA_CUDA_CHECK(cudaDeviceGetAttribute(&all.count, cudaDevAttrMultiProcessorCount, device));
  TLA_CUDA_CHECK(cudaDeviceGetAttribute(&all.sharedBytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  return all;
}

/// enqueue(), with all blocks resident at one time: no more of them than multiprocessors. Other threads may enqueue the
/// same kernel with more or less shared memory, so it is always allowed to have all.
template <typename... Parameters, typename... Arguments>
void enqueueTogether(const Multiprocessors &device, int blocks, int threads, std::size_t sharedBytes,
                     void (*kernel)(Parameters...), const Arguments &...arguments) {
  TLA_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, device.sharedBytes));
  cudaLaunchAttribute together{};
  together.id = cudaLaunchAttributeCooperative;
  together.val.cooperative = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = blocks;
  config.blockDim = threads;
  config.dynamicSmemBytes = sharedBytes;
  config.stream = Launch::current().stream();
  config.attrs = &together;
  config.numAttrs = 1;
  TLA_CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, arguments...));
}

} // namespace tla::kernels::cuda
