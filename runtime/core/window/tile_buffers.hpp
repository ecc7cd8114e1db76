// The memory behind versions: renaming's bound, workspaces' tiles, and how memory passes from version to version.
#pragma once

#include "runtime/core/window/accelerator_memory.hpp"
#include "runtime/core/window/packing.hpp"
#include "runtime/core/window/task.hpp"
#include "runtime/core/window/tile_table.hpp"
#include "runtime/device/device.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <vector>

namespace tla::runtime {

/// The memory of the host's tiles that have some only while their content is in use: workspaces' and other nodes'. The
/// generating thread promises it in program order, before the first task that writes the content can run. A content is
/// open until its last use has been generated; behind() is what the others still take, for tasks that are not complete.
/// Renamed tiles count elsewhere (Options::renameBytes).
///
/// Invariant: promised_ is at least what the tiles take. So while the generating thread promises nothing as long as
/// behind() exceeds a bound, tiles never take more than the most that is open at one time and that bound. What is open
/// depends on the program alone, and is counted before a run (passes/temporary_tiles.hpp).
class Backlog {
public:
  /// A content begins, with the first access to its tile. Generating thread.
  void open(std::size_t bytes) {
    open_ += static_cast<std::int64_t>(bytes);
    mostOpen_ = std::max(mostOpen_, open_);
    promised_.fetch_add(static_cast<std::int64_t>(bytes), std::memory_order_relaxed);
  }
  /// The last use of a content has been generated. Generating thread.
  void close(std::size_t bytes) { open_ -= static_cast<std::int64_t>(bytes); }
  /// The memory of a content is given back. Any thread.
  void free(std::size_t bytes) { promised_.fetch_sub(static_cast<std::int64_t>(bytes), std::memory_order_relaxed); }
  /// The bytes of contents that are not open. Less than nothing where tiles that are open have been renamed. Generating
  /// thread; others only make it smaller meanwhile.
  std::int64_t behind() const { return promised_.load(std::memory_order_relaxed) - open_; }

  /// The most bytes that have been open at one time. Generating thread.
  std::uint64_t mostOpen() const { return static_cast<std::uint64_t>(mostOpen_); }

  /// Between runs.
  void reset() {
    promised_.store(0, std::memory_order_relaxed);
    open_ = mostOpen_ = 0;
  }

private:
  // A count that publishes nothing, hence relaxed: a stale value is too large, and errs on the safe side.
  std::atomic<std::int64_t> promised_{0};
  std::int64_t open_ = 0, mostOpen_ = 0; // generating thread only
};

class TileBuffers {
public:
  TileBuffers(Device &device, std::size_t renameLimit) : device_(device), renameLimit_(renameLimit) {}

  /// Adds the memory of the next place: for tables with TileTable::place() = 1, then 2, ...
  void addAccelerator(AcceleratorMemory &memory) { accelerators_.push_back(&memory); }

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
    version.data = allocate(*version.table, version.row, version.column, bytesOf(version));
    version.pooled = version.data;
    return version.data;
  }
  /// A task is about to run: memory for all versions that it writes. The first for which there is none; null: all have
  /// some.
  const Version *provideWritten(Task &task) {
    for (int i = 0; i < task.nodeCount; ++i)
      if (const AccessNode &node = task.node(i); node.kind() == AccessNode::Write && !provide(*node.version()))
        return node.version();
    return nullptr;
  }
  /// "out of memory: 32 bytes for tile A(1, 0)"
  static std::string outOfMemoryText(const Version &version) {
    return "out of memory: " + std::to_string(bytesOf(version)) + " bytes for tile " +
           version.table->tileName(version.row, version.column);
  }
  /// The next version takes the memory over.
  static void pass(const Version &from, Version &to) {
    to.data = from.data;
    to.pooled = from.pooled;
    to.renamed = from.renamed;
    to.shared = from.shared;
  }
  /// Memory for both halves of a tile, which the second discard() gives back. Null: out of memory.
  void *allocateShared(const TileTable &table, int row, int column) {
    const std::size_t bytes = table.tileBytes(row, column);
    if (table.place())
      return accelerator(table).allocateShared(bytes);
    void *const data = allocate(table, row, column, bytes + sizeof(Users));
    if (data)
      new (usersOf(data, bytes)) Users(2);
    return data;
  }
  /// Gives up so many halves of a tile of allocateShared(); with the second one the memory is released.
  void leaveShared(const TileTable &table, int row, int column, void *data, int halves) {
    const std::size_t bytes = table.tileBytes(row, column);
    if (table.place())
      accelerator(table).leaveShared(data, bytes, halves);
    else if (usersOf(data, bytes)->fetch_sub(halves, std::memory_order_acq_rel) == halves) {
      backlog.free(takenBytes(table, row, column));
      release(table, row, column, data, bytes + sizeof(Users));
    }
  }
  /// Nobody will look at the version again.
  void discard(Version &version) {
    if (version.renamed)
      renameBytes_.fetch_sub(bytesOf(version), std::memory_order_relaxed);
    if (!version.pooled)
      return;
    const TileTable &table = *version.table;
    if (version.shared)
      return leaveShared(table, version.row, version.column, version.data, 1);
    if (!version.renamed && !table.place())
      backlog.free(takenBytes(table, version.row, version.column));
    release(table, version.row, version.column, version.data, bytesOf(version));
  }
  /// The bytes that a tile takes while it has memory only for its content. Both halves of a tile count their users
  /// behind it.
  static std::size_t takenBytes(const TileTable &table, int row, int column) {
    return table.tileBytes(row, column) + (table.regions() ? sizeof(Users) : 0);
  }
  /// After the last task: the tile's final content goes to its owner's memory.
  void settle(Version &version) {
    void *home = version.table->home(version.row, version.column);
    if (home && version.data && version.data != home) // without gaps, but of a slice the next one begins right behind
      device_.copy(home, version.data, packedBytes({version.table, version.row, version.column}));
    discard(version);
  }

