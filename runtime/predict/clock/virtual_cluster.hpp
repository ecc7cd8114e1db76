// The nodes of a machine in virtual time: each a program of its own, all in one process, one at a time.
#pragma once

#include "runtime/predict/clock/coroutine.hpp"
#include "runtime/virtual/virtual_time.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace tla::runtime {

/// Lets time go on when all nodes wait. A node for which something has come begins what it can; its generating thread
/// goes on when enough of what it waits for has come, or else nothing would happen. All is in the order of time and,
/// at one time, of entry: the same on each run.
class VirtualCluster final : public VirtualTurns {
public:
  explicit VirtualCluster(VirtualTime &time) : time_(time) {}

  /// Calls node(0) .. node(nodes - 1), each on a stack of its own, as far as they get by turns; returns when all have
  /// returned. Throws what the first of them to fail has thrown, and Error when all wait for something that will not
  /// come; before that the others have had the same Error where they wait.
  void run(int nodes, const std::function<void(int)> &node);

  void wait(int owner, Node &node) override;

private:
  void resume(int number);
  void turn(int number);
  bool goOnWithLittle();
  void endAll();

  VirtualTime &time_;
  std::vector<std::unique_ptr<Coroutine>> nodes_; ///< null: has ended
  std::vector<Node *> waiting_;                   ///< null: not in wait()
  int running_ = 0;
  bool stuck_ = false;
  std::exception_ptr thrown_;
};

} // namespace tla::runtime
