#include "runtime/core/schedule/ready_queue.hpp"

#include <algorithm>
#include <bit>

namespace tla::runtime {

void ReadyQueue::reserve(std::size_t tasks) {
  heap_.reserve(tasks);
  if (tasks <= ring_.size())
    return;
  std::vector<Entry> larger(std::bit_ceil(tasks));
  for (std::size_t i = 0; i < ringSize_; ++i)
    larger[i] = ring_[slot(i)];
  ring_ = std::move(larger);
  ringBegin_ = 0;
}

void ReadyQueue::push(Task *task) {
  const Entry entry(task);
  if (ringSize_ && entry.key > ring_[slot(ringSize_ - 1)].key)
    return pushHeap(entry);
  ring_[slot(ringSize_++)] = entry;
}

Task *ReadyQueue::pop() {
  if (!ringSize_ || (!heap_.empty() && heap_.front().key > ring_[ringBegin_].key))
    return popHeap(0);
  return popRing(0);
}

Task *ReadyQueue::pop(std::uint8_t affinity) {
  const std::uint32_t priority = Task::priorityOf(topKey());
  const auto suits = [&](const Entry &entry) {
    return entry.affinity() == affinity && Task::priorityOf(entry.key) == priority;
  };
  const std::size_t ringEnd = std::min(ringSize_, reach), heapEnd = std::min(heap_.size(), reach);
  std::size_t inRing = 0, inHeap = heapEnd;
  while (inRing < ringEnd && !suits(ring_[slot(inRing)]))
    ++inRing;
  for (std::size_t i = 0; i < heapEnd; ++i)
    if (suits(heap_[i]) && (inHeap == heapEnd || heap_[i].key > heap_[inHeap].key))
      inHeap = i;
  const bool hasRing = inRing < ringEnd, hasHeap = inHeap < heapEnd;
  if (!hasRing && !hasHeap)
    return pop();
  return hasRing && (!hasHeap || ring_[slot(inRing)].key > heap_[inHeap].key) ? popRing(inRing) : popHeap(inHeap);
}

std::uint64_t ReadyQueue::topKey() const {
  const std::uint64_t inRing = ringSize_ ? ring_[ringBegin_].key : 0;
  return std::max(inRing, heap_.empty() ? 0 : heap_.front().key);
}

/// Takes the task at a position out of the ring; those before it move up.
Task *ReadyQueue::popRing(std::size_t position) {
  Task *const task = ring_[slot(position)].task();
  for (; position > 0; --position)
    ring_[slot(position)] = ring_[slot(position - 1)];
  ringBegin_ = slot(1);
  --ringSize_;
  return task;
}

void ReadyQueue::pushHeap(const Entry &entry) {
  heap_.push_back(entry);
  sift(heap_.size() - 1, entry);
}

Task *ReadyQueue::popHeap(std::size_t position) {
  Task *const task = heap_[position].task();
  const Entry last = heap_.back();
  heap_.pop_back();
  if (position == heap_.size())
    return task;
  std::size_t hole = position;
  for (;;) { // down to a leaf, or to where `last` may stand
    const std::size_t first = hole * arity + 1;
    if (first >= heap_.size())
      break;
    std::size_t child = first;
    for (std::size_t c = first + 1; c < std::min(first + arity, heap_.size()); ++c)
      if (heap_[c].key > heap_[child].key)
        child = c;
    if (heap_[child].key <= last.key)
      break;
    heap_[hole] = heap_[child];
    hole = child;
  }
  sift(hole, last);
  return task;
}

/// Towards the root from a hole whose children, if any, are no larger.
void ReadyQueue::sift(std::size_t hole, const Entry &entry) {
  while (hole > 0) {
    const std::size_t parent = (hole - 1) / arity;
    if (heap_[parent].key >= entry.key)
      break;
    heap_[hole] = heap_[parent];
    hole = parent;
  }
  heap_[hole] = entry;
}

} // namespace tla::runtime
