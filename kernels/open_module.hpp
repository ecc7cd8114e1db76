// Finds the modules that come with hetc: shared libraries that are loaded when they are wanted, and may be missing.
#pragma once

#include <functional>
#include <string>

namespace tla {

/// The handle of `fileName`, for the life of the process. Searched in $HETC_LIB_DIR, beside the executable or library
/// that holds this function, in its ../lib, and where the dynamic linker looks. `open` is dlopen, with what has to hold
/// meanwhile. Throws std::runtime_error that says where it looked, and `advice`: how to come by the module.
void *openModule(const std::string &fileName, const std::string &advice,
                 const std::function<void *(const char *path)> &open);

} // namespace tla
