#include "runtime/core/memory_pool.hpp"

#include <mutex>
#include <new>

namespace tla::runtime {

static constexpr std::align_val_t alignment{64};

/// Throws std::bad_alloc.
MemoryPool::Size &MemoryPool::sizeOf(std::size_t bytes) {
  for (Size &size : sizes_)
    if (size.bytes == bytes)
      return size;
  return sizes_.emplace_back(Size{bytes});
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
  } catch (const std::bad_alloc &) { // no room for the list: perhaps there is for the block
  }
  const std::size_t size = bytes < sizeof(Block) ? sizeof(Block) : bytes;
  if (void *memory = ::operator new(size, alignment, std::nothrow))
    return memory;
  trim(); // free blocks of other sizes may be what is missing
  return ::operator new(size, alignment, std::nothrow);
}

void MemoryPool::release(void *memory, std::size_t bytes) {
  Block *block = static_cast<Block *>(memory);
  try {
    const std::lock_guard guard(lock_);
    Size &size = sizeOf(bytes);
    block->next = size.free;
    size.free = block;
  } catch (const std::bad_alloc &) {
    ::operator delete(memory, alignment);
  }
}

void MemoryPool::free(Size &size) {
  while (Block *block = size.free) {
    size.free = block->next;
    ::operator delete(block, alignment);
  }
}

void MemoryPool::trim() {
  const std::lock_guard guard(lock_);
  for (Size &size : sizes_)
    free(size);
}

void MemoryPool::trimUnused() {
  const std::lock_guard guard(lock_);
  for (Size &size : sizes_)
    if (!size.wanted)
      free(size);
  std::erase_if(sizes_, [](const Size &size) { return !size.wanted; });
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
