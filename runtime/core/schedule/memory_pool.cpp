#include "runtime/core/schedule/memory_pool.hpp"

#include "runtime/core/schedule/huge_pages.hpp"

#include <algorithm>
#include <mutex>
#include <new>
#include <utility>

namespace tla::runtime {

static constexpr std::size_t line = 64, hugePage = 2 << 20;
static constexpr std::align_val_t lineAlignment{line}, slabAlignment{hugePage};

static constexpr std::size_t roundUp(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

/// Throws std::bad_alloc.
MemoryPool::Size &MemoryPool::sizeOf(std::size_t bytes) {
  for (Size &size : sizes_)
    if (size.bytes == bytes)
      return size;
  return sizes_.emplace_back(Size{bytes});
}

/// The distance from one block of a slab to the next.
std::size_t MemoryPool::stride(std::size_t bytes) { return roundUp(bytes, line); }

/// As much again as there is: what is too much stays untouched, so that the system never gives it. False when there is
/// no memory. Throws std::bad_alloc when there is none for the list.
bool MemoryPool::takeSlab(Size &size) {
  std::size_t have = 0;
  for (const Slab &slab : size.slabs)
    have += slab.end - slab.begin;
  const std::size_t step = stride(size.bytes),
                    count = std::max<std::size_t>(1, std::clamp(have, smallestSlab, largestSlab) / step),
                    bytes = roundUp(count * step, hugePage);
  size.slabs.reserve(size.slabs.size() + 1);
  auto *begin = static_cast<std::byte *>(::operator new(bytes, slabAlignment, std::nothrow));
  if (!begin)
    return false;
  adviseHugePages(begin, bytes);
  Slab &slab = size.slabs.emplace_back(Slab{begin, begin + count * step});
  size.fresh = begin;
  slab.pinned = pin(slab, bytes); // the last, as it may throw: then the slab is one like any other
  return true;
}

/// With all its pages, which the system gives now. Whoever comes to it later finds it done, in this run and in others.
bool MemoryPool::pin(const Slab &slab, std::size_t bytes) {
  if (!pinning_.pin)
    return false;
  pinningProblem_ = pinning_.pin(slab.begin, bytes);
  if (!pinningProblem_.empty())
    pinning_.pin = nullptr;
  return pinningProblem_.empty();
}

std::string MemoryPool::pinningProblem() {
  const std::lock_guard guard(lock_);
  return pinningProblem_;
}

void *MemoryPool::allocate(std::size_t bytes) {
  try {
    const std::lock_guard guard(lock_);
    Size &size = sizeOf(bytes);
    size.wanted = true;
    if (Block *block = size.free) {
      size.free = block->next;
      return block;
    }
    // A slab is taken under the lock: seldom, and whoever waits for it would need one as well.
    if (bytes >= leastInSlab && ((size.fresh && size.fresh != size.slabs.back().end) || takeSlab(size)))
      return std::exchange(size.fresh, size.fresh + stride(bytes));
  } catch (const std::bad_alloc &) { // no room for the list: perhaps there is for the block
  }
  const std::size_t size = std::max(bytes, sizeof(Block));
  if (void *memory = ::operator new(size, lineAlignment, std::nothrow))
    return memory;
  trim(); // free blocks of other sizes may be what is missing
  return ::operator new(size, lineAlignment, std::nothrow);
}

void MemoryPool::release(void *memory, std::size_t bytes) {
  {
    const std::lock_guard guard(lock_);
    if (const auto size = std::ranges::find(sizes_, bytes, &Size::bytes); size != sizes_.end()) {
      Block *block = static_cast<Block *>(memory);
      block->next = size->free;
      size->free = block;
      return;
    }
  }
  ::operator delete(memory, lineAlignment); // the size is not known any more, so it has no slabs
}

/// Null: a block of its own.
MemoryPool::Slab *MemoryPool::slabOf(Size &size, const Block *block) {
  const auto slab = std::ranges::find_if(size.slabs, [block](const Slab &each) { return each.has(block); });
  return slab == size.slabs.end() ? nullptr : &*slab;
}

/// Blocks outside slabs, and slabs nobody has a block of. Takes no memory: there may be none left.
void MemoryPool::giveBack(Size &size) {
  const std::size_t step = stride(size.bytes);
  for (Slab &slab : size.slabs)
    slab.used = (slab.end - slab.begin) / step;
  if (size.fresh)
    size.slabs.back().used -= (size.slabs.back().end - size.fresh) / step;
  for (const Block *block = size.free; block; block = block->next)
    if (Slab *slab = slabOf(size, block))
      --slab->used;
  for (Block *block = std::exchange(size.free, nullptr); block;) {
    Block *const next = block->next;
    if (const Slab *slab = slabOf(size, block); !slab) {
      ::operator delete(block, lineAlignment);
    } else if (slab->used) {
      block->next = size.free;
      size.free = block;
    }
    block = next;
  }
  if (!size.slabs.empty() && !size.slabs.back().used)
    size.fresh = nullptr;
  for (const Slab &slab : size.slabs) {
    if (!slab.used && slab.pinned)
      pinning_.unpin(slab.begin);
    if (!slab.used)
      ::operator delete(slab.begin, slabAlignment);
  }
  std::erase_if(size.slabs, [](const Slab &slab) { return !slab.used; });
}

void MemoryPool::trim() {
  const std::lock_guard guard(lock_);
  for (Size &size : sizes_)
    giveBack(size);
}

void MemoryPool::trimUnused() {
  const std::lock_guard guard(lock_);
  for (Size &size : sizes_)
    if (!size.wanted)
      giveBack(size);
  std::erase_if(sizes_, [](const Size &size) { return !size.wanted && size.slabs.empty(); });
  for (Size &size : sizes_)
    size.wanted = false;
}

std::size_t MemoryPool::freeBytes() {
  const std::lock_guard guard(lock_);
  std::size_t sum = 0;
  for (const Size &size : sizes_)
    for (const Block *block = size.free; block; block = block->next)
      sum += size.bytes;
  return sum;
}

} // namespace tla::runtime
