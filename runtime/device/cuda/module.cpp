// The module libtla_cuda.so.
#include "runtime/device/cuda/module.hpp"

#include "runtime/device/cuda/cuda_accelerator.hpp"
#include "runtime/device/cuda/device_part.hpp"

#include <tla/runtime/error.hpp>

#include <cstdlib>
#include <numeric>

namespace tla::runtime {

/// All numbers when none is named. Throws tla::Error.
static std::vector<int> devicesOf(const CudaOptions &options) {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaErrorInsufficientDriver)
    throw Error("CUDA devices cannot be used: there is no driver, or it is older than CUDA " +
                std::to_string(CUDART_VERSION / 1000) + "." + std::to_string(CUDART_VERSION / 10 % 100));
  if (status != cudaSuccess || count == 0)
    throw Error(std::string("CUDA devices cannot be used: ") +
                (status == cudaSuccess ? "there is none" : cudaGetErrorString(status)));
  for (const int device : options.devices)
    if (device >= count)
      throw UsageError("there is no CUDA device " + std::to_string(device) + "; there are " + std::to_string(count));
  if (!options.devices.empty())
    return options.devices;
  std::vector<int> all(count);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// Streams share so many queues of the device, and wait for each other in one: 8, unless the environment says otherwise
/// before the first call. An accelerator has three to four times as many streams, and the small kernels of panels are
/// not to stand behind products.
static void askForQueues() {
  constexpr int keep = 0;
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", keep);
}

} // namespace tla::runtime

extern "C" __attribute__((visibility("default"))) void
tlaOpenCuda5(const tla::runtime::CudaOptions &options, const tla::runtime::CudaHost &host,
             std::vector<std::unique_ptr<tla::runtime::Accelerator>> &accelerators) {
  using namespace tla::runtime;
  std::vector<std::unique_ptr<CudaAccelerator>> opened;
  askForQueues();
  try {
    const DevicePart own = partOf(devicesOf(options), options.part, options.parts);
    for (const int device : own.devices)
      opened.push_back(std::make_unique<CudaAccelerator>(device, CudaMemory::Limit{options.memoryBytes, options.isMost},
                                                         host, own.sharers));
    for (const auto &one : opened)
      for (const auto &other : opened)
        if (one != other)
          one->connect(*other);
  } catch (const tla::kernels::cuda::CudaError &error) {
    throw tla::Error(error.what());
  }
  std::move(opened.begin(), opened.end(), std::back_inserter(accelerators));
}

extern "C" __attribute__((visibility("default"))) void tlaCudaIdentities5(const tla::runtime::CudaOptions &options,
                                                                          std::vector<std::string> &identities) {
  for (const int device : tla::runtime::devicesOf(options)) {
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, device) != cudaSuccess)
      throw tla::Error("CUDA device " + std::to_string(device) + " does not say what it is");
    std::string &identity = identities.emplace_back();
    for (const char byte : properties.uuid.bytes) {
      constexpr char digits[] = "0123456789abcdef";
      identity += digits[static_cast<unsigned char>(byte) >> 4];
      identity += digits[byte & 15];
    }
  }
}
