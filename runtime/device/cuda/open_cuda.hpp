// The way to the CUDA back-end, which is a module: a program that uses it runs on machines without a driver, too.
#pragma once

#include "runtime/device/accelerator.hpp"
#include "runtime/device/cuda/cuda_options.hpp"

#include <memory>
#include <string>
#include <vector>

namespace tla::runtime {

/// The accelerators, in the order of options.devices. Throws tla::Error that says what is missing: the module (and
/// which option of CMake builds it), CUDA's libraries, the driver, a device.
std::vector<std::unique_ptr<Accelerator>> openCuda(const CudaOptions &options);

/// The driver's names of the devices, the same in all processes. Throws as openCuda().
std::vector<std::string> cudaIdentities(const CudaOptions &options);

/// Whether this machine has the library of a driver.
bool hasCudaDriver();

} // namespace tla::runtime
