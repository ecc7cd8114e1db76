#include "runtime/device/choice/devices.hpp"

#include "runtime/device/cuda/open_cuda.hpp"
#include "runtime/device/emulated/emulated_accelerator.hpp"
#include "runtime/interfaces/launch.hpp"

#include <tla/runtime/error.hpp>

#include <charconv>

namespace tla::runtime {

static constexpr int maxWeight = 10000;

DeviceChoice DeviceChoice::forMeasuring() const {
  DeviceChoice choice = *this;
  for (EmulatedOptions &options : choice.emulated)
    options.failKernel = options.failCopy = options.failAllocation = 0;
  if (choice.cuda)
    choice.cuda->isMost = true;
  return choice;
}

std::optional<DeviceChoice> parseDevices(const std::string &text, std::string &error, ProfileReader readProfile) {
  if (text == "none")
    return DeviceChoice{};
  if (text == "auto")
    return DeviceChoice{{}, CudaOptions{}, nullptr, text};
  if (text.starts_with("emulated:")) {
    const bool differs = text.find("ranks=") != text.npos;
    auto emulated = parseEmulated(text, error, differs ? detectLaunch().rank : 0);
    return emulated ? std::optional(DeviceChoice{std::move(*emulated), {}, nullptr, text}) : std::nullopt;
  }
  if (text.starts_with("cuda")) {
    const auto cuda = parseCuda(text, error);
    return cuda ? std::optional(DeviceChoice{{}, cuda, nullptr, text}) : std::nullopt;
  }
  if (readProfile && text.starts_with("profile:")) {
    auto machine = readProfile(text, error);
    return machine ? std::optional(DeviceChoice{{}, {}, std::move(machine), text}) : std::nullopt;
  }
  error = "'" + text + "' names no devices; there are auto, none, emulated:N" +
          (readProfile ? ", cuda:0,1 and profile:NAME" : " and cuda:0,1");
  return std::nullopt;
}

std::optional<std::vector<int>> parseDeviceWeights(const std::string &text, std::string &error) {
  std::vector<int> weights;
  for (const char *next = text.data(), *const end = next + text.size();; ++next) {
    int weight = 0;
    const auto [rest, failure] = std::from_chars(next, end, weight);
    if (failure != std::errc() || weight < 1 || weight > maxWeight || (rest != end && *rest != ':')) {
      error = "'" + text + "' is no list of weights from 1 to " + std::to_string(maxWeight) + "; an example is 10:8:5";
      return std::nullopt;
    }
    weights.push_back(weight);
    if (rest == end)
      return weights;
    next = rest;
  }
}

/// Without a driver "auto" does not even load the module, and CUDA's libraries with it.
static std::vector<std::unique_ptr<Accelerator>> openCudaOf(const DeviceChoice &choice) {
  if (!choice.cuda || (choice.automatic() && !hasCudaDriver()))
    return {};
  try {
    return openCuda(*choice.cuda);
  } catch (const Error &) {
    if (choice.automatic())
      return {};
    throw;
  }
}

std::vector<std::string> cudaIdentities(const DeviceChoice &choice) {
  if (!choice.cuda || (choice.automatic() && !hasCudaDriver()))
    return {};
  try {
    return cudaIdentities(*choice.cuda);
  } catch (const std::exception &) { // opening them will say so
    return {};
  }
}

std::vector<AcceleratorProperties> describeDevices(const DeviceChoice &choice) {
  std::vector<AcceleratorProperties> properties;
  for (const EmulatedOptions &options : choice.emulated)
    properties.push_back(EmulatedAccelerator::describe(options));
  for (const auto &device : openCudaOf(choice))
    properties.push_back(device->properties());
  return properties;
}

std::vector<std::unique_ptr<Accelerator>> openDevices(const DeviceChoice &choice) {
  std::vector<std::unique_ptr<Accelerator>> devices;
  for (const EmulatedOptions &options : choice.emulated)
    devices.push_back(std::make_unique<EmulatedAccelerator>(options));
  for (auto &device : openCudaOf(choice))
    devices.push_back(std::move(device));
  return devices;
}

} // namespace tla::runtime
