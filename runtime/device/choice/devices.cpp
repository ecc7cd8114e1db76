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

DeviceChoice parseDevices(const std::string &text, ProfileReader readProfile) {
  if (text == "none")
    return {};
  if (text == "auto")
    return {{}, CudaOptions{}, nullptr, text};
  if (text.starts_with("emulated:")) {
    const bool differs = text.find("ranks=") != text.npos;
    return {parseEmulated(text, differs ? detectLaunch().rank : 0), {}, nullptr, text};
  }
  if (text.starts_with("cuda"))
    return {{}, parseCuda(text), nullptr, text};
  if (readProfile && text.starts_with("profile:"))
    return {{}, {}, readProfile(text), text};
  throw UsageError("'" + text + "' names no devices; there are auto, none, emulated:N" +
                   (readProfile ? ", cuda:0,1 and profile:NAME" : " and cuda:0,1"));
}

std::vector<int> parseDeviceWeights(const std::string &text) {
  std::vector<int> weights;
  for (const char *next = text.data(), *const end = next + text.size();; ++next) {
    int weight = 0;
    const auto [rest, failure] = std::from_chars(next, end, weight);
    if (failure != std::errc() || weight < 1 || weight > maxWeight || (rest != end && *rest != ':'))
      throw UsageError("'" + text + "' is no list of weights from 1 to " + std::to_string(maxWeight) +
                       "; an example is 10:8:5");
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
