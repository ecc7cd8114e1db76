#include "runtime/predict/machine/profile_choice.hpp"

namespace tla::runtime {

std::shared_ptr<const VirtualOptions> readProfile(const std::string &text) {
  return std::make_shared<const VirtualOptions>(parseVirtual(text));
}

std::vector<AcceleratorProperties> describeAnyDevices(const DeviceChoice &choice) {
  return choice.machine ? describeVirtual(*choice.machine) : describeDevices(choice);
}

} // namespace tla::runtime
