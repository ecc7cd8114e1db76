#include "lapack/next_library.hpp"

#include <dlfcn.h>
#include <link.h>
#include <vector>

namespace tla::lapack {
namespace {

/// Where the object that holds `address` is loaded.
const void *objectOf(const void *address) {
  Dl_info info{};
  return dladdr(address, &info) ? info.dli_fbase : nullptr;
}

bool isOurs(const void *address) {
  return objectOf(address) == objectOf(reinterpret_cast<const void *>(&nextFunction));
}

/// The file names of all loaded objects, in the order they were loaded.
std::vector<std::string> loadedObjects() {
  std::vector<std::string> names;
  dl_iterate_phdr(
      [](dl_phdr_info *info, std::size_t, void *list) {
        if (info->dlpi_name && *info->dlpi_name)
          static_cast<std::vector<std::string> *>(list)->push_back(info->dlpi_name);
        return 0;
      },
      &names);
  return names;
}

/// The handle of an object in which something was found is kept: the function must not go away.
void *lookIn(const char *object, int mode, const char *symbol) {
  void *const handle = dlopen(object, RTLD_LAZY | mode);
  if (!handle)
    return nullptr;
  if (void *const found = dlsym(handle, symbol); found && !isOurs(found))
    return found;
  dlclose(handle);
  return nullptr;
}

} // namespace

void *nextFunction(const char *symbol) {
  if (void *const found = dlsym(RTLD_NEXT, symbol))
    return found;
  for (const std::string &object : loadedObjects())
    if (void *const found = lookIn(object.c_str(), RTLD_NOLOAD, symbol))
      return found;
  for (const char *const library : {"liblapack.so.3", "libopenblas.so.0"})
    if (void *const found = lookIn(library, 0, symbol))
      return found;
  return nullptr;
}

} // namespace tla::lapack
