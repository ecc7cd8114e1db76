#include "runtime/core/passes/single_task.hpp"

#include "runtime/core/window/task.hpp"

namespace tla::runtime {

SingleTask::SingleTask(const TaskClass &taskClass, std::span<const SingleArgument> arguments)
    : task_(std::make_unique<Task>()), versions_(std::make_unique<Version[]>(arguments.size())) {
  if (arguments.size() > Task::inlineNodes) {
    const std::size_t more = arguments.size() - Task::inlineNodes;
    overflow_ = std::make_unique<NodeBlock[]>((more + NodeBlock::capacity - 1) / NodeBlock::capacity);
    task_->overflow = overflow_.get();
  }
  task_->self = task_.get();
  task_->taskClass = &taskClass;
  task_->nodeCount = task_->accessCount = static_cast<int>(arguments.size());
  for (std::size_t a = 0; a < arguments.size(); ++a) {
    versions_[a].table = arguments[a].table;
    task_->node(static_cast<int>(a)).set(&versions_[a], arguments[a].written ? AccessNode::Write : AccessNode::Read);
  }
}

SingleTask::SingleTask(SingleTask &&) noexcept = default;
SingleTask::~SingleTask() = default;

void SingleTask::setTile(int argument, void *data) { versions_[argument].data = data; }

void SingleTask::run() const { task_->taskClass->run(TaskView(*task_)); }

} // namespace tla::runtime
