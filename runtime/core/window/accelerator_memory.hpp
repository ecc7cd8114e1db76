// The memory of one accelerator, as far as tiles of this run take it.
#pragma once

#include "runtime/device/accelerator.hpp"
#include "runtime/threads/park.hpp"

#include <atomic>
#include <string>
#include <unordered_map>

namespace tla::runtime {

/// Memory is reserved in program order by the generating thread, allocated when it is first needed, and given back with
/// the last task that uses it.
///
/// No wait for memory lasts for ever. All generated tasks can complete without any further one being generated, since
/// each waits for earlier tasks only, and what it allocates is reserved. When all are complete, what is reserved is
/// what the tiles take that have not been released (places.hpp), and that, together with the next tile, is within the
/// limit. On several nodes: let s be the first place in program order at which anything on any node is not complete. A
/// generator that waits for memory has come to s, as otherwise all that it has generated would be complete; so the
/// argument of courier.hpp holds as it does for full windows.
class AcceleratorMemory {
public:
  explicit AcceleratorMemory(Accelerator &accelerator)
      : accelerator_(accelerator), limit_(accelerator.properties().memoryBytes) {}

  /// The name of the accelerator, for messages.
  const std::string &name() const { return accelerator_.properties().name; }
  /// The generating thread: so much, rounded up as the accelerator does, will be allocated. False: not before others
  /// have released something.
  bool reserve(std::size_t bytes) {
    const std::size_t now = reserved_.load(std::memory_order_acquire) + bytes; // only lowered by others
    if (now > limit_)
      return false;
    reserved_.fetch_add(bytes, std::memory_order_relaxed);
    peak_ = std::max(peak_, now);
    return true;
  }
  /// Most that was reserved at one time.
  std::size_t peak() const { return peak_; }
  /// Between runs.
  void reset() {
    reserved_.store(resident_, std::memory_order_relaxed);
    peak_ = resident_;
  }
  /// Between runs: memory for a resident matrix' tile, which stays until releaseResident(). Null: no memory.
  void *allocateResident(std::size_t bytes);
  void releaseResident(void *memory, std::size_t bytes);
  std::size_t resident() const { return resident_; }

  // Any thread. Null: no memory.
  void *allocate(std::size_t bytes) { return accelerator_.allocate(bytes); }
  void release(void *memory, std::size_t bytes);
  /// Memory that the two halves of a tile share: it is released when leaveShared() has been told of both.
  void *allocateShared(std::size_t bytes);
  void leaveShared(void *memory, std::size_t bytes, int halves);

private:
  /// The bytes that an allocation of this size takes.
  std::size_t taken(std::size_t bytes) const;

  Accelerator &accelerator_;
  const std::size_t limit_;
  std::size_t peak_ = 0;     // generating thread only
  std::size_t resident_ = 0; // of reserved_, what resident matrices take; constant during a run
  std::atomic<std::size_t> reserved_{0};
  SpinLock lock_;                         // guards users_
  std::unordered_map<void *, int> users_; // halves that use the memory: the host cannot count beside the tile
};

} // namespace tla::runtime
