// Finds the modules that come with hetc: shared libraries that are loaded when they are wanted, and may be missing.
#pragma once

#include <functional>
#include <string>

namespace tla {

/// dlopen() of a library of ours that computes: it and the libraries that come with it find their functions in each
/// other first (RTLD_DEEPBIND), not in the host. A host may have another BLAS in its global scope, as Python has with
/// sys.setdlopenflags(RTLD_GLOBAL), whose openblas_set_num_threads or internal tables would else be bound to half of
/// ours. Not for what has to be the host's own: its MPI.
///
/// The alternatives do less or cost more: functions taken by dlsym() would be ours, but not those that OpenBLAS calls
/// in itself; a namespace of its own (dlmopen) has a second C library, with another malloc and other thread-local
/// storage.
///
/// With a sanitizer in the process the flag is left out, which its runtime refuses: it has to be in front of libc.
void *openOwnLibrary(const char *path);

/// The handle of `fileName`, for the life of the process. Searched in $HETC_LIB_DIR, beside the executable or library
/// that holds this function, in its ../lib, and where the dynamic linker looks. `open` is dlopen, with what has to hold
/// meanwhile. Throws std::runtime_error that says where it looked, and `advice`: how to come by the module.
void *openModule(const std::string &fileName, const std::string &advice,
                 const std::function<void *(const char *path)> &open);

} // namespace tla
