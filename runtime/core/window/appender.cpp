#include "runtime/core/window/appender.hpp"

#include "runtime/core/window/copy_task.hpp"
#include "runtime/core/window/halves.hpp"

#include <algorithm>
#include <new>

namespace tla::runtime {

static bool hasTwoNodes(const TileAccess &access) { return access.matrix->regions() && access.region == Region::Full; }

static int firstHalf(const TileAccess &access) {
  return access.matrix->regions() && access.region == Region::Upper ? 1 : 0;
}

bool Appender::makeRoom(Task &task, int indexCount) const {
  task.nodeCount = task_.accessCount;
  for (int i = 0; i < task_.accessCount; ++i)
    task.nodeCount += hasTwoNodes(task_.accesses[i]);
  task.overflow = nullptr;
  if (task.nodeCount <= Task::inlineNodes && indexCount <= Task::inlineIndices)
    return true;
  const std::size_t nodes = std::max(task.nodeCount - Task::inlineNodes, 1); // one block at least
  const std::size_t indices = std::max(indexCount - Task::inlineIndices, 0);
  const std::size_t blocks = (nodes - 1) / NodeBlock::capacity + 1;
  void *room = ::operator new(blocks * sizeof(NodeBlock) + indices * sizeof(int), std::align_val_t(alignof(NodeBlock)),
                              std::nothrow);
  task.overflow = static_cast<NodeBlock *>(room);
  for (std::size_t block = 0; room && block < blocks; ++block)
    (new (task.overflow + block) NodeBlock)->self = &task;
  if (room)
    task.overflow->indices = indices ? reinterpret_cast<int *>(task.overflow + blocks) : nullptr;
  return room;
}

/// Writes go first, those that keep the old content before those
/// that do not: where one task names a tile several times, the strongest access stands for all, and a task never waits
/// for itself.
int Appender::link(Task &task) {
  int extra = task_.accessCount, satisfied = 0;
  for (const Access kind : {Access::ReadWrite, Access::Write, Access::Read})
    for (int i = 0; i < task_.accessCount; ++i)
      if (task_.accesses[i].access == kind)
        satisfied += linkAccess(task, task_.accesses[i], i, extra);
  return satisfied;
}

int Appender::linkAccess(Task &task, const TileAccess &access, int number, int &extra) {
  const int half = firstHalf(access);
  const int satisfied = linkHalf(access, half, task.node(number));
  return hasTwoNodes(access) ? satisfied + linkHalf(access, 1 - half, task.node(extra++)) : satisfied;
}

bool Appender::linkHalf(const TileAccess &access, int half, AccessNode &node) {
  if (!access.matrix->has(access.row, access.column)) [[unlikely]] {
    task_.fail(access.matrix->outsideText(access.row, access.column),
               !access.matrix->hasTile(access.row, access.column));
    node.set(nullptr, AccessNode::None);
    return true;
  }
  TileList *const list = versions_.listOf(access, half);
  bool isFine = list && (list->current || versions_.start(access));
  if (isFine && Versions::isWithoutContent(*list) && needsContent(access, half)) [[unlikely]]
    isFine = task_.failContent(access, half);
  if (!isFine) {
    node.set(nullptr, AccessNode::None);
    return true;
  }
  list->released = false;
  if (!writes(access))
    return appendRead(*list, node);
  access.matrix->noteWrite(access.row, access.column, half);
  return appendWrite(*list, access, node);
}

/// Whether an access needs the tile's content: if the task reads the tile by any of its accesses, as the one that
/// writes comes before those that only read, which find a version that the task itself produces.
bool Appender::needsContent(const TileAccess &access, int half) const {
  return reads(access) || std::any_of(task_.accesses, task_.accesses + task_.accessCount, [&](const TileAccess &other) {
           const auto [first, last] = Halves::of(*other.matrix, other.region);
           return reads(other) && other.matrix == access.matrix && other.row == access.row &&
                  other.column == access.column && first <= half && half <= last;
         });
}

/// Pushes the node onto the version's waiters, unless the producer has closed them by then: both are operations on one
/// atomic, so that either FIRE finds the node or this finds closed().
bool Appender::appendRead(TileList &list, AccessNode &node) {
  Version &version = *list.current;
  if (!list.produced && version.producer == task_.sequence) { // this very task writes the tile
    node.set(&version, AccessNode::None);
    return true;
  }
  node.set(&version, AccessNode::Read);
  ++list.expected;
  if (list.produced)
    return true;
  node.next = version.waiters.load(std::memory_order_acquire);
  while (node.next != Version::closed())
    if (version.waiters.compare_exchange_weak(node.next, &node, std::memory_order_release, std::memory_order_acquire))
      return false;
  list.produced = true;
  return true;
}

/// The write begins a version. Four cases: this task's stronger access to the tile has begun it; nobody uses the
/// present version, whose object then serves again; the write is renamed, and waits for nothing; or it waits for the
/// last visit.
bool Appender::appendWrite(TileList &list, const TileAccess &access, AccessNode &node) {
  if (list.current->producer == task_.sequence) {
    node.set(list.current, AccessNode::None);
    return true;
  }
  // Acquire: when all visitors are gone the new task may follow at once, and must see what they did.
  if (list.current->visits.load(std::memory_order_acquire) == -list.expected) {
    versions_.takeOver(list, node);
    return true;
  }
  Version *next = versions_.make(access, list.number + 1, task_.sequence);
  if (!next) {
    node.set(nullptr, AccessNode::None);
    return true;
  }
  node.set(next, AccessNode::Write);
  if (!list.current) { // forget() has just found that the last visitor is gone
    next->data = access.matrix->home(access.row, access.column);
    list = {next, 1, list.number + 1u, false, false};
    return true;
  }
  next->renamed = mayRename(access);
  const bool renamed = next->renamed; // next belongs to the workers once it is linked
  const bool idle = versions_.close(list, renamed ? nullptr : &node);
  list = {next, 1, list.number + 1u, false, false};
  return idle || renamed;
}

/// Renaming ([Song12] 5.2) makes a write independent of all earlier accesses by giving it memory of its own. Only for
/// Write: a ReadWrite task would have to copy the old content first, which costs what the tile's transfer costs, while
/// it must wait for the content anyway. For the same reason no copy from an accelerator is renamed: what it brings home
/// was mostly made of the content before, and would have to go home once more, behind the run. Never waits for memory:
/// above the bound the write waits for its predecessors.
bool Appender::mayRename(const TileAccess &access) {
  const TileTable &table = *access.matrix;
  if (access.access != Access::Write || task_.taskClass == &copyClass || !table.renamable() || namedTwice(access) ||
      !buffers_.reserveRename(table.tileBytes(access.row, access.column)))
    return false;
  ++renames_;
  return true;
}

/// The task also names the tile elsewhere and expects to find the old content there, as the serial program would.
bool Appender::namedTwice(const TileAccess &access) const {
  int names = 0;
  for (int i = 0; i < task_.accessCount; ++i)
    names += task_.accesses[i].matrix == access.matrix && task_.accesses[i].row == access.row &&
             task_.accesses[i].column == access.column;
  return names > 1;
}

} // namespace tla::runtime
