// APPEND ([Song12] 5.2): one access of a new task meets the task list of its tile. Three outcomes: the access is
// satisfied at once (true), or it waits for exactly one event (false): a read for the production of its version, a
// write for the last visit of the version before it.
//
// A tile's task list, from the generating thread's side (TileList: expected, produced) and the workers' (Version:
// visits, waiters), for task 1 that writes the tile (potrf), 2 and 3 that read it (trsm), and 4 that writes it again;
// u and v are version objects:
//
//   event                         current  expected  u.visits  u.waiters
//   first access: startList()     u        0          0        closed: the initial content is there
//   1 appended: visits == -expected, nobody uses the tile: takeOver(), satisfied
//                                 u        1          0        none
//   2 appended: waits             u        2          0        2
//   3 appended: waits             u        3          0        3, 2
//   4 appended: close() adds what was expected to the visits, u.nextWriter is 4: waits
//                                 v        1          3        3, 2
//   1 complete                                        2        closed; 2 and 3 have what they waited for
//   2 and 3 complete                                  1, 0     who brings it to 0 passes the memory to v and wakes 4
//
// Had 1, 2 and 3 been complete when 4 was appended, u.visits would have been -3 == -expected: 4 takes u over. Should
// the last of them complete between that look and close(), the fetch_add there finds -3: nobody is left to pass the
// memory on, so close() does, and 4 is satisfied.
#include "runtime/core/accelerator_worker.hpp"
#include "runtime/core/courier.hpp"
#include "runtime/core/generator.hpp"

#include <algorithm>
#include <climits>
#include <new>
#include <string>

