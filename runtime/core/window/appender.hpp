// APPEND ([Song12] 5.2): finds what a new task depends on.
#pragma once

#include "runtime/core/window/versions.hpp"

#include <cstdint>

namespace tla::runtime {

/// One access of a new task meets the task list of its tile. Three outcomes: the access is satisfied at once, or it
/// waits for exactly one event: a read for the production of its version, a write for the last visit of the version
/// before it.
///
/// A tile's task list, from the generating thread's side (TileList: expected, produced) and the workers' (Version:
/// visits, waiters), for task 1 that writes the tile (potrf), 2 and 3 that read it (trsm), and 4 that writes it again;
/// u and v are version objects:
///
///   event                         current  expected  u.visits  u.waiters
///   first access: start()         u        0          0        closed: the initial content is there
///   1 appended: visits == -expected, nobody uses the tile: takeOver(), satisfied
///                                 u        1          0        none
///   2 appended: waits             u        2          0        2
///   3 appended: waits             u        3          0        3, 2
///   4 appended: close() adds what was expected to the visits, u.nextWriter is 4: waits
///                                 v        1          3        3, 2
///   1 complete                                        2        closed; 2 and 3 have what they waited for
///   2 and 3 complete                                  1, 0     who brings it to 0 passes the memory to v and wakes 4
///
/// Had 1, 2 and 3 been complete when 4 was appended, u.visits would have been -3 == -expected: 4 takes u over. Should
/// the last of them complete between that look and close(), the fetch_add there finds -3: nobody is left to pass the
/// memory on, so close() does, and 4 is satisfied.
///
/// The generating thread's; versions become the workers' as Version says.
class Appender {
public:
  Appender(Window &window, TileBuffers &buffers, const NewTask &task)
      : buffers_(buffers), task_(task), versions_(window, buffers, task) {}

  /// Nodes 0 .. accessCount - 1 belong to the accesses, so that TaskView counts as the program does; the second nodes
  /// of accesses to both regions follow. What does not fit goes into blocks, and indices behind these. False: out of
  /// memory.
  bool makeRoom(Task &task, int indexCount) const;
  /// Puts all accesses into their lists; returns how many nodes are satisfied. All but as many have arrived, or will,
  /// at `task.pending`: from the first on that waits, the task may be seen by workers.
  int link(Task &task);
  /// Releases the tile's content, as Versions::release() does.
  void release(const TileRef &tile) { versions_.release(tile); }

  /// Writes that got memory of their own, in this run.
  std::uint64_t renames() const { return renames_; }

private:
  // Those that return bool say whether the access is satisfied.
  int linkAccess(Task &task, const TileAccess &access, int number, int &extra);
  bool linkHalf(const TileAccess &access, int half, AccessNode &node);
  bool needsContent(const TileAccess &access, int half) const;
  bool appendRead(TileList &list, AccessNode &node);
  bool appendWrite(TileList &list, const TileAccess &access, AccessNode &node);
  bool mayRename(const TileAccess &access);
  bool namedTwice(const TileAccess &access) const;

  TileBuffers &buffers_;
  const NewTask &task_;
  Versions versions_;
  std::uint64_t renames_ = 0;
};

} // namespace tla::runtime
