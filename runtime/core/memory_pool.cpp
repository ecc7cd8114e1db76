#include "runtime/core/memory_pool.hpp"

#include <mutex>
#include <new>

namespace tla::runtime {

static constexpr std::align_val_t alignment{64};

MemoryPool::Size *MemoryPool::find(std::size_t bytes) {
  for (Size &size : sizes_)
    if (size.bytes == bytes)
      return &size;
  return nullptr;
}

void *MemoryPool::allocate(std::size_t bytes) {
  {
    const std::lock_guard guard(lock_);
    if (Size *size = find(bytes); size && size->free) {
      Block *block = size->free;
      size->free = block->next;
      return block;
    }
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
    Size *size = find(bytes);
    if (!size)
      size = &sizes_.emplace_back(Size{bytes, nullptr});
    block->next = size->free;
    size->free = block;
  } catch (const std::bad_alloc &) {
    ::operator delete(memory, alignment);
  }
}

void MemoryPool::trim() {
  const std::lock_guard guard(lock_);
  for (Size &size : sizes_)
    while (Block *block = size.free) {
      size.free = block->next;
      ::operator delete(block, alignment);
    }
  sizes_.clear();
}

} // namespace tla::runtime
