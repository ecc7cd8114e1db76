#include "kernels/loader.hpp"

#include "kernels/open_module.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <stdexcept>

namespace tla::kernels {

namespace {
/// Sets an environment variable for the length of a scope.
class ScopedVariable {
public:
  ScopedVariable(const char *name, const char *value) : name_(name) {
    if (const char *old = std::getenv(name)) {
      old_ = old;
      wasSet_ = true;
    }
    setenv(name, value, 1);
  }
  ScopedVariable(const ScopedVariable &) = delete;
  ScopedVariable &operator=(const ScopedVariable &) = delete;
  ~ScopedVariable() {
    if (wasSet_)
      setenv(name_, old_.c_str(), 1);
    else
      unsetenv(name_);
  }

private:
  const char *name_;
  std::string old_;
  bool wasSet_ = false;
};

/// OpenBLAS reads the variable once, when it is loaded, and starts that many threads less one. In a shared process it
/// is also the host's OpenBLAS, and other threads may be reading the environment.
void *openFile(const char *path, Process process) {
  const auto open = [path] { return openOwnLibrary(path); };
  if (process == Process::Shared)
    return open();
  const ScopedVariable one("OPENBLAS_NUM_THREADS", "1");
  return open();
}
} // namespace

InstallFunction loadModule(const std::string &fileName, const std::string &advice, Process process) {
  void *handle = openModule(fileName, advice, [process](const char *path) { return openFile(path, process); });
  if (void *entry = dlsym(handle, moduleEntry))
    return reinterpret_cast<InstallFunction>(entry);
  throw std::runtime_error(fileName + " is of another version of hetc: it has no " + moduleEntry);
}

} // namespace tla::kernels
