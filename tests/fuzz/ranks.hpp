// The ranks of a case as threads of this process.
#pragma once

#include "tests/fuzz/configuration.hpp"

#include "runtime/device/devices.hpp"
#include "runtime/transport/local/local_network.hpp"

#include <tla/runtime/cost.hpp>
#include <tla/runtime/executor.hpp>

#include <memory>
#include <vector>

namespace fuzz {

/// How the ranks of a case reach each other.
class Network {
public:
  virtual ~Network() = default;
  virtual tla::runtime::Transport &endpoint(int rank) = 0;
};

/// The one place where the networks of cases are made.
std::unique_ptr<Network> makeNetwork(const Case &one);

/// One rank with its accelerators.
class Node {
public:
  /// Without a transport: a rank by itself.
  Node(const Case &one, tla::runtime::Transport *transport);

  tla::runtime::Executor &executor() { return *executor_; }
  const tla::runtime::CostOptions &counted() const { return counted_; }

private:
  std::vector<std::unique_ptr<tla::runtime::Accelerator>> accelerators_;
  tla::runtime::CostOptions counted_;
  std::unique_ptr<tla::runtime::Executor> executor_;
};

} // namespace fuzz
