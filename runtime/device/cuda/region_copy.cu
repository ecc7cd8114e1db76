#include "runtime/device/cuda/region_copy.hpp"

#include "kernels/cuda/check.hpp"

#include <cuda_runtime.h>

#include <cstdint>

namespace tla::runtime {

using Word = std::uint32_t;

/// Neighbouring threads have neighbouring words of a column.
static __global__ void copyRegionKernel(const Word *source, long sourceLd, Word *destination, long destinationLd,
                                        int rowWords, int columns, int elementWords, Region region) {
  for (int j = blockIdx.y; j < columns; j += gridDim.y)
    for (int word = blockIdx.x * blockDim.x + threadIdx.x; word < rowWords; word += gridDim.x * blockDim.x)
      if (region == Region::Full || (region == Region::Lower) == (word / elementWords > j))
        destination[word + j * destinationLd] = source[word + j * sourceLd];
}

void copyRegion(const TileCopy &copy, cudaStream_t stream) {
  if (copy.rows == 0 || copy.columns == 0)
    return;
  constexpr int threads = 128, mostBlocks = 65535;
  const int elementWords = static_cast<int>(copy.elementBytes / sizeof(Word)), rowWords = copy.rows * elementWords;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3((rowWords + threads - 1) / threads, std::min(copy.columns, mostBlocks));
  config.blockDim = dim3(threads);
  config.stream = stream;
  TLA_CUDA_CHECK(cudaLaunchKernelEx(
      &config, copyRegionKernel, static_cast<const Word *>(copy.source),
      static_cast<long>(copy.sourceLd) * elementWords, static_cast<Word *>(copy.destination),
      static_cast<long>(copy.destinationLd) * elementWords, rowWords, copy.columns, elementWords, copy.region));
}

} // namespace tla::runtime
