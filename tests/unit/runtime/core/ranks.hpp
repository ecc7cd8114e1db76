// The ranks of one run as threads of a test.
#pragma once

#include "runtime/distribution/distribution.hpp"
#include "tests/support/transport/faulty_transport.hpp"
#include "tests/support/transport/local_network.hpp"

#include <tla/runtime/executor.hpp>

#include <thread>

namespace tla::test {

class Ranks {
public:
  Ranks(int count, runtime::Options options, runtime::LocalNetwork::Options network = {}) : network_(count, network) {
    for (int rank = 0; rank < count; ++rank)
      addRank(network_.endpoint(rank), options);
  }
  /// One for each of the faults, which are its own.
  Ranks(const std::vector<runtime::Faults> &faults, runtime::Options options,
        runtime::LocalNetwork::Options network = {})
      : network_(static_cast<int>(faults.size()), network) {
    for (std::size_t rank = 0; rank < faults.size(); ++rank) {
      faulty_.push_back(
          std::make_unique<runtime::FaultyTransport>(network_.endpoint(static_cast<int>(rank)), faults[rank]));
      addRank(*faulty_.back(), options);
    }
  }
  int count() const { return static_cast<int>(executors_.size()); }
  runtime::LocalNetwork &network() { return network_; }
  runtime::Executor &operator[](int rank) { return *executors_[rank]; }

  /// run(rank, executor) on a thread for each rank.
  template <typename Run> std::vector<runtime::Outcome> run(Run run) {
    std::vector<runtime::Outcome> outcomes(executors_.size());
    std::vector<std::thread> threads;
    for (int rank = 0; rank < count(); ++rank)
      threads.emplace_back([&, rank] { outcomes[rank] = run(rank, *executors_[rank]); });
    for (std::thread &thread : threads)
      thread.join();
    return outcomes;
  }

private:
  void addRank(runtime::Transport &transport, runtime::Options &options) {
    options.transport = &transport;
    options.pin = false;
    executors_.push_back(std::make_unique<runtime::Executor>(options));
  }

  runtime::LocalNetwork network_;
  std::vector<std::unique_ptr<runtime::FaultyTransport>> faulty_;
  std::vector<std::unique_ptr<runtime::Executor>> executors_;
};

} // namespace tla::test
