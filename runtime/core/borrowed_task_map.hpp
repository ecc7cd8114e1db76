// The task map of a run, for a program whose updates are dealt.
#pragma once

#include <tla/runtime/algorithm.hpp>

namespace tla::runtime {

/// While it lives, the matrices have the task map, where the program deals updates; with none they keep what they have.
/// One run at a time has a matrix that it writes.
class BorrowedTaskMap {
public:
  BorrowedTaskMap(const Algorithm &algorithm, const Arguments &arguments, const TaskMap *map)
      : arguments_(arguments), count_(algorithm.isDealt && map ? algorithm.matrixCount : 0) {
    set(map);
  }
  BorrowedTaskMap(const BorrowedTaskMap &) = delete;
  BorrowedTaskMap &operator=(const BorrowedTaskMap &) = delete;
  ~BorrowedTaskMap() { set(nullptr); }

private:
  void set(const TaskMap *map) const {
    for (int i = 0; i < count_; ++i)
      arguments_.matrices[i]->setTaskMap(map);
  }

  const Arguments &arguments_;
  const int count_;
};

} // namespace tla::runtime
