// Another program's standard output.
#pragma once

#include <string>
#include <vector>

namespace hetc::tools {

struct Captured {
  int exitCode = 0; ///< 128 + the signal that ended it
  std::string output;
};

/// Runs a program, whose path is arguments[0], to its end. Its standard error is ours. Throws std::runtime_error when
/// it cannot be started.
Captured capture(const std::vector<std::string> &arguments);

} // namespace hetc::tools
