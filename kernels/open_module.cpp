#include "kernels/open_module.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <stdexcept>
#include <vector>

namespace fs = std::filesystem;

namespace tla {

namespace {
/// The folder of the executable or library that this code is linked into; empty when it cannot be told.
fs::path ownFolder() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<const void *>(&openModule), &info) || !info.dli_fname)
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

bool hasSanitizer() {
  for (const char *const name : {"__asan_init", "__tsan_init", "__msan_init", "__hwasan_init"})
    if (dlsym(RTLD_DEFAULT, name))
      return true;
  return false;
}

} // namespace

void *openOwnLibrary(const char *path) {
  int mode = RTLD_NOW | RTLD_LOCAL;
#ifdef RTLD_DEEPBIND
  if (!hasSanitizer())
    mode |= RTLD_DEEPBIND;
#endif
  return dlopen(path, mode);
}

void *openModule(const std::string &fileName, const std::string &advice,
                 const std::function<void *(const char *path)> &open) {
  std::string looked;
  for (const fs::path &folder : searchFolders()) {
    looked += folder.string() + ", ";
    const fs::path file = folder / fileName;
    std::error_code ignored;
    if (!fs::exists(file, ignored))
      continue;
    if (void *handle = open(file.c_str()))
      return handle;
    throw std::runtime_error(dlerror());
  }
  if (void *handle = open(fileName.c_str()))
    return handle;
  const std::string reason = dlerror();
  throw std::runtime_error(reason + " (looked in " + looked + "then where the dynamic linker looks); " + advice +
                           ", and HETC_LIB_DIR can name its folder");
}

} // namespace tla
