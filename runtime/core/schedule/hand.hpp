// The few tasks that a worker has taken for itself.
#pragma once

#include "runtime/core/window/task.hpp"

namespace tla::runtime {

/// Invariant: keys rise from tasks_[0] to the best, tasks_[size_ - 1]. Each task here is in no queue and no chain. One
/// worker's own.
class Hand {
public:
  static constexpr int capacity = 16;
  bool empty() const { return size_ == 0; }
  int size() const { return size_; }
  Task *best() const { return size_ ? tasks_[size_ - 1] : nullptr; }
  Task *take() { return tasks_[--size_]; }
  /// Fills an empty hand; the tasks come best first.
  void fill(Task *const *tasks, int count) {
    while (size_ < count) {
      tasks_[size_] = tasks[count - 1 - size_];
      ++size_;
    }
  }
  void insert(Task *task) {
    int place = size_++;
    for (; place > 0 && tasks_[place - 1]->key > task->key; --place)
      tasks_[place] = tasks_[place - 1];
    tasks_[place] = task;
  }

private:
  Task *tasks_[capacity];
  int size_ = 0;
};

} // namespace tla::runtime
