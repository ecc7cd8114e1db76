#include "runtime/device/cuda/open_cuda.hpp"

#include "kernels/open_module.hpp"
#include "runtime/device/cuda/module.hpp"

#include <tla/runtime/error.hpp>

#include <dlfcn.h>

namespace tla::runtime {

/// A function of the module.
static void *loadCuda(const char *entry) {
  void *handle = nullptr;
  try {
    handle = openModule("libtla_cuda.so", "it is built with the CMake option TLA_CUDA=ON (preset cuda)",
                        [](const char *path) { return dlopen(path, RTLD_NOW | RTLD_LOCAL); });
  } catch (const std::runtime_error &error) {
    throw Error(std::string("CUDA devices cannot be used: ") + error.what());
  }
  if (void *const function = dlsym(handle, entry))
    return function;
  throw Error(std::string("libtla_cuda.so is of another version of hetc: it has no ") + entry);
}

bool hasCudaDriver() {
  void *const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  return driver && dlclose(driver) == 0;
}

std::vector<std::unique_ptr<Accelerator>> openCuda(const CudaOptions &options) {
  std::vector<std::unique_ptr<Accelerator>> accelerators;
  reinterpret_cast<OpenCudaFunction>(loadCuda(openCudaEntry))(options, {kernels::setThreadTables}, accelerators);
  return accelerators;
}

std::vector<std::string> cudaIdentities(const CudaOptions &options) {
  std::vector<std::string> identities;
  reinterpret_cast<CudaIdentitiesFunction>(loadCuda(cudaIdentitiesEntry))(options, identities);
  return identities;
}

} // namespace tla::runtime
