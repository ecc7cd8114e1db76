// The flops of a task that nobody runs.
#pragma once

#include "runtime/core/window/task.hpp"

#include <memory>
#include <vector>

namespace tla::runtime {

/// Shows TaskClass::flops a task whose tiles have sizes and no content.
class FlopCount {
public:
  /// Must outlive the calls of of().
  void setParameters(const void *parameters) { task_->parameters = parameters; }
  double of(const TaskCall &call);
  /// The task with its tiles' sizes. Lasts until the next call.
  TaskView view(const TaskCall &call);

private:
  void grow(int accessCount);

  std::unique_ptr<Task> task_ = std::make_unique<Task>();
  std::unique_ptr<NodeBlock[]> overflow_;
  std::vector<int> indices_;            // beyond Task::inlineIndices
  std::unique_ptr<Version[]> versions_; // one for each access
  int capacity_ = 0;                    // accesses
};

} // namespace tla::runtime
