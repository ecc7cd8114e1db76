// Finds and loads a back-end of the kernels.
#pragma once

#include "kernels/module.hpp"

namespace tla::kernels {

/// Loads `fileName`, searched in $HETC_LIB_DIR, beside the executable or library that holds this function, in its
/// ../lib, and where the dynamic linker looks; returns its entry. OpenBLAS, when this is what brings it into the
/// kernels' own process, starts no threads. Throws std::runtime_error that says where it looked, and `advice`: how to
/// come by the module.
InstallFunction loadModule(const std::string &fileName, const std::string &advice, Process process);

} // namespace tla::kernels
