// What libtla_cuda.so exports: two functions.
#pragma once

#include "runtime/device/accelerator.hpp"
#include "runtime/device/cuda/cuda_options.hpp"

#include <tla/kernels/table.hpp>

#include <memory>
#include <string>
#include <vector>

namespace tla::runtime {

/// The functions that the module needs from the program that opened it.
struct CudaHost {
  decltype(&kernels::setThreadTables) setThreadTables;
};

/// Appends to `accelerators`, or throws tla::Error.
using OpenCudaFunction = void (*)(const CudaOptions &options, const CudaHost &host,
                                  std::vector<std::unique_ptr<Accelerator>> &accelerators);

/// The exported C name of that function; the number grows with every change of Accelerator, CudaOptions, CudaHost or of
/// a kernel's signature.
inline constexpr char openCudaEntry[] = "tlaOpenCuda5";

/// Names the options' devices as the driver does, without opening them.
using CudaIdentitiesFunction = void (*)(const CudaOptions &options, std::vector<std::string> &identities);
inline constexpr char cudaIdentitiesEntry[] = "tlaCudaIdentities5";

} // namespace tla::runtime
