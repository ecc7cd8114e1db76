#include "runtime/core/flop_count.hpp"

#include <algorithm>

namespace tla::runtime {

double FlopCount::of(const TaskClass &taskClass, const int *indices, int indexCount, const TileAccess *accesses,
                     int accessCount) {
  if (!taskClass.flops)
    return 0;
  if (accessCount > capacity_ || !overflow_)
    grow(accessCount);
  if (const int more = indexCount - Task::inlineIndices; more > static_cast<int>(indices_.size()))
    indices_.resize(more);
  Task &task = *task_;
  task.taskClass = &taskClass;
  task.nodeCount = task.accessCount = accessCount;
  overflow_[0].indices = indices_.data();
  task.setIndices(indices, indexCount);
  for (int i = 0; i < accessCount; ++i) {
    Version &version = versions_[i];
    version.table = accesses[i].matrix;
    version.row = accesses[i].row;
    version.column = accesses[i].column;
  }
  return taskClass.flops(TaskView(task));
}

void FlopCount::grow(int accessCount) {
  capacity_ = std::max(2 * capacity_, accessCount);
  versions_ = std::make_unique<Version[]>(capacity_);
  overflow_ = std::make_unique<NodeBlock[]>(capacity_ / NodeBlock::capacity + 1);
  task_->overflow = overflow_.get();
  for (int i = 0; i < capacity_; ++i)
    task_->node(i).set(&versions_[i], AccessNode::Read);
}

} // namespace tla::runtime