  int accelerators() const { return static_cast<int>(accelerators_.size()); }
  AcceleratorMemory &accelerator(int place) const { return *accelerators_[place - 1]; }
  static std::size_t bytesOf(const Version &version) { return version.table->tileBytes(version.row, version.column); }
  std::size_t renamePeak() const { return renamePeak_; }
  /// Most bytes that tiles of other nodes took at one time.
  std::size_t foreignPeak() const { return foreign_.most.load(std::memory_order_relaxed); }
  /// Most bytes that the host's tiles of workspaces, of other nodes and renamed ones took at one time.
  std::size_t temporaryPeak() const { return temporary_.most.load(std::memory_order_relaxed); }
  void reset() {
    renamePeak_ = 0;
    foreign_.most.store(0, std::memory_order_relaxed);
    temporary_.most.store(0, std::memory_order_relaxed);
    backlog.reset();
  }

  Backlog backlog; ///< counts the host's tiles

private:
  /// How many halves of a tile use its memory; stands behind it. The last one sees what the others did (acq_rel).
  using Users = std::atomic<std::int64_t>;
  /// Bytes in use, and the most there have been. Counts that publish nothing, hence relaxed.
  struct Peak {
    std::atomic<std::size_t> now{0}, most{0};
    void add(std::size_t bytes) {
      const std::size_t sum = now.fetch_add(bytes, std::memory_order_relaxed) + bytes;
      std::size_t peak = most.load(std::memory_order_relaxed);
      while (peak < sum && !most.compare_exchange_weak(peak, sum, std::memory_order_relaxed)) {
      }
    }
  };
  static Users *usersOf(void *data, std::size_t bytes) {
    return reinterpret_cast<Users *>(static_cast<char *>(data) + bytes);
  }

  AcceleratorMemory &accelerator(const TileTable &table) { return accelerator(table.place()); }

  void *allocate(const TileTable &table, int row, int column, std::size_t bytes) {
    if (table.place())
      return accelerator(table).allocate(bytes);
    void *const data = device_.allocate(bytes);
    if (!data)
      return nullptr;
    temporary_.add(bytes);
    if (table.foreign(row, column))
      foreign_.add(bytes);
    return data;
  }
  void release(const TileTable &table, int row, int column, void *data, std::size_t bytes) {
    if (table.place())
      return accelerator(table).release(data, bytes);
    if (table.foreign(row, column))
      foreign_.now.fetch_sub(bytes, std::memory_order_relaxed);
    temporary_.now.fetch_sub(bytes, std::memory_order_relaxed);
    device_.release(data, bytes);
  }

  Device &device_;
  std::vector<AcceleratorMemory *> accelerators_; // by place - 1
  const std::size_t renameLimit_;
  std::size_t renamePeak_ = 0; // generating thread only
  // Raised by the generating thread only, lowered by whoever discards: a stale value errs on the safe side. It is a
  // count and publishes nothing, hence relaxed.
  alignas(64) std::atomic<std::size_t> renameBytes_{0};
  Peak foreign_, temporary_;
};

} // namespace tla::runtime
