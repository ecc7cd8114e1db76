// The accelerators that a choice names, outside of a run.
#pragma once

#include "runtime/predict/machine/profile_choice.hpp"

#include <string>
#include <vector>

namespace tla::host {

/// Throws UsageError for what whyNoDevices() refuses.
runtime::DeviceChoice namedDevices(const std::string &choice);

/// plannedThreads() beside them.
int threadsBeside(const runtime::DeviceChoice &choice, const std::vector<runtime::AcceleratorProperties> &devices);

} // namespace tla::host
