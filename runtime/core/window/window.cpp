#include "runtime/core/window/window.hpp"

#include <algorithm>

namespace tla::runtime {

Task *Window::takeTask() {
  if (!freeTasks_)
    freeTasks_ = returnedTasks_.takeAll();
  if (freeTasks_)
    return popFree(freeTasks_);
  if (tasks_.used() == limit_)
    return nullptr;
  if (tasks_.full())
    tasks_.grow();
  if (tasks_.used() == reserved_) {
    const std::size_t more = std::min(limit_, std::max<std::size_t>(64, 2 * reserved_));
    reserve_(more);
    reserved_ = more;
  }
  return tasks_.next();
}

Version *Window::newVersion() {
  if (versions_.full())
    versions_.grow();
  return versions_.next();
}

template <typename T> static void splice(T *&list, Chain<T> &chain) {
  if (!chain.head)
    return;
  chain.tail->link = list;
  list = chain.head;
  chain = {};
}

void Window::giveBack(Chain<Task> &tasks, Chain<Version> &versions) {
  splice(freeTasks_, tasks);
  splice(freeVersions_, versions);
}

bool Window::returnFrom(Chain<Task> &tasks, Chain<Version> &versions) {
  if (versions.head)
    returnedVersions_.push(versions);
  const int count = tasks.count;
  if (count)
    returnedTasks_.push(tasks);
  tasks = {};
  versions = {};
  if (!count)
    return false;
  // Last: once the generating thread has counted all tasks the run may be over and its data reset.
  const std::size_t returned = returned_.fetch_add(count, std::memory_order_seq_cst) + count;
  if (returned < wanted_.load(std::memory_order_seq_cst))
    return false;
  wake_();
  return true;
}

void Window::reset() {
  freeTasks_ = nullptr;
  freeVersions_ = nullptr;
  returnedTasks_.takeAll();
  returnedVersions_.takeAll();
  tasks_.reset();
  versions_.reset();
  sweepAt_ = limit_;
  returned_.store(0, std::memory_order_relaxed);
}

} // namespace tla::runtime
