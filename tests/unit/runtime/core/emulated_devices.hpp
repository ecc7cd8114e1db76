// The emulated accelerators of one node.
#pragma once

#include "runtime/device/emulated/emulated_accelerator.hpp"

#include <tla/runtime/cost.hpp>

#include <memory>
#include <string>
#include <vector>

namespace tla::test {

class Devices {
public:
  /// As --devices names them; empty: none.
  explicit Devices(const std::string &text) {
    std::string error;
    const auto all =
        text.empty() ? std::vector<runtime::EmulatedOptions>() : runtime::parseEmulated(text, error).value();
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

} // namespace tla::test
