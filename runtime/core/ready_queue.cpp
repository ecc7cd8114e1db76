#include "runtime/core/ready_queue.hpp"

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
  const Entry entry{task->key, task};
  if (ringSize_ && entry.key > ring_[slot(ringSize_ - 1)].key)
    return pushHeap(entry);
  ring_[slot(ringSize_++)] = entry;
}

Task *ReadyQueue::pop() {
  if (!ringSize_ || (!heap_.empty() && heap_.front().key > ring_[ringBegin_].key))
    return popHeap();
  Task *task = ring_[ringBegin_].task;
  ringBegin_ = slot(1);
  --ringSize_;
  return task;
}

std::uint64_t ReadyQueue::topKey() const {
  const std::uint64_t inRing = ringSize_ ? ring_[ringBegin_].key : 0;
  return std::max(inRing, heap_.empty() ? 0 : heap_.front().key);
}

void ReadyQueue::pushHeap(const Entry &entry) {
  std::size_t hole = heap_.size();
  heap_.push_back(entry);
  while (hole > 0) {
    const std::size_t parent = (hole - 1) / arity;
    if (heap_[parent].key >= entry.key)
      break;
    heap_[hole] = heap_[parent];
    hole = parent;
  }
  heap_[hole] = entry;
}

Task *ReadyQueue::popHeap() {
  Task *best = heap_.front().task;
  const Entry last = heap_.back();
  heap_.pop_back();
  const std::size_t size = heap_.size();
  if (size == 0)
    return best;
  std::size_t hole = 0;
  for (;;) {
    const std::size_t first = hole * arity + 1;
    if (first >= size)
      break;
    std::size_t child = first;
    for (std::size_t c = first + 1; c < std::min(first + arity, size); ++c)
      if (heap_[c].key > heap_[child].key)
        child = c;
    if (heap_[child].key <= last.key)
      break;
    heap_[hole] = heap_[child];
    hole = child;
  }
  heap_[hole] = last;
  return best;
}

} // namespace tla::runtime
