// The memory of an emulated accelerator: the host has its addresses, and faults when it uses them.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>

namespace tla::runtime {

/// The same pages at two addresses: where the host sees them nobody may read or write; at displacement() bytes from
/// there the accelerator's own threads do. So a kernel that runs by mistake on the wrong side faults at its first
/// access.
class EmulatedMemory {
public:
  /// Reserves an address range for at most `limit` bytes at one time. Throws tla::Error.
  explicit EmulatedMemory(std::size_t limit);
  EmulatedMemory(const EmulatedMemory &) = delete;
  EmulatedMemory &operator=(const EmulatedMemory &) = delete;
  ~EmulatedMemory();

  static constexpr std::size_t granularity = 64; ///< granularity of allocations

  std::size_t limit() const { return limit_; }
  /// Addresses as the host sees them; null: no memory. Any thread.
  void *allocate(std::size_t bytes);
  void release(void *memory, std::size_t bytes);

  std::ptrdiff_t displacement() const { return inner_ - outer_; }
  template <typename T> T *inside(T *outer) const {
    return reinterpret_cast<T *>(reinterpret_cast<std::intptr_t>(outer) + displacement());
  }

private:
  static std::size_t rounded(std::size_t bytes) {
    return bytes ? (bytes + granularity - 1) / granularity * granularity : granularity;
  }
  /// Addresses cost nothing, so there are several times more than memory: free pieces of unlucky sizes do no harm.
  static constexpr std::size_t addressesPerByte = 4;

  const std::size_t limit_, range_;
  char *outer_ = nullptr, *inner_ = nullptr;
  std::mutex mutex_; // guards what follows
  std::size_t used_ = 0;
  std::map<std::size_t, std::size_t> free_; // offset, bytes; never two side by side
};

} // namespace tla::runtime
