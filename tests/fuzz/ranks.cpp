#include "tests/fuzz/ranks.hpp"

#include "tests/support/transport/faulty_transport.hpp"

#include <algorithm>
#include <utility>

namespace fuzz {

namespace rt = tla::runtime;

namespace {

rt::LocalNetwork::Options networkOptions(const Case &one, OnAbort onAbort) {
  return {.delay = std::chrono::microseconds(one.delayMicroseconds),
          .seed = static_cast<unsigned>(one.seed),
          .onAbort = std::move(onAbort)};
}

class QuietNetwork : public Network {
public:
  QuietNetwork(const Case &one, OnAbort onAbort) : network_(one.ranks, networkOptions(one, std::move(onAbort))) {}
  rt::Transport &endpoint(int rank) override { return network_.endpoint(rank); }

private:
  rt::LocalNetwork network_;
};

std::uint64_t messagesOf(const rt::NodeCost &node) { return node.transfers.messages + node.transfers.received; }

/// The rank whose part in the fault is its own; -1: none sends or receives anything.
int victimOf(const Fault &fault, const rt::Cost &cost) {
  std::vector<int> ranks;
  for (std::size_t rank = 0; rank < cost.nodes.size(); ++rank)
    if (messagesOf(cost.nodes[rank]) > 0)
      ranks.push_back(static_cast<int>(rank));
  return ranks.empty() ? -1 : ranks[ranks.size() * static_cast<unsigned>(fault.rankPermille) / 1000];
}

rt::Faults victimsFaults(const Case &one, const rt::NodeCost &node) {
  const Fault &fault = one.fault;
  rt::Faults faults{.seed = static_cast<unsigned>(one.seed), .holdBack = fault.holdBack};
  const std::uint64_t at = messagesOf(node) * static_cast<unsigned>(fault.permille) / 1000;
  faults.slowness = std::chrono::microseconds(fault.slowMicroseconds);
  faults.freezeFor = std::chrono::milliseconds(fault.frozenMilliseconds);
  if (fault.dies)
    faults.dieAt = at;
  else if (fault.frozenMilliseconds > 0)
    faults.freezeAt = at;
  return faults;
}

class FaultyNetwork final : public QuietNetwork {
public:
  FaultyNetwork(const Case &one, const rt::Cost &cost, OnAbort onAbort)
      : QuietNetwork(one, std::move(onAbort)), victim_(victimOf(one.fault, cost)) {
    for (int rank = 0; rank < one.ranks; ++rank) {
      const rt::Faults others{.seed = static_cast<unsigned>(one.seed), .holdBack = one.fault.holdBack};
      faulty_.push_back(std::make_unique<rt::FaultyTransport>(
          QuietNetwork::endpoint(rank), rank == victim_ ? victimsFaults(one, cost.nodes[rank]) : others));
    }
  }
  rt::Transport &endpoint(int rank) override { return *faulty_[rank]; }
  bool struck() const override { return victim_ >= 0 && faulty_[victim_]->struck(); }
  int victim() const override { return victim_; }

private:
  const int victim_;
  std::vector<std::unique_ptr<rt::FaultyTransport>> faulty_;
};

std::vector<std::unique_ptr<rt::Accelerator>> acceleratorsOf(const Case &one) {
  return rt::openDevices(rt::parseDevices(one.devices));
}

} // namespace

std::unique_ptr<Network> makeNetwork(const Case &one, const rt::Cost &cost, OnAbort onAbort) {
  if (one.fault == Fault())
    return std::make_unique<QuietNetwork>(one, std::move(onAbort));
  return std::make_unique<FaultyNetwork>(one, cost, std::move(onAbort));
}

rt::CostOptions countedOptions(const Case &one) {
  rt::CostOptions counted;
  counted.window = one.window;
  counted.deviceGridRows = one.deviceRows;
  counted.resident = one.resident;
  counted.order = one.order;
  for (const auto &accelerator : acceleratorsOf(one)) {
    const rt::AcceleratorProperties &properties = accelerator->properties();
    counted.devices.push_back({properties.name, properties.memoryBytes, properties.granularity});
  }
  return counted;
}

Node::Node(const Case &one, rt::Transport *transport) {
  rt::Options options;
  options.threads = one.threads;
  options.window = one.window;
  options.renameBytes = one.renameBytes;
  options.pin = false;
  options.transport = transport;
  options.watchdogSeconds = one.fault.watchdogSeconds;
  options.fanOut = one.fanOut;
  options.forwardBytes = one.forwardBytes;
  accelerators_ = acceleratorsOf(one);
  for (const auto &accelerator : accelerators_)
    options.accelerators.push_back(accelerator.get());
  executor_ = std::make_unique<rt::Executor>(options);
  if (one.deviceRows > 1 || !one.order.isProgramOrder())
    executor_->share({.weights = {}, .gridRows = one.deviceRows, .order = one.order});
}

} // namespace fuzz
