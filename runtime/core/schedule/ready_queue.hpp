// The ready tasks of one device ([Song12] 5.1), best first. No locking: see HostDevice.
#pragma once

#include "runtime/core/window/task.hpp"

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
  /// Takes the best task. The queue is not empty.
  Task *pop();
  /// Takes the best task, or, if there is one among the first few, a task of this affinity that has the same priority.
  /// The queue is not empty.
  Task *pop(std::uint8_t affinity);
  std::size_t size() const { return ringSize_ + heap_.size(); }
  /// Key of the best task, 0 when empty.
  std::uint64_t topKey() const;

private:
  /// An entry of the queue, with the key beside the pointer: comparing touches no task.
  class Entry {
  public:
    Entry() = default;
    explicit Entry(Task *task) : key(task->key), bits_(reinterpret_cast<std::uintptr_t>(task) | task->affinity) {}

    std::uint64_t key;
    Task *task() const { return reinterpret_cast<Task *>(bits_ & ~affinityMask); }
    std::uint8_t affinity() const { return bits_ & affinityMask; }

  private:
    static constexpr std::uintptr_t affinityMask = 0xff;
    static_assert(alignof(Task) > affinityMask);
    std::uintptr_t bits_;
  };
  static constexpr std::size_t arity = 4;
  static constexpr std::size_t reach = 64; // entries that pop(affinity) looks at; cheap beside a long task
  std::size_t slot(std::size_t position) const { return (ringBegin_ + position) & (ring_.size() - 1); }
  Task *popRing(std::size_t position);
  void pushHeap(const Entry &entry);
  Task *popHeap(std::size_t position);
  void sift(std::size_t hole, const Entry &entry);

  std::vector<Entry> ring_; // size: a power of two, or 0
  std::size_t ringBegin_ = 0, ringSize_ = 0;
  std::vector<Entry> heap_;
};

} // namespace tla::runtime
