// The memory of a CUDA device for tiles.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <map>
#include <mutex>
#include <vector>

namespace tla::runtime {

/// A memory pool of CUDA with a limit, and in front of it free lists by size: tiles have few sizes, so that after the
/// first steps of a run neither allocate() nor release() calls CUDA. When the pool has no room, what the lists hold
/// goes back to it; it maps physical pages anew, so that free memory serves any size.
class CudaMemory {
public:
  static constexpr std::size_t granularity = 512; // of CUDA's pools

  struct Limit {
    std::size_t bytes = 0; ///< at one time; 0: most of what is free
    bool isMost = false;   ///< less will do where less is free
  };
  /// On device `device`; of what is free `sharers` who use the device have each its part. Throws CudaError when the
  /// limit is more than that, and less will not do.
  CudaMemory(int device, const Limit &limit, int sharers = 1);
  CudaMemory(const CudaMemory &) = delete;
  CudaMemory &operator=(const CudaMemory &) = delete;
  ~CudaMemory();

  std::size_t limit() const { return limit_; }
  /// Null: no memory. Any thread.
  void *allocate(std::size_t bytes);
  void release(void *memory, std::size_t bytes);
  /// Lets device `peer` read it.
  void grantAccess(int peer);

private:
  static std::size_t rounded(std::size_t bytes);
  void *grow(std::size_t bytes);
  void giveBack();

  const int device_;
  std::size_t limit_ = 0;
  cudaMemPool_t pool_ = nullptr;
  cudaStream_t stream_ = nullptr; // for the pool's calls alone: always nearly idle
  std::mutex mutex_;              // guards what follows
  std::size_t used_ = 0, kept_ = 0;
  std::map<std::size_t, std::vector<void *>> free_; // by size; kept_ bytes in all
};

} // namespace tla::runtime
