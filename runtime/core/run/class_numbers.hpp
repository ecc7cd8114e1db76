// The task classes of a run, numbered as they come.
#pragma once

#include <tla/runtime/task.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

namespace tla::runtime {

/// Invariants: a class's number is its place in list(), for the length of the run; a slot that names a class has its
/// number. The generating thread's.
class ClassNumbers {
public:
  std::uint16_t operator[](const TaskClass &taskClass) {
    const auto address = reinterpret_cast<std::uintptr_t>(&taskClass);
    Slot &slot = slots_[(address >> 4 ^ address >> 10) % std::size(slots_)];
    if (slot.taskClass != &taskClass)
      slot = {&taskClass, find(taskClass)};
    return slot.number;
  }
  const std::vector<const TaskClass *> &list() const { return list_; }

private:
  struct Slot {
    const TaskClass *taskClass = nullptr;
    std::uint16_t number = 0;
  };
  std::uint16_t find(const TaskClass &taskClass) {
    auto place = std::find(list_.begin(), list_.end(), &taskClass);
    if (place == list_.end())
      place = list_.insert(place, &taskClass);
    return static_cast<std::uint16_t>(place - list_.begin());
  }

  std::vector<const TaskClass *> list_;
  Slot slots_[64]; // by address: the search is for the first time
};

} // namespace tla::runtime
