#include "runtime/predict/machine/profile_choice.hpp"

#include <utility>

namespace tla::runtime {

std::shared_ptr<const VirtualOptions> readProfile(const std::string &text, std::string &error) {
  auto machine = parseVirtual(text, error);
  return machine ? std::make_shared<const VirtualOptions>(std::move(*machine)) : nullptr;
}

std::vector<AcceleratorProperties> describeAnyDevices(const DeviceChoice &choice) {
  return choice.machine ? describeVirtual(*choice.machine) : describeDevices(choice);
}

} // namespace tla::runtime
