// The memory behind versions: renaming's bound, workspaces' tiles, and how memory passes from version to version.
#pragma once

#include "runtime/core/tile_table.hpp"
#include "runtime/device/device.hpp"

namespace tla::runtime {

class TileBuffers {
public:
  TileBuffers(Device &device, std::size_t renameLimit) : device_(device), renameLimit_(renameLimit) {}

  /// The generating thread wants one more renamed tile; false when that would exceed the bound.
  bool reserveRename(std::size_t bytes) {
    const std::size_t inUse = renameBytes_.load(std::memory_order_relaxed) + bytes;
    if (inUse > renameLimit_ || inUse < bytes)
      return false;
    renameBytes_.fetch_add(bytes, std::memory_order_relaxed);
    if (inUse > renamePeak_)
      renamePeak_ = inUse;
    return true;
  }
  /// The producer of a version is about to run: memory for the version if it has none yet. False: out of memory.
  bool provide(Version &version) {
    if (version.data)
      return true;
    version.data = device_.allocate(bytesOf(version));
    version.pooled = version.data;
    return version.data;
  }
  /// The next version takes the memory over.
  static void pass(const Version &from, Version &to) {
    to.data = from.data;
    to.pooled = from.pooled;
    to.renamed = from.renamed;
  }
  /// Nobody will look at the version again.
  void discard(Version &version) {
    if (version.renamed)
      renameBytes_.fetch_sub(bytesOf(version), std::memory_order_relaxed);
    if (version.pooled)
      device_.release(version.data, bytesOf(version));
  }
  /// After the last task: the tile's final content goes to its owner's memory.
  void settle(Version &version) {
    void *home = version.table->home(version.row, version.column);
    if (home && version.data && version.data != home)
      device_.copy(home, version.data, bytesOf(version));
    discard(version);
  }

  static std::size_t bytesOf(const Version &version) { return version.table->tileBytes(version.row, version.column); }
  std::size_t renamePeak() const { return renamePeak_; }
  void reset() { renamePeak_ = 0; }

private:
  Device &device_;
  const std::size_t renameLimit_;
  std::size_t renamePeak_ = 0; // generating thread only
  // Raised by the generating thread only, lowered by whoever discards: a stale value errs on the safe side. It is a
  // count and publishes nothing, hence relaxed.
  alignas(64) std::atomic<std::size_t> renameBytes_{0};
};

} // namespace tla::runtime
