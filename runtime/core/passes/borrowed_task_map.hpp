// The task map of a run, for a program whose updates are dealt.
#pragma once

#include <tla/runtime/algorithm.hpp>

#include <utility>
#include <vector>

namespace tla::runtime {

/// While it lives, the matrices that the program writes have the task map, where it deals updates; with none they keep
/// what they have. Nobody writes to the others: executors may share what they only read.
class BorrowedTaskMap {
public:
  BorrowedTaskMap(const Algorithm &algorithm, const Arguments &arguments, const TaskMap *map) {
    for (int i = 0; i < algorithm.matrixCount && algorithm.isDealt && map; ++i)
      if (algorithm.matrices[i].written) {
        before_.emplace_back(arguments.matrices[i], arguments.matrices[i]->taskMap());
        arguments.matrices[i]->setTaskMap(map);
      }
  }
  BorrowedTaskMap(const BorrowedTaskMap &) = delete;
  BorrowedTaskMap &operator=(const BorrowedTaskMap &) = delete;
  ~BorrowedTaskMap() {
    for (const auto &[storage, map] : before_)
      storage->setTaskMap(map);
  }

private:
  std::vector<std::pair<Storage *, const TaskMap *>> before_;
};

} // namespace tla::runtime
