// The emulated accelerators of one node.
#pragma once

#include "runtime/device/emulated/emulated_accelerator.hpp"

#include "tests/support/transport/local_network.hpp"

#include "runtime/interfaces/cost.hpp"

#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace tla::test {

class Devices {
public:
  /// As --devices names them; empty: none.
  explicit Devices(const std::string &text) {
    const auto all = text.empty() ? std::vector<runtime::EmulatedOptions>() : runtime::parseEmulated(text);
    for (const runtime::EmulatedOptions &one : all)
      devices_.push_back(std::make_unique<runtime::EmulatedAccelerator>(one));
  }
  std::vector<runtime::Accelerator *> list() const {
    std::vector<runtime::Accelerator *> list;
    for (const auto &device : devices_)
      list.push_back(device.get());
    return list;
  }
  std::vector<runtime::DeviceDescription> descriptions() const {
    std::vector<runtime::DeviceDescription> list;
    for (const auto &device : devices_)
      list.push_back({device->properties().name, device->properties().memoryBytes, device->properties().granularity});
    return list;
  }

  /// Nobody holds any memory.
  bool empty() const {
    bool empty = true;
    for (const auto &device : devices_) {
      const std::size_t all =
          device->properties().memoryBytes / device->properties().granularity * device->properties().granularity;
      void *const memory = device->allocate(all);
      empty &= memory != nullptr;
      if (memory)
        device->release(memory, all);
    }
    return empty;
  }

private:
  std::vector<std::unique_ptr<runtime::EmulatedAccelerator>> devices_;
};

/// Ranks in threads of this process, each with such devices, and a share for the host.
class RanksWithDevices {
public:
  RanksWithDevices(int count, const std::string &devices, int window) : network_(count, {}) {
    for (int rank = 0; rank < count; ++rank) {
      devices_.push_back(std::make_unique<Devices>(devices));
      executors_.push_back(std::make_unique<runtime::Executor>(runtime::Options{.threads = 2,
                                                                                .window = window,
                                                                                .pin = false,
                                                                                .transport = &network_.endpoint(rank),
                                                                                .accelerators = devices_[rank]->list(),
                                                                                .hostWeight = 1}));
    }
  }
  runtime::Executor &operator[](int rank) { return *executors_[rank]; }
  std::vector<runtime::DeviceDescription> descriptions() const { return devices_[0]->descriptions(); }

  /// body(rank, executor) on a thread for each rank.
  template <typename Body> void onEach(Body body) {
    std::vector<std::thread> threads;
    for (int rank = 0; rank < static_cast<int>(executors_.size()); ++rank)
      threads.emplace_back([&, rank] { body(rank, *executors_[rank]); });
    for (std::thread &thread : threads)
      thread.join();
  }

private:
  std::vector<std::unique_ptr<Devices>> devices_;
  runtime::LocalNetwork network_;
  std::vector<std::unique_ptr<runtime::Executor>> executors_;
};

} // namespace tla::test