namespace tla::runtime {

static bool hasTwoNodes(const TileAccess &access) { return access.matrix->regions() && access.region == Region::Full; }

static int firstHalf(const TileAccess &access) {
  return access.matrix->regions() && access.region == Region::Upper ? 1 : 0;
}

/// Nodes 0 .. accessCount - 1 belong to the accesses, so that TaskView counts as the program does; the second nodes
/// of accesses to both regions follow. What does not fit goes into blocks, and indices behind these. False: out of
/// memory.
bool GeneratorImpl::makeRoom(Task &task, int indexCount) {
  task.nodeCount = accessCount_;
  for (int i = 0; i < accessCount_; ++i)
    task.nodeCount += hasTwoNodes(accesses_[i]);
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

/// All accesses; returns how many nodes are satisfied. Writes go first, those that keep the old content before those
/// that do not: where one task names a tile several times, the strongest access stands for all, and a task never waits
/// for itself.
int GeneratorImpl::link(Task &task) {
  int extra = accessCount_, satisfied = 0;
  for (const Access kind : {Access::ReadWrite, Access::Write, Access::Read})
    for (int i = 0; i < accessCount_; ++i)
      if (accesses_[i].access == kind)
        satisfied += linkAccess(task, accesses_[i], i, extra);
  return satisfied;
}

int GeneratorImpl::linkAccess(Task &task, const TileAccess &access, int number, int &extra) {
  const int half = firstHalf(access);
  const int satisfied = linkHalf(access, half, task.node(number));
  return hasTwoNodes(access) ? satisfied + linkHalf(access, 1 - half, task.node(extra++)) : satisfied;
}

bool GeneratorImpl::linkHalf(const TileAccess &access, int half, AccessNode &node) {
  if (!access.matrix->has(access.row, access.column)) [[unlikely]] {
    fail(access.matrix->outsideText(access.row, access.column));
    node.set(nullptr, AccessNode::None);
    return true;
  }
  TileList &list = access.matrix->list(access.row, access.column, half);
  if (!list.current && !startList(access)) {
    node.set(nullptr, AccessNode::None);
    return true;
  }
  list.released = false;
  return access.access == Access::Read ? appendRead(list, node) : appendWrite(list, access, node);
}

/// Pushes the node onto the version's waiters, unless the producer has closed them by then: both are operations on one
/// atomic, so that either FIRE finds the node or this finds closed().
bool GeneratorImpl::appendRead(TileList &list, AccessNode &node) {
  Version &version = *list.current;
  if (!list.produced && version.producer == sequence_) { // this very task writes the tile
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
bool GeneratorImpl::appendWrite(TileList &list, const TileAccess &access, AccessNode &node) {
  if (list.current->producer == sequence_) {
    node.set(list.current, AccessNode::None);
    return true;
  }
  // Acquire: when all visitors are gone the new task may follow at once, and must see what they did.
  if (list.current->visits.load(std::memory_order_acquire) == -list.expected) {
    takeOver(list, node);
    return true;
  }
  Version *next = newVersion(access, list.number + 1, sequence_);
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
  const bool idle = close(list, renamed ? nullptr : &node);
  list = {next, 1, list.number + 1u, false, false};
  return idle || renamed;
}

/// Nobody uses the tile: the same version object serves for the next version.
void GeneratorImpl::takeOver(TileList &list, AccessNode &node) {
  Version &version = *list.current;
  version.waiters.store(nullptr, std::memory_order_relaxed); // relaxed: published with the task
  version.visits.store(0, std::memory_order_relaxed);
  version.number = ++list.number;
  version.producer = sequence_;
  list.expected = 1;
  list.produced = false;
  node.set(&version, AccessNode::Write);
}

/// No later task visits the list's current version: the workers learn how many visits to expect. Its memory goes to
/// `writer`, or away when that is null. True when all visits have been made: `writer` need not wait.
bool GeneratorImpl::close(TileList &list, AccessNode *writer) {
  Version &version = *list.current;
  version.nextWriter = writer;
  if (version.visits.fetch_add(list.expected, std::memory_order_acq_rel) != -list.expected)
    return false;
  if (writer)
    TileBuffers::pass(version, *writer->version());
  else
    engine_.buffers.discard(version);
  engine_.window.giveBack(version);
  return true;
}

/// Renaming ([Song12] 5.2) makes a write independent of all earlier accesses by giving it memory of its own. Only for
/// Write: a ReadWrite task would have to copy the old content first, which costs what the tile's transfer costs, while
/// it must wait for the content anyway. Never waits for memory: above the bound the write waits for its predecessors.
bool GeneratorImpl::mayRename(const TileAccess &access) {
  const TileTable &table = *access.matrix;
  if (access.access != Access::Write || !table.renamable() || namedTwice(access) ||
      !engine_.buffers.reserveRename(table.tileBytes(access.row, access.column)))
    return false;
  ++renames_;
  return true;
}

/// The task also names the tile elsewhere and expects to find the old content there, as the serial program would.
bool GeneratorImpl::namedTwice(const TileAccess &access) const {
  int names = 0;
  for (int i = 0; i < accessCount_; ++i)
    names +=
        accesses_[i].matrix == access.matrix && accesses_[i].row == access.row && accesses_[i].column == access.column;
  return names > 1;
}

Version *GeneratorImpl::newVersion(const TileAccess &access, int number, std::uint64_t producer) {
  Version *version = nullptr;
  try {
    version = engine_.window.takeVersion([this](Version &idle) { return forget(idle); });
  } catch (const std::bad_alloc &) {
    failAccess(access, "out of memory for a version of");
    return nullptr;
  }
  version->waiters.store(producer ? nullptr : Version::closed(), std::memory_order_relaxed);
  version->visits.store(0, std::memory_order_relaxed);
  version->number = number;
  version->nextWriter = nullptr;
  version->data = nullptr;
  version->table = access.matrix;
  version->producer = producer;
  version->row = access.row;
  version->column = access.column;
  version->pooled = version->renamed = version->shared = false;
  return version;
}

/// A version that only says where the tile's content is, and that is at home: the next access to the tile will start
/// its list again.
bool GeneratorImpl::forget(Version &version) {
  TileTable &table = *version.table;
  if (table.regions())
    return false;
  TileList &list = table.list(version.row, version.column);
  // Only the current version's fields may be read: those of others change under the workers' hands. Acquire: as in
  // appendWrite(), the next task on the tile must see what the visitors did.
  if (list.current != &version || version.visits.load(std::memory_order_acquire) != -list.expected ||
      version.data != table.home(version.row, version.column) || !version.data)
    return false;
  list.current = nullptr;
  return true;
}

/// The first access to a tile finds its initial content: produced, without visits. False: the run has failed.
bool GeneratorImpl::startList(const TileAccess &access) {
  TileTable &table = *access.matrix;
  void *data = table.home(access.row, access.column);
  if (!table.stores(access.row, access.column) || (!data && !table.temporary(access.row, access.column)))
    return failAccess(access, "the matrix does not store");
  if (!data && access.access == Access::Read && !table.regions())
    return failAccess(access, "read without content:");
  // The halves of a tile share its memory from the start; otherwise the first producer allocates it when it runs.
  const bool shared = !data && table.regions();
  if (shared && !(data = engine_.buffers.allocateShared(table, access.row, access.column)))
    return failAccess(access, "out of memory for");
  for (int half = 0; half <= int(table.regions()); ++half) {
    TileList &list = table.list(access.row, access.column, half);
    Version *version = newVersion(access, list.number, 0);
    if (!version) {
      if (shared)
        engine_.buffers.leaveShared(table, access.row, access.column, data, 2 - half);
      return false;
    }
    version->data = data;
    version->pooled = version->shared = shared;
    list = {version, 0, list.number, true, false};
  }
  return true;
}

bool GeneratorImpl::failAccess(const TileAccess &access, const char *what) {
  const int place = access.matrix->place();
  const std::string where = place ? " on " + engine_.accelerator(place).name() : "";
  fail(std::string(what) + " tile " + access.matrix->tileName(access.row, access.column) + where);
  return false;
}

/// [Song12] 5.5: the marker behind the last task that uses the tile's content. A matrix of the caller keeps its own
/// tiles.
void GeneratorImpl::release(TileTable &table, int row, int column, Region region) {
  if (stopped())
    return;
  if (!table.has(row, column)) [[unlikely]]
    return failBetweenTasks("release: " + table.outsideText(row, column));
  if (!table.temporary(row, column))
    return;
  if (table.regions())
    return releaseHalves(table, row, column, region);
  if (TileList &list = table.list(row, column); list.current)
    drop(list);
}

/// The halves share memory, so a half stays, and orders what comes after it, until nobody needs the other either.
void GeneratorImpl::releaseHalves(TileTable &table, int row, int column, Region region) {
  TileList &lower = table.list(row, column, 0), &upper = table.list(row, column, 1);
  lower.released |= region != Region::Upper;
  upper.released |= region != Region::Lower;
  if (!lower.current || !lower.released || !upper.released)
    return;
  drop(lower);
  drop(upper);
}

/// Nobody will append to the list's content any more; the next access begins anew.
void GeneratorImpl::drop(TileList &list) {
  close(list, nullptr);
  list.current = nullptr;
  list.released = false;
}

void GeneratorImpl::send(TileTable &table, int row, int column, Region region, int destination) {
  appendTransfer(sendClass, {&table, row, column, Access::Read, region}, destination, sent_);
}

void GeneratorImpl::receive(TileTable &table, int row, int column, Region region, int source) {
  appendTransfer(receiveClass, {&table, row, column, Access::Write, region}, source, received_);
}

void GeneratorImpl::appendTransfer(const TaskClass &taskClass, const TileAccess &access, int peer,
                                   std::vector<std::uint32_t> &ordinals) {
  if (!engine_.courier)
    return failBetweenTasks("this run has one node");
  if (ordinals.size() <= static_cast<std::size_t>(peer))
    ordinals.resize(peer + 1);
  const int indices[TransferIndices::Count] = {peer, static_cast<int>(ordinals[peer]++),
                                               static_cast<int>(access.region)};
  appendTask(taskClass, INT_MAX, indices, TransferIndices::Count, &access, 1, Unit::Courier);
}

void GeneratorImpl::copy(TileTable &from, TileTable &to, int row, int column, Region region, int priority) {
  const TileAccess accesses[] = {{&from, row, column, Access::Read, region}, {&to, row, column, Access::Write, region}};
  const int indices[CopyIndices::Count] = {static_cast<int>(region)};
  appendTask(copyClass, priority, indices, CopyIndices::Count, accesses, 2,
             Unit::ofPlace(to.place() ? to.place() : from.place()));
}

} // namespace tla::runtime
