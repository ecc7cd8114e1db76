// One program, compiled and run in a process of its own.
#pragma once

#include "tests/fuzz/child.hpp"
#include "tests/fuzz/runner.hpp"

#include <string>

namespace fuzz {

/// Writes the program to the directory, and compiles and runs it there. Throws Invalid when the program is not right at
/// the sizes of the plan.
Trial tryProgram(const Program &program, const TrialPlan &plan, const std::string &directory,
                 const Deadlines &deadlines);

/// The program's file in that directory.
std::string fileOf(const Program &program, const std::string &directory);

} // namespace fuzz
