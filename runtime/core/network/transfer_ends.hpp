// The end of a transfer, and what that sets free.
#pragma once

#include "runtime/core/window/completion.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tla::runtime {

/// Completes the transfers of a rank. Invariant: what a completed transfer leaves behind lies here until passOn(), or
/// takeTransfers(), moves it on; both are called before the network is left to others.
///
/// Guarded by Turns::lock_.
class TransferEnds {
public:
  explicit TransferEnds(NodeTasks &tasks) : tasks_(tasks), completion_(tasks) {}

  /// Each transfer once, also where the run was cut short.
  void complete(Task &transfer);
  void complete(const std::vector<Task *> &transfers);
  /// The run has failed at this transfer, which is still to be completed.
  void fail(const Task &transfer, const std::string &message);

  /// The transfers that became ready since; not empty as long as passOn() is to be called again.
  std::vector<Task *> takeTransfers();
  /// The tasks that became ready since go to their units, the completed transfers back to the window.
  void passOn() { completion_.passOn(); }
  /// How many were completed, over all runs.
  std::uint64_t count() const { return count_; }

private:
  NodeTasks &tasks_;
  Completion completion_;
  std::uint64_t count_ = 0;
};

} // namespace tla::runtime
