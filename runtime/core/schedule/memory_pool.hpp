// Memory for tiles: workspaces, renamed tiles ([Song12] 5.2, 5.5) and copies of other nodes' tiles.
#pragma once

#include "runtime/threads/park.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace tla::runtime {

/// The functions that make memory page-locked for accelerators, whose copies from and to it are faster then.
struct Pinning {
  /// Empty, or why it cannot be done: lower case, no full stop.
  std::function<std::string(void *memory, std::size_t bytes)> pin;
  std::function<void(void *memory)> unpin;
};

/// Free blocks kept by size: an algorithm uses a few sizes over and over, and so does a host that runs it again. New
/// memory is dear: the system clears it page by page, at about the price of receiving a tile. Large blocks are cut from
/// slabs in huge pages, if the system has any to give: a tile in small ones is a page fault every 4 KiB when it is new,
/// and a miss of the TLB whenever a kernel comes to it. Any thread.
class MemoryPool {
public:
  /// The least bytes of a block that is cut from a slab.
  static constexpr std::size_t leastInSlab = 64 << 10;

  MemoryPool() = default;
  MemoryPool(const MemoryPool &) = delete;
  MemoryPool &operator=(const MemoryPool &) = delete;
  /// All blocks must have been released.
  ~MemoryPool() { trim(); }

  /// From now on slabs are pinned, as long as they are there: through all the runs that use them. Before the first
  /// block; what it names lives longer than the pool. Once it fails all later slabs are memory like any other.
  void pinSlabs(Pinning pinning) { pinning_ = std::move(pinning); }
  /// Why slabs are not pinned, where they should be; else empty.
  std::string pinningProblem();

  /// Aligned to 64 bytes; null when there is no memory.
  void *allocate(std::size_t bytes);
  void release(void *memory, std::size_t bytes);
  /// Gives all free blocks back to the system, except those in a slab from which somebody has a block.
  void trim();
  /// As trim(), but keeps the free blocks of sizes that somebody has asked for since the last call.
  void trimUnused();
  /// The bytes in free blocks that have been in use before.
  std::size_t freeBytes();

private:
  struct Block {
    Block *next;
  };
  struct Slab {
    std::byte *begin, *end; ///< memory of the blocks, side by side
    std::size_t used = 0;   ///< blocks that somebody has; known while giveBack() runs
    bool pinned = false;
    bool has(const void *block) const { return begin <= block && block < end; }
  };
  struct Size {
    std::size_t bytes;
    Block *free = nullptr;
    std::byte *fresh = nullptr; ///< in the last slab: blocks that nobody has had yet, and no page of which is taken
    bool wanted = true;         ///< whether blocks have been asked for since the last trimUnused()
    std::vector<Slab> slabs = {};
  };
  static constexpr std::size_t smallestSlab = 4 << 20, largestSlab = 64 << 20; ///< unless a block is larger

  Size &sizeOf(std::size_t bytes);
  static std::size_t stride(std::size_t bytes);
  bool takeSlab(Size &size);
  bool pin(const Slab &slab, std::size_t bytes);
  static Slab *slabOf(Size &size, const Block *block);
  void giveBack(Size &size);

  SpinLock lock_; // guards what follows
  std::vector<Size> sizes_;
  Pinning pinning_; // pin: null once it has failed
  std::string pinningProblem_;
};

} // namespace tla::runtime
