// Devices that a user names, a profile's machine among them.
#pragma once

#include "runtime/device/choice/devices.hpp"
#include "runtime/predict/machine/virtual_node.hpp"

#include <memory>
#include <string>
#include <vector>

namespace tla::runtime {

/// A ProfileReader: reads "profile:..." as parseVirtual().
std::shared_ptr<const VirtualOptions> readProfile(const std::string &text);

/// The properties of a choice's devices, as describeDevices() gives them, and those of a profile's machine.
std::vector<AcceleratorProperties> describeAnyDevices(const DeviceChoice &choice);

} // namespace tla::runtime
