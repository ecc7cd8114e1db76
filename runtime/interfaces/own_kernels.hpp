// What this process was told of the kernels that are the program's own.
#pragma once

#include <string>

namespace tla::runtime {

struct OwnKernels {
  std::string march;     ///< processors of the chosen version: "x86-64-v3"; empty: there are no versions
  std::string processor; ///< for kernels made for the processor that compiled them: its name and features
  std::string sources;   ///< for the same kernels: a key that is equal on all processors; empty: the program's is
  std::string computing; ///< names of the kernels that compute and say how much, separated by commas
};
/// Throws UsageError when this processor can run no version.
OwnKernels ownKernels();

} // namespace tla::runtime
