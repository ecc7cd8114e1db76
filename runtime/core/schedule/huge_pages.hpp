// Large memory in huge pages: fewer page faults while it is new, fewer TLB misses afterwards.
#pragma once

#include <cstddef>
#include <cstdint>

#include <sys/mman.h>

namespace tla::runtime {

/// Asks the system to put the memory into huge pages; best before anything touches the memory. Advice only: the system
/// may have none to give.
inline void adviseHugePages(void *memory, std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  constexpr std::uintptr_t page = 4096;
  const auto first = reinterpret_cast<std::uintptr_t>(memory);
  const auto begin = (first + page - 1) & ~(page - 1), end = (first + bytes) & ~(page - 1);
  if (begin < end)
    ::madvise(reinterpret_cast<void *>(begin), end - begin, MADV_HUGEPAGE);
#endif
}

} // namespace tla::runtime
