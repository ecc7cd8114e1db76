#include "runtime/predict/network/platform_network.hpp"

#include "kernels/open_module.hpp"

#include <tla/runtime/error.hpp>

#include <dlfcn.h>

namespace tla::runtime {

static void *moduleEntry() {
  try {
    void *const module = openModule("libtla_simgrid.so", "it is built when libsimgrid-dev is installed",
                                    [](const char *path) { return dlopen(path, RTLD_NOW | RTLD_LOCAL); });
    if (void *const entry = dlsym(module, platformNetworkEntry))
      return entry;
    throw std::runtime_error(std::string("it is of another version of hetc, and has no ") + platformNetworkEntry);
  } catch (const std::runtime_error &error) {
    throw Error(std::string("a platform of SimGrid needs its module: ") + error.what());
  }
}

std::unique_ptr<NetworkModel> platformNetwork(VirtualTime &time, const std::string &file, int nodes) {
  const auto make = reinterpret_cast<PlatformNetworkFunction>(moduleEntry());
  return std::unique_ptr<NetworkModel>(make(time, file.c_str(), nodes));
}

} // namespace tla::runtime
