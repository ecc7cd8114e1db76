#include "runtime/predict/clock/virtual_cluster.hpp"

#include <tla/runtime/error.hpp>

#include <utility>

namespace tla::runtime {

void VirtualCluster::run(int nodes, const std::function<void(int)> &node) {
  running_ = nodes;
  stuck_ = false;
  waiting_.assign(nodes, nullptr);
  for (int number = 0; number < nodes; ++number)
    nodes_.push_back(std::make_unique<Coroutine>([&node, number] { node(number); }));
  for (int number = 0; number < nodes; ++number)
    resume(number);
  while (running_ > 0) {
    const std::vector<int> owners = time_.takeOwners();
    for (const int owner : owners)
      turn(owner);
    if (owners.empty() && !time_.advance() && !goOnWithLittle())
      endAll();
  }
  nodes_.clear();
  if (thrown_)
    std::rethrow_exception(std::exchange(thrown_, nullptr));
}

void VirtualCluster::wait(int owner, Node &node) {
  waiting_[owner] = &node;
  if (!stuck_)
    nodes_[owner]->pause();
  if (stuck_)
    throw Error("in virtual time all nodes wait, and nothing is under way");
}

void VirtualCluster::resume(int number) {
  time_.setOwner(number);
  waiting_[number] = nullptr;
  bool ended = true;
  try {
    ended = nodes_[number]->resume();
  } catch (...) {
    if (!thrown_)
      thrown_ = std::current_exception();
  }
  if (!ended)
    return;
  nodes_[number].reset();
  --running_;
}

void VirtualCluster::turn(int number) {
  Node *const node = waiting_[number];
  if (!node)
    return;
  time_.setOwner(number);
  node->begin();
  if (node->progress() == Progress::Enough)
    resume(number);
}

bool VirtualCluster::goOnWithLittle() {
  bool any = false;
  for (int number = 0; number < static_cast<int>(nodes_.size()); ++number)
    if (waiting_[number] && waiting_[number]->progress() != Progress::None) {
      resume(number);
      any = true;
    }
  return any;
}

void VirtualCluster::endAll() {
  stuck_ = true;
  for (int number = 0; number < static_cast<int>(nodes_.size()); ++number)
    if (nodes_[number])
      resume(number);
}

} // namespace tla::runtime
