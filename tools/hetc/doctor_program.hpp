// hetc doctor --program: which BLAS and LAPACK a program loads, and which of its calls hetc takes.
#pragma once

#include <string>

namespace hetc::tools {

/// Runs the command line in the shell with the drop-in library loaded first and prints what that library saw in each of
/// its processes. What the program prints goes to standard error. Returns hetc's exit code: 0 when the program could be
/// run, whatever it returned.
int reportProgram(const std::string &commandLine, bool json);

} // namespace hetc::tools
