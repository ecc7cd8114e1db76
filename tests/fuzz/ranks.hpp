// The ranks of a case as threads of this process.
#pragma once

#include "tests/fuzz/configuration.hpp"

#include "runtime/device/choice/devices.hpp"
#include "runtime/interfaces/cost.hpp"
#include "tests/support/transport/local_network.hpp"

#include <tla/runtime/executor.hpp>

#include <functional>
#include <memory>
#include <vector>

namespace fuzz {

/// How the ranks of a case reach each other.
class Network {
public:
  virtual ~Network() = default;
  virtual tla::runtime::Transport &endpoint(int rank) = 0;
  /// Whether a rank stands still, or has done so.
  virtual bool struck() const { return false; }
  /// The rank that does so; -1: none.
  virtual int victim() const { return -1; }
};

/// The one place where the networks of cases are made. `cost`: says when a fault happens. `onAbort`: is called where
/// the processes of ranks would be ended.
using OnAbort = std::function<void(int rank, int exitCode)>;
std::unique_ptr<Network> makeNetwork(const Case &one, const tla::runtime::Cost &cost, OnAbort onAbort = {});

/// The accelerators of each rank, for what is counted before a run.
tla::runtime::CostOptions countedOptions(const Case &one);

/// One rank with its accelerators.
class Node {
public:
  /// A rank; without a transport it is by itself.
  Node(const Case &one, tla::runtime::Transport *transport);

  tla::runtime::Executor &executor() { return *executor_; }

private:
  std::vector<std::unique_ptr<tla::runtime::Accelerator>> accelerators_;
  std::unique_ptr<tla::runtime::Executor> executor_;
};

} // namespace fuzz
