// A run on a machine that is known as numbers: what a plan is compared by, and what is reported of such a run.
#pragma once

#include "runtime/host/problem/problem.hpp"
#include "runtime/predict/machine/virtual_node.hpp"

#include <tla/runtime/executor.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace tla::host {

/// Makes a signal interrupt the executor's runs for as long as what it returns lives. Null: nothing does.
using Interruptible = std::function<std::shared_ptr<void>(runtime::Executor &)>;

struct VirtualRunRequest {
  const runtime::Algorithm &algorithm;
  const runtime::Values &values;
  const std::vector<runtime::ScalarValue> &scalars;
  int nb = 0;
  Cut cut;
  const runtime::DeviceShares &shares;
  const runtime::VirtualHardware &machine; ///< machine for the algorithm's element type
  int threads = 1;                         ///< computing threads of the host
  int window = runtime::Options{}.window;
  bool trace = false;
  bool resident = false;                       ///< the matrices are, with the devices of each node
  std::optional<std::uint64_t> noiseSeed = {}; ///< seed of the noise, for a cluster with noise
  runtime::NoiseFigures noise = {};
  std::vector<double> slowness = {}; ///< by node: how many times as long its kernels take; empty: 1
  Interruptible interruptible = {};
};

/// Runs the request, and returns its outcome, with times of the machine. Matrices have addresses and no memory. Throws
/// as Executor::run() and DryCall.
runtime::Outcome runVirtually(const VirtualRunRequest &request);

/// Runs on all nodes of a distribution, each such a machine, over that network; returns the outcome of each rank, which
/// is the same except for the statistics. Signals interrupt rank 0, which stops the others.
std::vector<runtime::Outcome> runClusterVirtually(const VirtualRunRequest &request, const Distribution &distribution,
                                                  const runtime::MachineProfile::Network &network);
/// The network of a profile, between so many nodes; one needs none. Throws UsageError where it has none.
runtime::MachineProfile::Network networkOf(const runtime::MachineProfile &profile, int nodes);

} // namespace tla::host
