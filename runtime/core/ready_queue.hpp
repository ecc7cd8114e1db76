// The ready tasks of one device ([Song12] 5.1), best first. No locking: see HostDevice.
#pragma once

#include "runtime/core/task.hpp"

#include <vector>

namespace tla::runtime {

/// A priority queue on Task::key with a fast lane: tasks that come in falling order of key, as those of the generating
/// thread mostly do, go through a ring at constant cost; the others through a 4-ary heap. The best task is the better
/// of the ring's first and the heap's first.
class ReadyQueue {
public:
  /// Room for `tasks` tasks. Throws std::bad_alloc, nothing else does.
  void reserve(std::size_t tasks);
  void push(Task *task);
  /// The queue is not empty.
  Task *pop();
  std::size_t size() const { return ringSize_ + heap_.size(); }
  /// Key of the best task, 0 when empty.
  std::uint64_t topKey() const;

private:
  /// The key beside the pointer: comparing touches no task.
  struct Entry {
    std::uint64_t key;
    Task *task;
  };
  static constexpr std::size_t arity = 4;
  std::size_t slot(std::size_t position) const { return (ringBegin_ + position) & (ring_.size() - 1); }
  void pushHeap(const Entry &entry);
  Task *popHeap();

  std::vector<Entry> ring_; // size: a power of two, or 0
  std::size_t ringBegin_ = 0, ringSize_ = 0;
  std::vector<Entry> heap_;
};

} // namespace tla::runtime
