// Versions of tiles: the elements of the per-tile task lists ([Song12] 5.1, 5.2).
#pragma once

#include <atomic>
#include <cstdint>

namespace tla::runtime {

class TileTable;
struct Task;
struct Version;

/// One access of one task to one version. Lives inside its task (or the task's overflow blocks), both aligned to 256
/// bytes and beginning with the task's address: the node needs no pointer back.
struct AccessNode {
  enum Kind : std::uintptr_t {
    None,  ///< nothing to do at completion: another access of the same task stands for this one
    Read,  ///< the task reads the version
    Write, ///< the task produces the version
  };

  /// Next waiter of the same version; owned by the list it is in.
  AccessNode *next;

  void set(Version *version, Kind kind) { bits_ = reinterpret_cast<std::uintptr_t>(version) | kind; }
  Version *version() const { return reinterpret_cast<Version *>(bits_ & ~kindMask); }
  Kind kind() const { return static_cast<Kind>(bits_ & kindMask); }
  Task &task() const {
    return **reinterpret_cast<Task *const *>(reinterpret_cast<std::uintptr_t>(this) & ~(blockBytes - 1));
  }

  static constexpr std::uintptr_t blockBytes = 256;

private:
  static constexpr std::uintptr_t kindMask = 3; // versions are aligned to 64 bytes
  std::uintptr_t bits_;
};

/// One version of one tile (or of one region of a tile): the stretch of the tile's task list from a task that writes
/// the tile up to the next one that does. One cache line.
///
/// Who may touch what: the generating thread creates a version, appends to it while it is its tile's current version
/// and then hands it to the workers by adding `expected` to `visits`. Fields without a note are written before the
/// version's first task is published and constant afterwards.
struct alignas(64) Version {
  /// The waiting part of the task list: readers that APPEND put here because the content is not produced, last first.
  /// Null: none; closed(): the content is there. Pushed by the generating thread (release: the node is complete), taken
  /// once by FIRE (acq_rel: sees the nodes; its content is visible to whoever later reads closed() with acquire).
  std::atomic<AccessNode *> waiters;

  /// [Song12] 5.5's expected minus actual number of visits: each finished task takes 1, the generating thread adds the
  /// number it has appended (readers, and the producer) when no later task can visit. So it is <= 0 before that, >= 0
  /// after, and whoever brings it to exactly 0 after that - one thread, once - retires the version. Every change is
  /// acq_rel: the retiring thread sees the effects of all visitors.
  std::atomic<int> visits;

  int number; ///< counts the versions of the tile; 0 is its content before the run

  union {
    /// The writer that takes the memory over when this version retires, or null. Set before `expected` is added.
    AccessNode *nextWriter;
    Version *link; ///< while the version is free
  };

  /// Where the content is; null while nobody has written it: allocated when its producer starts. Written by whoever
  /// retires the previous version (before the producer is ready) or by the producer (before the readers are).
  void *data;
  TileTable *table;
  std::uint64_t producer; ///< sequence number of the writing task, 0 for the initial content; generating thread only
  int row, column;
  bool pooled;  ///< data came from the device's memory pool and goes back there; travels with data
  bool renamed; ///< data counts against Options::renameBytes; travels with data
  bool shared;  ///< data is that of both halves of a tile (TileBuffers::allocateShared); travels with data
  bool guarded; ///< data is a copy with guards, for the length of a kernel (GuardedTiles)

  static AccessNode *closed() { return reinterpret_cast<AccessNode *>(alignof(AccessNode)); }
};
static_assert(sizeof(Version) == 64);

} // namespace tla::runtime
