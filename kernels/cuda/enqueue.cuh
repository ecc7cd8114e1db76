// Kernels of device code onto the current launch.
#pragma once

#include "kernels/cuda/launch.hpp"
#include "kernels/cuda/scalar.cuh"

namespace tla::kernels::cuda {

/// kernel<<<blocks, threads, sharedBytes>>>(arguments...) on the current launch.
template <typename... Parameters, typename... Arguments>
void enqueue(dim3 blocks, dim3 threads, std::size_t sharedBytes, void (*kernel)(Parameters...),
             const Arguments &...arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = blocks;
  config.blockDim = threads;
  config.dynamicSmemBytes = sharedBytes;
  config.stream = Launch::current().stream();
  TLA_CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, arguments...));
}

template <typename Body> __global__ void forEachKernel(int m, int n, Body body) {
  for (int j = blockIdx.y; j < n; j += gridDim.y)
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < m; i += gridDim.x * blockDim.x)
      body(i, j);
}

/// body(i, j) for all elements of an m x n tile; neighbouring threads have neighbouring rows.
template <typename Body> void forEach(int m, int n, Body body) {
  constexpr int threads = 128, mostBlocks = 65535;
  if (m > 0 && n > 0)
    enqueue(dim3((m + threads - 1) / threads, std::min(n, mostBlocks)), threads, 0, forEachKernel<Body>, m, n, body);
}

} // namespace tla::kernels::cuda
