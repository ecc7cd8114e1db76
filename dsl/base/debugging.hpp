// The variable by which all that runs and compiles in a process, and in those that it starts, helps to debug kernels.
#pragma once

#include <cstdlib>
#include <string_view>

namespace tla {

/// 'hetc run --debug' sets it, and the callers of hetc in C++, C, Python and MPI programs may: compilers check elements
/// (TLA_CHECKED), executors run one task at a time, and guard its tiles.
inline constexpr char debugVariable[] = "HETC_DEBUG";

/// Whether it is set to anything but 0.
inline bool isDebugging() {
  const char *const value = std::getenv(debugVariable);
  return value && *value && std::string_view(value) != "0";
}

} // namespace tla
