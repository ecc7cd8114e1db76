#include "runtime/device/cuda/cuda_memory.hpp"

#include "kernels/cuda/check.hpp"
#include "runtime/device/cuda/device_scope.hpp"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <string>

namespace tla::runtime {

/// The share of memory for tiles, beside scratch memory of kernels, handles and page tables.
static constexpr double shareForTiles = 0.85;

static std::size_t freeForTiles() {
  std::size_t free = 0, total = 0;
  TLA_CUDA_CHECK(cudaMemGetInfo(&free, &total));
  return static_cast<std::size_t>(shareForTiles * static_cast<double>(free));
}

CudaMemory::CudaMemory(int device, const Limit &limit, int sharers) : device_(device) {
  const DeviceScope scope(device_);
  const std::size_t most = freeForTiles() / sharers;
  if (limit.bytes > most && !limit.isMost)
    kernels::cuda::fail("memory limit", std::to_string(limit.bytes) + " bytes are asked for, " + std::to_string(most) +
                                            " are there for tiles");
  limit_ = limit.bytes ? std::min(limit.bytes, most) : most;
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = device_;
  TLA_CUDA_CHECK(cudaMemPoolCreate(&pool_, &properties));
  try {
    std::uint64_t keepAll = ~std::uint64_t(0);
    TLA_CUDA_CHECK(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &keepAll));
    TLA_CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  } catch (...) {
    cudaMemPoolDestroy(pool_);
    throw;
  }
}

/// Errors have nobody to hear them: the device is given up, or was lost before.
CudaMemory::~CudaMemory() {
  const DeviceScope scope(device_);
  giveBack();
  cudaStreamDestroy(stream_);
  cudaMemPoolDestroy(pool_);
}

std::size_t CudaMemory::rounded(std::size_t bytes) {
  return std::max(granularity, (bytes + granularity - 1) / granularity * granularity);
}

void *CudaMemory::allocate(std::size_t bytes) try {
  const std::size_t size = rounded(bytes);
  const std::lock_guard guard(mutex_);
  if (used_ + size > limit_)
    return nullptr;
  void *memory = nullptr;
  if (const auto list = free_.find(size); list != free_.end() && !list->second.empty()) {
    memory = list->second.back();
    list->second.pop_back();
    kept_ -= size;
  } else {
    free_[size].reserve(free_[size].capacity() + 1); // so that release() needs no memory
    memory = grow(size);
  }
  if (memory)
    used_ += size;
  return memory;
} catch (const std::exception &) {
  return nullptr; // out of memory on the host, or a lost device, which the next operation reports
}

void CudaMemory::release(void *memory, std::size_t bytes) {
  const std::size_t size = rounded(bytes);
  const std::lock_guard guard(mutex_);
  free_.find(size)->second.push_back(memory);
  kept_ += size;
  used_ -= size;
}

void *CudaMemory::grow(std::size_t bytes) {
  const DeviceScope scope(device_);
  if (used_ + kept_ + bytes > limit_)
    giveBack();
  void *memory = nullptr;
  if (cudaMallocFromPoolAsync(&memory, bytes, pool_, stream_) != cudaSuccess) {
    cudaGetLastError(); // not to be found by the next check
    giveBack();
    if (cudaMallocFromPoolAsync(&memory, bytes, pool_, stream_) != cudaSuccess) {
      cudaGetLastError();
      return nullptr;
    }
  }
  TLA_CUDA_CHECK(cudaStreamSynchronize(stream_)); // other streams may use it from now on
  return memory;
}

void CudaMemory::giveBack() {
  for (auto &[size, list] : free_) {
    for (void *const memory : list)
      cudaFreeAsync(memory, stream_);
    list.clear();
  }
  kept_ = 0;
  cudaStreamSynchronize(stream_);
  cudaMemPoolTrimTo(pool_, 0);
}

void CudaMemory::grantAccess(int peer) {
  cudaMemAccessDesc access{};
  access.location.type = cudaMemLocationTypeDevice;
  access.location.id = peer;
  access.flags = cudaMemAccessFlagsProtReadWrite;
  TLA_CUDA_CHECK(cudaMemPoolSetAccess(pool_, &access, 1));
}

} // namespace tla::runtime
