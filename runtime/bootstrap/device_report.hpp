// What 'hetc doctor' says of accelerators.
#pragma once

#include "runtime/device/devices.hpp"

#include <string>
#include <utility>
#include <vector>

namespace tla::bootstrap {

/// Lines of a name, empty where the line above goes on, and a text: whether CUDA devices can be used, or why not; the
/// devices of the choice with memory and libraries; where measured rates are kept, and those of gemm in double; the
/// cuts that trials have found; the weights and the cut ([Song12] 3.2) that these give. Measures what is missing for
/// the last; no kernel may be running.
std::vector<std::pair<std::string, std::string>> deviceReport(const runtime::DeviceChoice &choice);

} // namespace tla::bootstrap
