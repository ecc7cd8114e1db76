// One program in a process of its own, so that a crash or a loop without an end is a failure like others.
#pragma once

#include "tests/fuzz/runner.hpp"

#include <string>

namespace fuzz {

struct Trial {
  std::optional<Failure> failure;
  int failedCase = -1; ///< negative: -1 - the variant that was being compiled
  Counts counts;
};

/// Far above what a step takes on a busy machine.
struct Deadlines {
  double compileSeconds = 120, stepSeconds = 40;
};

/// Writes the program to the directory, and compiles and runs it there. Throws Invalid when the program is not right at
/// the sizes of the plan.
Trial tryProgram(const Program &program, const Plan &plan, const std::string &directory, const Deadlines &deadlines);

/// The program's file in that directory.
std::string fileOf(const Program &program, const std::string &directory);

} // namespace fuzz
