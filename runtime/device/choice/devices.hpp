// The accelerators that a user asks for: from a text to objects.
#pragma once

#include "runtime/device/accelerator.hpp"
#include "runtime/device/cuda/cuda_options.hpp"
#include "runtime/device/emulated/emulated_options.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tla::runtime {

struct VirtualOptions;

/// Reads "profile:...", a machine that is known as numbers only. Throws UsageError on a mistake. The runtime has none
/// of its own: programs bring it, who can predict a run on such a machine.
using ProfileReader = std::shared_ptr<const VirtualOptions> (*)(const std::string &text);

/// A choice of accelerators, not opened yet.
struct DeviceChoice {
  std::vector<EmulatedOptions> emulated;
  std::optional<CudaOptions> cuda;
  /// The whole machine is of a profile: nothing is computed, time is virtual. Shared, as choices are copied.
  std::shared_ptr<const VirtualOptions> machine;
  std::string name = "none"; ///< the choice as it was written

  /// A copy of the choice to measure how fast the accelerators are: without the faults that tests ask for, and on CUDA
  /// devices with less memory where less is free, as the accelerators of the program itself may have most of it.
  DeviceChoice forMeasuring() const;
  /// All of the machine's CUDA devices if they can be used, else none.
  bool automatic() const { return name == "auto"; }
};

/// Reads "auto", "none", "emulated:..." as parseEmulated(), "cuda:0,1" as parseCuda(), and with a reader for it
/// "profile:...". Throws UsageError on a mistake, which says what is wrong in one line.
DeviceChoice parseDevices(const std::string &text, ProfileReader readProfile = nullptr);

/// Reads "10:8:5", one weight from 1 to 10000 for each device. Throws UsageError on a mistake.
std::vector<int> parseDeviceWeights(const std::string &text);

/// The devices' properties; opens CUDA devices for that, no others. Not for a profile.
std::vector<AcceleratorProperties> describeDevices(const DeviceChoice &choice);
/// The driver's names of the CUDA devices, in this process and in others; empty for all choices that openDevices()
/// refuses, and for others.
std::vector<std::string> cudaIdentities(const DeviceChoice &choice);
/// Opens the devices; not for a profile, whose devices are a VirtualNode's. Throws tla::Error when one cannot be
/// opened. CUDA devices: says what is missing, and which option builds it.
std::vector<std::unique_ptr<Accelerator>> openDevices(const DeviceChoice &choice);

} // namespace tla::runtime
