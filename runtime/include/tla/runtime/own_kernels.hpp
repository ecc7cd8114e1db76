// What this process was told of the kernels that are the program's own.
#pragma once

#include <string>

namespace tla::runtime {

struct OwnKernels {
  std::string march;     ///< what they are compiled for, of several versions the chosen one: "x86-64-v3"; empty: none
  std::string processor; ///< of kernels for the processor that compiled them: its name and features
  std::string sources;   ///< of these: what is the same on all processors; empty: the program is
  std::string computing; ///< names of those that compute and say how much, separated by commas
};
/// Throws UsageError when this processor can run no version.
OwnKernels ownKernels();

} // namespace tla::runtime
