#include "runtime/core/generator.hpp"

#include "runtime/core/accelerator_worker.hpp"
#include "runtime/core/courier.hpp"
#include "runtime/core/main_access.hpp"

#include <tla/runtime/error.hpp>

#include <algorithm>
#include <climits>
#include <new>
#include <utility>

namespace tla::runtime {

TileTable &GeneratorImpl::table(Storage &storage, const char *name, bool workspace, bool regions) {
  for (const auto &known : tables_)
    if (&known->storage() == &storage) { // two parameters, one matrix
      if (regions)
        addRegions(*known);
      return *known;
    }
  const int number = static_cast<int>(tables_.size());
  tables_.push_back(std::make_unique<TileTable>(storage, name, workspace, regions, number));
  if (engine_.distribution)
    tables_.back()->distribute(*engine_.distribution, engine_.rank);
  return *tables_.back();
}

/// The tables of one matrix at all places have the same halves.
void GeneratorImpl::addRegions(TileTable &table) {
  table.addRegions();
  for (const auto &replica : replicas_)
    if (replica->number() == table.number())
      replica->addRegions();
}

TileTable &GeneratorImpl::replica(TileTable &matrix, int place) {
  return *replicas_.emplace_back(std::make_unique<TileTable>(matrix, place));
}

void GeneratorImpl::append(const TaskClass &taskClass, int priority, const int *indices, int indexCount,
                           const TileAccess *accesses, int accessCount) {
  appendTask(taskClass, priority, indices, indexCount, accesses, accessCount, Unit::Host);
}

void GeneratorImpl::appendAt(int place, const TaskClass &taskClass, int priority, const int *indices, int indexCount,
                             const TileAccess *accesses, int accessCount) {
  appendTask(taskClass, priority, indices, indexCount, accesses, accessCount, Unit::ofPlace(place));
}

/// APPEND ([Song12] 5.2). A task that needs nothing more is ready, any other waits in the lists of its tiles.
void GeneratorImpl::appendTask(const TaskClass &taskClass, int priority, const int *indices, int indexCount,
                               const TileAccess *accesses, int accessCount, std::uint8_t unit) {
  if (stopped())
    return;
  if (!begin_)
    begin_ = Clock::now();
  taskClass_ = &taskClass;
  accesses_ = accesses;
  accessCount_ = accessCount;
  ++sequence_;
  Task *task = newTask(indices, indexCount);
  if (!task)
    return;
  task->key = Task::makeKey(priority, sequence_);
  task->unit = unit;
  const TileAccess *const main = mainOutput();
  task->affinity = main ? engine_.host.affinityOfColumn(main->matrix->ownColumn(main->column)) : 0;
  ++appended_;

  task->pending.store(task->nodeCount + 1, std::memory_order_relaxed); // nobody knows the task yet
  const int satisfied = link(*task);
  const bool waits = satisfied != task->nodeCount; // otherwise still nobody knows it
  if (!waits || task->pending.fetch_sub(satisfied + 1, std::memory_order_acq_rel) == satisfied + 1)
    (unit == Unit::Host ? ready_ : unit == Unit::Courier ? transfers_ : accelerated_).push(*task);
  if (++sinceFlush_ >= (engine_.host.idleWorkers() > 0 ? eagerBatch : readyBatch))
    flushReady();
}

/// A task with all that does not depend on its accesses, or null when the run has failed for want of memory.
Task *GeneratorImpl::newTask(const int *indices, int indexCount) {
  try {
    Task *task = engine_.window.takeTask();
    if (!task)
      task = helpUntilRoom();
    task->self = task;
    task->taskClass = taskClass_;
    task->classIndex = classIndex(*taskClass_);
    task->parameters = parameters_;
    task->accessCount = accessCount_;
    if (makeRoom(*task, indexCount)) {
      task->setIndices(indices, indexCount);
      return task;
    }
    engine_.window.giveBack(*task);
  } catch (const std::bad_alloc &) { // reported below
  }
  fail("out of memory for the task window");
  return nullptr;
}

/// The program itself is at fault, after the last task.
void GeneratorImpl::failBetweenTasks(std::string message) {
  taskClass_ = nullptr;
  accessCount_ = 0;
  ++sequence_;
  fail(std::move(message));
}

/// As Task::mainOutput(). Null: the task writes nothing.
const TileAccess *GeneratorImpl::mainOutput() const {
  return taskClass_ ? mainAccess(*taskClass_, accesses_, accessCount_) : nullptr;
}

/// The task that is being appended is at fault.
void GeneratorImpl::fail(std::string message) {
  Failure failure{
      Outcome::Kind::Fault, 0, std::move(message), taskClass_, static_cast<std::uint32_t>(sequence_), nullptr, 0, 0};
  if (const TileAccess *main = mainOutput()) {
    failure.table = main->matrix;
    failure.row = main->row;
    failure.column = main->column;
  }
  engine_.state.fail(std::move(failure));
}

std::uint16_t GeneratorImpl::classIndex(const TaskClass &taskClass) {
  const auto address = reinterpret_cast<std::uintptr_t>(&taskClass);
  ClassSlot &slot = classSlots_[(address >> 4 ^ address >> 10) % std::size(classSlots_)];
  if (slot.taskClass == &taskClass)
    return slot.index;
  auto place = std::find(classes_.begin(), classes_.end(), &taskClass);
  if (place == classes_.end())
    place = classes_.insert(place, &taskClass);
  slot = {&taskClass, static_cast<std::uint16_t>(place - classes_.begin())};
  return slot.index;
}

void GeneratorImpl::flushReady() {
  sinceFlush_ = 0;
  submitReady();
  if (transfers_.head) // last: it may take some time
    engine_.courier->submit(transfers_);
}

void GeneratorImpl::submitReady() {
  passToAccelerators(engine_, std::exchange(accelerated_, {}));
  if (!ready_.head)
    return;
  // The chain is a stack, submit() is fastest with the oldest first.
  Chain<Task> inOrder;
  for (Task *task = ready_.head; ready_.count > 0; --ready_.count) {
    Task *next = task->link;
    inOrder.push(*task);
    task = next;
  }
  ready_ = {};
  engine_.device().submit(inOrder.head, inOrder.count);
}

/// The window is full: the generating thread computes until there is room. It returns to generating after a number of
/// tasks that makes the change worth it, or as soon as somebody runs out of work. Sleeps only when nothing is ready.
Task *GeneratorImpl::helpUntilRoom() {
  ++windowFull_;
  Task *task = nullptr;
  helpUntil([&] { return task = engine_.window.takeTask(); });
  return task;
}

/// The same for memory of an accelerator, which comes back with tasks that complete (accelerator_memory.hpp).
void GeneratorImpl::reserve(int place, std::size_t bytes) {
  AcceleratorMemory &memory = engine_.accelerator(place).memory();
  if (!stopped() && !memory.reserve(bytes))
    helpUntil([&] { return memory.reserve(bytes) || stopped(); });
}

/// Until ready(), which becomes true by tasks that complete.
template <typename Ready> void GeneratorImpl::helpUntil(Ready ready) {
  flushReady();
  engine_.loops.setInside(false);
  const Ticks begin = Clock::now();
  const int enough = static_cast<int>(std::clamp<std::size_t>(engine_.window.limit() / 64, 1, 128));
  for (bool over = false; !over;) {
    const std::size_t returned = engine_.window.returned();
    const int done = self_.work(enough, true);
    self_.flush();
    over = ready();
    if (!over && !done)
      sleepUntilReturned(returned + 1);
  }
  engine_.loops.setInside(true);
  helping_ += Clock::now() - begin;
}

/// Until that many tasks have come back, or one is ready.
void GeneratorImpl::sleepUntilReturned(std::size_t count) {
  engine_.window.want(count);
  self_.idle([this, count] { return engine_.window.returned() >= count; });
  engine_.window.wantNothing();
}

void GeneratorImpl::finish() {
  flushReady();
  const Ticks begin = Clock::now();
  while (appended_ != self_.ownCompleted() + engine_.window.returned()) {
    const int done = self_.work(INT_MAX, false);
    self_.flush();
    if (!done)
      sleepUntilReturned(appended_ - self_.ownCompleted());
  }
  end_ = Clock::now();
  helping_ += end_ - begin;
}

void GeneratorImpl::settle() {
  for (const auto *tables : {&tables_, &replicas_})
    for (const auto &table : *tables)
      table->forEachCurrent([this](Version &version) { engine_.buffers.settle(version); });
  engine_.host.trim();
}

void GeneratorImpl::addTo(Statistics &statistics, double secondsPerTick) const {
  const Ticks begin = begin_ ? begin_ : end_;
  statistics.seconds = static_cast<double>(end_ - begin) * secondsPerTick;
  statistics.generation = std::max(0.0, statistics.seconds - static_cast<double>(helping_) * secondsPerTick);
  statistics.renames = renames_;
  statistics.windowFull = windowFull_;
  statistics.peakTasks = engine_.window.peakTasks();
  statistics.windowBytes = engine_.window.bytes();
  statistics.renameBytes = engine_.buffers.renamePeak();
  statistics.foreignBytes = engine_.buffers.foreignPeak();
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
