#include "runtime/core/passes/flop_count.hpp"

#include "runtime/core/window/main_access.hpp"

#include <algorithm>

namespace tla::runtime {

double FlopCount::of(const TaskCall &call) { return call.taskClass.flops ? call.taskClass.flops(view(call)) : 0; }

TaskView FlopCount::view(const TaskCall &call) {
  if (call.accessCount > capacity_ || !overflow_)
    grow(call.accessCount);
  if (const int more = call.indexCount - Task::inlineIndices; more > static_cast<int>(indices_.size()))
    indices_.resize(more);
  Task &task = *task_;
  task.taskClass = &call.taskClass;
  task.nodeCount = task.accessCount = call.accessCount;
  overflow_[0].indices = indices_.data();
  task.setIndices(call.indices, call.indexCount);
  for (int i = 0; i < call.accessCount; ++i) {
    Version &version = versions_[i];
    version.table = call.accesses[i].matrix;
    version.row = call.accesses[i].row;
    version.column = call.accesses[i].column;
    task.node(i).set(&version, writes(call.accesses[i]) ? AccessNode::Write : AccessNode::Read);
  }
  return TaskView(task);
}

void FlopCount::grow(int accessCount) {
  capacity_ = std::max(2 * capacity_, accessCount);
  versions_ = std::make_unique<Version[]>(capacity_);
  overflow_ = std::make_unique<NodeBlock[]>(capacity_ / NodeBlock::capacity + 1);
  task_->overflow = overflow_.get();
}

} // namespace tla::runtime
