#include "lapack/next_library.hpp"

#include "lapack/loaded_objects.hpp"
#include "lapack/thread_limit.hpp"

#include <cstring>
#include <dlfcn.h>
#include <list>
#include <mutex>

namespace tla::lapack {
namespace {

bool isOurs(const void *address) { return objectAt(address) == objectAt(reinterpret_cast<const void *>(&findNext)); }

/// A function of the object or of what it is linked to. The handle of an object in which something was found is kept:
/// the function must not go away.
void *lookIn(const char *object, int mode, const char *symbol) {
  void *const handle = dlopen(object, RTLD_LAZY | mode);
  if (!handle)
    return nullptr;
  if (void *const found = dlsym(handle, symbol); found && !isOurs(found))
    return found;
  dlclose(handle);
  return nullptr;
}

/// Looks in the libraries to which the caller's own object is linked, without those of the process as a whole. Where
/// this library comes first among them the others are asked one by one.
void *lookInLibrariesOf(Caller caller, const char *symbol) {
  const std::string file = fileOf(caller);
  if (file.empty())
    return nullptr;
  if (void *const found = lookIn(file.c_str(), RTLD_NOLOAD, symbol))
    return found;
  for (const std::string &needed : librariesNeededBy(caller))
    if (void *const found = lookIn(needed.c_str(), RTLD_NOLOAD, symbol))
      return found;
  return nullptr;
}

void *lookEverywhere(const std::string &name, Caller caller) {
  const char *const symbol = name.c_str();
  if (void *const found = dlsym(RTLD_NEXT, symbol))
    return found;
  if (void *const found = lookInLibrariesOf(caller, symbol))
    return found;
  for (const std::string &object : loadedFiles())
    if (void *const found = lookIn(object.c_str(), RTLD_NOLOAD, symbol))
      return found;
  for (const char *const library : {"liblapack.so.3", "libopenblas.so.0"})
    if (void *const found = lookIn(library, 0, symbol))
      return found;
  return nullptr;
}

template <typename Function> Function *functionOf(void *handle, const char *name) {
  return reinterpret_cast<Function *>(dlsym(handle, name));
}

/// The first there is of a function of OpenBLAS, under the names that its builds give it.
template <typename Function> Function *openblasFunction(void *handle, const std::string &name) {
  for (const char *const prefix : {"", "scipy_"})
    for (const char *const suffix : {"", "64_"})
      if (auto *const found = functionOf<Function>(handle, (prefix + name + suffix).c_str()); found)
        return found;
  return nullptr;
}

/// Libraries that have 64-bit integers under the plain names say so in OpenBLAS's configuration, or in their file's
/// name (liblapack64.so.3, libmkl_intel_ilp64.so.2).
bool plainNamesAreIlp64(const std::string &file, void *handle) {
  if (const auto config = functionOf<const char *()>(handle, "openblas_get_config"))
    return std::strstr(config(), "USE64BITINT") != nullptr;
  const std::string name = file.substr(file.rfind('/') + 1);
  return name.find("64.so") != std::string::npos || name.find("ilp64") != std::string::npos;
}

NextLibrary describe(const std::string &file) {
  NextLibrary library{.file = file};
  void *const handle = dlopen(file.empty() ? nullptr : file.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (!handle)
    return library;
  library.plainNamesAreIlp64 = plainNamesAreIlp64(file, handle);
  library.threads = openblasFunction<int()>(handle, "openblas_get_num_threads");
  if (const auto config = openblasFunction<const char *()>(handle, "openblas_get_config"))
    library.threadsOfBuild = threadsOfBuild(config());
  return library; // the handle is kept, as the functions are
}

/// Descriptions stay as long as the process.
const NextLibrary *libraryOf(const void *function) {
  static std::mutex mutex;
  static auto &known = *new std::list<NextLibrary>;
  const std::string file = fileOf(function);
  const std::lock_guard lock(mutex);
  for (const NextLibrary &library : known)
    if (library.file == file)
      return &library;
  return &known.emplace_back(describe(file));
}

} // namespace

NextFunction findNext(const std::string &symbol, Caller caller) {
  void *const found = lookEverywhere(symbol, caller);
  if (!found)
    return {};
  return {reinterpret_cast<void (*)()>(found), libraryOf(found)};
}

const NextFunction &NextOfCallers::of(Caller caller) const {
  const void *const object = objectAt(caller);
  for (const Entry *entry = entries_.load(std::memory_order_acquire); entry; entry = entry->others)
    if (entry->object == object)
      return entry->next;
  // Two threads may both come here; they find the same.
  auto *const entry = new Entry{object, findNext(symbol_, caller), entries_.load(std::memory_order_acquire)};
  while (!entries_.compare_exchange_weak(entry->others, entry, std::memory_order_acq_rel))
    ;
  return entry->next;
}

} // namespace tla::lapack
