#include "kernels/loader.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <stdexcept>
#include <vector>

namespace fs = std::filesystem;

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

/// The folder of the executable or library that this code is linked into; empty when it cannot be told.
fs::path ownFolder() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<const void *>(&loadModule), &info) || !info.dli_fname)
    return {};
  // For the main program the linker knows only argv[0], which has no folder when the shell searched PATH.
  fs::path file = info.dli_fname;
  if (!file.has_parent_path())
    file = "/proc/self/exe";
  std::error_code ignored;
  return fs::canonical(file, ignored).parent_path();
}

std::vector<fs::path> searchFolders() {
  std::vector<fs::path> folders;
  if (const char *named = std::getenv("HETC_LIB_DIR"); named && *named)
    folders.push_back(named);
  if (const fs::path own = ownFolder(); !own.empty()) {
    folders.push_back(own);
    folders.push_back((own / "../lib").lexically_normal());
  }
  return folders;
}

/// OpenBLAS reads the variable once, when it is loaded, and starts that many threads less one. In a shared process it is
/// also the host's OpenBLAS, and other threads may be reading the environment.
void *openFile(const char *path, Process process) {
  const auto open = [path] { return dlopen(path, RTLD_NOW | RTLD_LOCAL); };
  if (process == Process::Shared)
    return open();
  const ScopedVariable one("OPENBLAS_NUM_THREADS", "1");
  return open();
}

/// The handle is kept for the life of the process: the tables point into the module.
void *open(const std::string &fileName, Process process) {
  std::string looked;
  for (const fs::path &folder : searchFolders()) {
    looked += folder.string() + ", ";
    const fs::path file = folder / fileName;
    std::error_code ignored;
    if (!fs::exists(file, ignored))
      continue;
    if (void *handle = openFile(file.c_str(), process))
      return handle;
    throw std::runtime_error(dlerror());
  }
  if (void *handle = openFile(fileName.c_str(), process))
    return handle;
  const std::string reason = dlerror();
  throw std::runtime_error(reason + " (looked in " + looked +
                           "then where the dynamic linker looks); it is built when "
                           "libopenblas-pthread-dev is installed, and HETC_LIB_DIR can name its folder");
}
} // namespace

InstallFunction loadModule(const std::string &fileName, Process process) {
  void *handle = open(fileName, process);
  if (void *entry = dlsym(handle, moduleEntry))
    return reinterpret_cast<InstallFunction>(entry);
  throw std::runtime_error(fileName + " is of another version of hetc: it has no " + moduleEntry);
}

} // namespace tla::kernels
