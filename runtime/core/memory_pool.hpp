// Memory for tiles: workspaces and renamed tiles ([Song12] 5.2, 5.5).
#pragma once

#include "runtime/core/park.hpp"

#include <cstddef>
#include <vector>

namespace tla::runtime {

/// Free blocks kept by size: an algorithm uses a few sizes over and over, and so does a host that runs it again. New
/// memory is dear: the system clears it page by page, at about the price of receiving a tile. Any thread.
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
  /// The same, but for blocks of sizes that somebody has asked for since the last call.
  void trimUnused();
  /// In free blocks.
  std::size_t freeBytes();

private:
  struct Block {
    Block *next;
  };
  struct Size {
    std::size_t bytes;
    Block *free = nullptr;
    bool wanted = true; ///< since the last trimUnused()
  };
  Size &sizeOf(std::size_t bytes);
  static void free(Size &size);

  SpinLock lock_; // guards sizes_ and the lists in it
  std::vector<Size> sizes_;
};

} // namespace tla::runtime
