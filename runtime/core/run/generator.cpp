#include "runtime/core/run/generator.hpp"

#include "runtime/core/network/transfer.hpp"
#include "runtime/core/window/copy_task.hpp"

#include <algorithm>
#include <chrono>
#include <climits>
#include <new>
#include <utility>

namespace tla::runtime {

static TileAccess accessTo(const TileRef &tile, Access access) {
  return {tile.matrix, tile.row, tile.column, access, tile.region};
}

void GeneratorImpl::append(const TaskCall &call) { appendTask(call, Unit::Host); }

void GeneratorImpl::appendAt(int place, const TaskCall &call) { appendTask(call, Unit::ofPlace(place)); }

/// APPEND ([Song12] 5.2). A task that needs nothing more is ready, any other waits in the lists of its tiles.
void GeneratorImpl::appendTask(const TaskCall &call, std::uint8_t unit) {
  if (stopped())
    return;
  if (!begin_)
    start();
  task_.begin(call);
  Task *task = newTask(call);
  if (!task)
    return;
  task->key = Scheduling::keyOf(call.priority, task_.sequence);
  task->unit = unit;
  const TileAccess *const main = task_.mainOutput();
  task->affinity = main ? workers_.scheduling().affinityOfColumn(main->matrix->ownColumn(main->column)) : 0;
  ++appended_;
  if (tasks_.record.log.on()) [[unlikely]]
    tasks_.record.log.append(tasks_.record.now());

  task->pending.store(task->nodeCount + 1, std::memory_order_relaxed); // nobody knows the task yet
  const int satisfied = appender_.link(*task);
  const bool waits = satisfied != task->nodeCount; // otherwise still nobody knows it
  if (!waits || task->pending.fetch_sub(satisfied + 1, std::memory_order_acq_rel) == satisfied + 1)
    ready_.add(*task);
  ready_.countAppended();
}

void GeneratorImpl::start() {
  using std::chrono::nanoseconds, std::chrono::system_clock;
  begin_ = tasks_.record.now();
  if (!tasks_.record.clock.isVirtual())
    startedAt_ = nanoseconds(system_clock::now().time_since_epoch()).count();
}

/// A task with all that does not depend on its accesses, or null when the run has failed for want of memory.
Task *GeneratorImpl::newTask(const TaskCall &call) {
  try {
    tasks_.record.log.makeRoom();
    Task *task = throttle_.takeTask();
    task->self = task;
    task->taskClass = task_.taskClass;
    task->classIndex = classes_[*task_.taskClass];
    task->parameters = parameters_;
    task->accessCount = task_.accessCount;
    if (appender_.makeRoom(*task, call.indexCount)) {
      task->setIndices(call.indices, call.indexCount);
      return task;
    }
    tasks_.window.giveBack(*task);
  } catch (const std::bad_alloc &) { // reported below
  }
  task_.fail("out of memory for the task window");
  return nullptr;
}

/// The program itself is at fault, after the last task.
void GeneratorImpl::failBetweenTasks(std::string message) {
  task_.beginNone();
  task_.fail(std::move(message));
}

/// Memory of an accelerator comes back with tasks that complete (accelerator_memory.hpp).
void GeneratorImpl::reserve(int place, std::size_t bytes) {
  AcceleratorMemory &memory = tasks_.buffers.accelerator(place);
  if (!stopped() && !memory.reserve(bytes))
    throttle_.helpUntil(WaitEvent::Reason::Memory, [&] { return memory.reserve(bytes) || stopped(); });
}

void GeneratorImpl::release(const TileRef &tile) {
  if (stopped())
    return;
  if (!tile.matrix->has(tile.row, tile.column)) [[unlikely]]
    return failBetweenTasks("release: " + tile.matrix->outsideText(tile.row, tile.column));
  appender_.release(tile);
  if (tasks_.buffers.backlog.behind() > lookahead_) [[unlikely]]
    waitForBacklog();
}

/// Nothing is promised while too much is behind (Backlog): it grows here only, and falls with tasks that complete.
///
/// The wait ends on every node. Of all instances of all nodes that are not complete take the first in program order. If
/// its node has appended it, it can run, as all before it are complete; so can a message, whose ends are one place of
/// the order. If not, its node waits here or for room, but all that the node has appended comes before it and is
/// complete: nothing is in flight there, which ends both waits. So some instance completes as long as there is one.
void GeneratorImpl::waitForBacklog() {
  const Backlog &backlog = tasks_.buffers.backlog;
  lookahead_ = tables_.lookahead(lookaheadBytes_, backlog.mostOpen());
  if (backlog.behind() <= lookahead_)
    return;
  throttle_.helpUntil(WaitEvent::Reason::Memory,
                      [&] { return backlog.behind() <= lookahead_ || throttle_.areComplete(appended_) || stopped(); });
}

void GeneratorImpl::send(const TileRef &tile, int destination, int priority) {
  appendTransfer(sendClass, accessTo(tile, Access::Read), destination, priority, sent_);
}

void GeneratorImpl::receive(const TileRef &tile, int source, int priority) {
  appendTransfer(receiveClass, accessTo(tile, Access::Write), source, priority, received_);
}

void GeneratorImpl::appendTransfer(const TaskClass &taskClass, const TileAccess &access, int peer, int priority,
                                   std::vector<std::uint32_t> &ordinals) {
  if (!tasks_.units.hasNetwork())
    return failBetweenTasks("this run has one node");
  if (ordinals.size() <= static_cast<std::size_t>(peer))
    ordinals.resize(peer + 1);
  const int indices[TransferIndices::Count] = {peer, static_cast<int>(ordinals[peer]++),
                                               static_cast<int>(access.region)};
  appendTask({taskClass, priority, indices, TransferIndices::Count, &access, 1}, Unit::Courier);
}

void GeneratorImpl::copy(const TileRef &from, TileTable &to, int priority) {
  TileRef copied = from;
  copied.matrix = &to;
  const TileAccess accesses[] = {accessTo(from, Access::Read), accessTo(copied, Access::Write)};
  const int indices[CopyIndices::Count] = {static_cast<int>(from.region)};
  appendTask({copyClass, priority, indices, CopyIndices::Count, accesses, 2},
             Unit::ofPlace(to.place() ? to.place() : from.matrix->place()));
}

/// A rank without tasks began, too: traces are put in step by that.
void GeneratorImpl::finish() {
  if (!begin_)
    start();
  end_ = throttle_.finish(appended_);
}

void GeneratorImpl::settle() {
  tables_.forEachCurrent([this](Version &version) { tasks_.buffers.settle(version); });
  workers_.trim();
}

void GeneratorImpl::addTo(Statistics &statistics, double secondsPerTick) const {
  const Ticks begin = begin_ ? begin_ : end_;
  statistics.seconds = static_cast<double>(end_ - begin) * secondsPerTick;
  statistics.generation = std::max(0.0, statistics.seconds - static_cast<double>(throttle_.helping()) * secondsPerTick);
  statistics.startedAt = startedAt_;
  statistics.renames = appender_.renames();
  statistics.windowFull = throttle_.windowFull();
  statistics.peakTasks = tasks_.window.peakTasks();
  statistics.windowBytes = tasks_.window.bytes();
  statistics.renameBytes = tasks_.buffers.renamePeak();
  statistics.foreignBytes = tasks_.buffers.foreignPeak();
  statistics.temporaryBytes = tasks_.buffers.temporaryPeak();
}

void AccessList::grow(int needed) {
  const int capacity = std::max(2 * capacity_, needed);
  auto *larger = static_cast<TileAccess *>(::operator new(sizeof(TileAccess) * capacity));
  std::copy_n(list_, size_, larger);
  if (list_ != inline_)
    ::operator delete(list_);
  list_ = larger;
  capacity_ = capacity;
}

} // namespace tla::runtime
