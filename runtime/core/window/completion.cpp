#include "runtime/core/window/completion.hpp"

#include <new>
#include <utility>

namespace tla::runtime {

void Completion::complete(Task &task) {
  if (tasks_.record.observed()) [[unlikely]]
    noteEnd(task);
  for (int i = 0; i < task.nodeCount; ++i) {
    const AccessNode &node = task.node(i);
    if (node.kind() == AccessNode::None)
      continue;
    if (node.kind() == AccessNode::Write)
      fireReaders(*node.version());
    leave(*node.version());
  }
  if (task.overflow)
    ::operator delete(task.overflow, std::align_val_t(alignof(NodeBlock)));
  done.push(task);
}

void Completion::noteEnd(const Task &task) {
  completing_ = &task;
  completedAt_ = tasks_.record.now();
  if (tasks_.record.path)
    tasks_.record.path->end(task, completedAt_);
}

void Completion::noteReady(const Task &task) {
  if (tasks_.record.path)
    tasks_.record.path->ready(task, completing_, completedAt_);
  if (tasks_.record.log.on() && tasks_.record.log.records(task.sequence()))
    try {
      arrivals_.list.push_back({task.sequence(), completing_->sequence(), completedAt_});
    } catch (const std::bad_alloc &) { // what made it ready stays unknown; the run goes on
    }
}

/// The version is produced: its waiting readers arrive. They were stacked, the last first; `ready` is a stack, too, and
/// has them in program order again.
void Completion::fireReaders(Version &version) {
  AccessNode *waiter = version.waiters.exchange(Version::closed(), std::memory_order_acq_rel);
  while (waiter) {
    AccessNode *next = waiter->next; // read first: the task may be gone once it has arrived
    arrive(waiter->task());
    waiter = next;
  }
}

/// One visit less; the last one hands the tile to the next writer or frees its memory.
void Completion::leave(Version &version) {
  if (version.visits.fetch_sub(1, std::memory_order_acq_rel) != 1)
    return;
  if (AccessNode *writer = version.nextWriter) {
    TileBuffers::pass(version, *writer->version());
    arrive(writer->task());
  } else {
    tasks_.buffers.discard(version);
  }
  retired.push(version);
}

void Completion::arrive(Task &task) {
  if (task.pending.fetch_sub(1, std::memory_order_acq_rel) != 1)
    return;
  if (tasks_.record.observed()) [[unlikely]]
    noteReady(task);
  if (task.unit == Unit::Host) [[likely]]
    ready.push(task);
  else
    (task.unit == Unit::Courier ? transfers : accelerated).push(task);
}

void Completion::passOn() {
  passElsewhere();
  if (const Chain<Task> tasks = std::exchange(ready, {}); tasks.head)
    tasks_.units.host().submit(tasks.head, tasks.count);
  if (done.head || retired.head)
    tasks_.window.returnFrom(done, retired);
}

} // namespace tla::runtime
