// Memory for tiles: workspaces and renamed tiles ([Song12] 5.2, 5.5).
#pragma once

#include "runtime/core/park.hpp"

#include <cstddef>
#include <vector>

namespace tla::runtime {

/// Free blocks kept by size: an algorithm uses a few sizes over and over. Any thread.
class MemoryPool {
public:
  MemoryPool() = default;
  MemoryPool(const MemoryPool &) = delete;
  MemoryPool &operator=(const MemoryPool &) = delete;
  ~MemoryPool() { trim(); }

  /// Aligned to 64 bytes; null when there is no memory.
  void *allocate(std::size_t bytes);
  void release(void *memory, std::size_t bytes);
  /// Gives all free blocks back to the system.
  void trim();

private:
  struct Block {
    Block *next;
  };
  struct Size {
    std::size_t bytes;
    Block *free;
  };
  Size *find(std::size_t bytes);

  SpinLock lock_; // guards sizes_ and the lists in it
  std::vector<Size> sizes_;
};

} // namespace tla::runtime
