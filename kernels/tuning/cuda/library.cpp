#include "kernels/tuning/cuda/library.hpp"

#include <cstdlib>
#include <dlfcn.h>

namespace hetc::tuning::cuda {

/// With a slash at the end; the last, empty one is where the linker looks.
static std::vector<std::string> folders(Library::Origin origin) {
  if (origin == Library::Origin::Driver)
    return {""};
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char *home = std::getenv(variable); home && *home)
      return {std::string(home) + "/lib64/"};
  return {"/usr/local/cuda/lib64/", ""};
}

Library::Library(Origin origin, const std::vector<std::string> &names, const std::string &advice)
    : name_(names.front()) {
  std::string reason;
  for (const std::string &folder : folders(origin))
    for (const std::string &name : names) {
      if ((handle_ = dlopen((folder + name).c_str(), RTLD_NOW | RTLD_LOCAL))) {
        name_ = name;
        return;
      }
      if (reason.empty())
        reason = dlerror();
    }
  throw Error(reason + "; " + advice);
}

void *Library::address(const char *name) const {
  if (void *found = dlsym(handle_, name))
    return found;
  throw Error(name_ + " has no " + name + ": it is of another version than hetc knows");
}

} // namespace hetc::tuning::cuda
