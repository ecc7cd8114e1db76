#include "runtime/core/window/accelerator_memory.hpp"

#include <algorithm>
#include <mutex>
#include <new>

namespace tla::runtime {

std::size_t AcceleratorMemory::taken(std::size_t bytes) const {
  const std::size_t granularity = accelerator_.properties().granularity;
  return (std::max<std::size_t>(bytes, 1) + granularity - 1) / granularity * granularity;
}

void AcceleratorMemory::release(void *memory, std::size_t bytes) {
  accelerator_.release(memory, bytes);
  // Release: whoever can reserve it now can also allocate it.
  reserved_.fetch_sub(taken(bytes), std::memory_order_release);
}

void *AcceleratorMemory::allocateResident(std::size_t bytes) {
  void *const memory = allocate(bytes);
  if (memory)
    resident_ += taken(bytes);
  return memory;
}

void AcceleratorMemory::releaseResident(void *memory, std::size_t bytes) {
  accelerator_.release(memory, bytes);
  resident_ -= taken(bytes);
}

void *AcceleratorMemory::allocateShared(std::size_t bytes) {
  void *const memory = allocate(bytes);
  if (!memory)
    return nullptr;
  try {
    const std::lock_guard guard(lock_);
    users_.emplace(memory, 2);
    return memory;
  } catch (const std::bad_alloc &) {
    accelerator_.release(memory, bytes);
    return nullptr;
  }
}

void AcceleratorMemory::leaveShared(void *memory, std::size_t bytes, int halves) {
  {
    const std::lock_guard guard(lock_);
    const auto users = users_.find(memory);
    if ((users->second -= halves) > 0)
      return;
    users_.erase(users);
  }
  release(memory, bytes);
}

} // namespace tla::runtime
