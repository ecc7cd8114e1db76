// The accelerators that a user asks for: from a text to objects.
#pragma once

#include "runtime/device/accelerator.hpp"
#include "runtime/device/emulated/emulated_options.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tla::runtime {

/// A choice of accelerators, not opened yet.
struct DeviceChoice {
  std::vector<EmulatedOptions> emulated; ///< empty: none
  std::string name = "none";             ///< as it was written

  int count() const { return static_cast<int>(emulated.size()); }
};

/// Reads "auto" (the CUDA devices of this machine if the build has CUDA, else none), "none", "emulated:..." as
/// parseEmulated(), "cuda:0,1". Nothing on a mistake, with one line in `error` that says what is wrong; nor for devices
/// that this build has no back-end for.
std::optional<DeviceChoice> parseDevices(const std::string &text, std::string &error);

/// Reads "10:8:5", one weight from 1 to 10000 for each device.
std::optional<std::vector<int>> parseDeviceWeights(const std::string &text, std::string &error);

/// What the devices will say of themselves; opens nothing.
std::vector<AcceleratorProperties> describeDevices(const DeviceChoice &choice);
/// Throws tla::Error when one cannot be opened.
std::vector<std::unique_ptr<Accelerator>> openDevices(const DeviceChoice &choice);

} // namespace tla::runtime
