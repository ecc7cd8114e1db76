// CUDA's calls go to the device that is current for the thread.
#pragma once

#include <cuda_runtime_api.h>

namespace tla::runtime {

/// Makes a device that there is current for the length of a scope. The thread may be the caller's, who uses CUDA, too.
/// Says nothing of a lost device: the next call does.
class DeviceScope {
public:
  explicit DeviceScope(int device) : device_(device) {
    cudaGetDevice(&before_);
    if (before_ != device_)
      cudaSetDevice(device_);
  }
  DeviceScope(const DeviceScope &) = delete;
  DeviceScope &operator=(const DeviceScope &) = delete;
  ~DeviceScope() {
    if (before_ != device_)
      cudaSetDevice(before_);
  }

private:
  const int device_;
  int before_ = 0;
};

} // namespace tla::runtime
