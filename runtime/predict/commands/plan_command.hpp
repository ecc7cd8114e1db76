// 'hetc plan': how many nodes a problem wants; nothing is run.
#pragma once

#include <tla/runtime/algorithm.hpp>

namespace tla::host {

/// Whether the command line asks for it: its first word is "plan".
bool asksForPlan(int argc, const char *const *argv);

/// PROGRAM plan ...: the report, or one line on standard error. Returns the exit code, as runProgram(). Never throws; a
/// signal ends it.
int runPlanning(const runtime::Algorithm &algorithm, int argc, const char *const *argv);

} // namespace tla::host
