#include "runtime/device/cuda/open_cuda.hpp"

#include "kernels/open_module.hpp"
#include "runtime/device/cuda/module.hpp"

#include <tla/runtime/error.hpp>

#include <dlfcn.h>

namespace tla::runtime {

static OpenCudaFunction loadCuda() {
  void *handle = nullptr;
  try {
    handle = openModule("libtla_cuda.so", "it is built with the CMake option TLA_CUDA=ON (preset cuda)",
                        [](const char *path) { return dlopen(path, RTLD_NOW | RTLD_LOCAL); });
  } catch (const std::runtime_error &error) {
    throw Error(std::string("CUDA devices cannot be used: ") + error.what());
  }
  if (void *entry = dlsym(handle, openCudaEntry))
    return reinterpret_cast<OpenCudaFunction>(entry);
  throw Error(std::string("libtla_cuda.so is of another version of hetc: it has no ") + openCudaEntry);
}

bool hasCudaDriver() {
  void *const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  return driver && dlclose(driver) == 0;
}

std::vector<std::unique_ptr<Accelerator>> openCuda(const CudaOptions &options) {
  std::vector<std::unique_ptr<Accelerator>> accelerators;
  loadCuda()(options, {kernels::setThreadTables}, accelerators);
  return accelerators;
}

} // namespace tla::runtime
