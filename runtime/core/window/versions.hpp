// The beginning and the end of versions, on the generating thread's side.
#pragma once

#include "runtime/core/window/new_task.hpp"
#include "runtime/core/window/tile_table.hpp"
#include "runtime/core/window/window.hpp"

#include <new>

namespace tla::runtime {

/// Invariants, of each task list (TileList): `expected` is the number of accesses to `current` that were appended, the
/// producer's included, and none of them is in `current->visits` yet; so all that were appended are complete when these
/// are -expected. close() adds it, once, and from then on the version is the workers', and no list's. A list without a
/// current version finds the tile's content at its home, if it has any. Only a task that writes, and reads nothing of
/// what was there, begins on a list without content.
///
/// The generating thread's. What fails is told of `task`, the one that is being appended.
class Versions {
public:
  Versions(Window &window, TileBuffers &buffers, const NewTask &task)
      : window_(window), buffers_(buffers), task_(task) {}

  /// The task list of a half of the tile. Null: there is no memory for a list that is new, and the run has failed.
  TileList *listOf(const TileAccess &access, int half) const {
    try {
      return &access.matrix->list(access.row, access.column, half);
    } catch (const std::bad_alloc &) {
      task_.failAccess(access, "out of memory for the task list of");
      return nullptr;
    }
  }
  /// The first access to a tile finds its initial content, if it has any: produced, without visits. False: the run has
  /// failed.
  bool start(const TileAccess &access);
  /// There is nothing to read in the tile, or the half of it, that the list is of: no task has written it, or it was
  /// released since.
  static bool isWithoutContent(const TileList &list) {
    return (!list.produced && !list.current->producer) || list.released;
  }
  /// An object for the version of this number that `producer` writes; 0: nobody does. Null: the run has failed. Others,
  /// which only say that content is at home, may be forgotten for it: look at the list again.
  Version *make(const TileAccess &access, int number, std::uint64_t producer);
  /// Nobody uses the tile: the same object serves for the version that the task begins, by `node`.
  void takeOver(TileList &list, AccessNode &node) {
    Version &version = *list.current;
    version.waiters.store(nullptr, std::memory_order_relaxed); // relaxed: published with the task
    version.visits.store(0, std::memory_order_relaxed);
    version.number = ++list.number;
    version.producer = task_.sequence;
    list.expected = 1;
    list.produced = false;
    node.set(&version, AccessNode::Write);
  }
  /// No later task visits the list's current version: the workers learn how many visits to expect. Its memory goes to
  /// `writer`, or away when that is null. True when all visits have been made: `writer` need not wait. The list's
  /// current version is to be replaced then.
  bool close(TileList &list, AccessNode *writer);
  /// [Song12] 5.5: the marker behind the last task that uses the tile's content. A matrix of the caller keeps its own
  /// tiles.
  void release(const TileRef &tile);

private:
  static bool forget(Version &version);
  void releaseHalves(const TileRef &tile);
  void endContent(const TileRef &tile);
  void drop(TileList &list);
  void closeCounted(const TileRef &tile);

  Window &window_;
  TileBuffers &buffers_;
  const NewTask &task_;
};

} // namespace tla::runtime
