// 'hetc sim': a run on a cluster that is known as numbers, in its time.
#pragma once

#include <tla/runtime/algorithm.hpp>

namespace tla::host {

/// Whether the command line asks for it: its first word is "sim".
bool asksForSimulation(int argc, const char *const *argv);

/// PROGRAM sim ...: the report, or one line on standard error. Returns the exit code, as runProgram(). Never throws; a
/// signal ends it.
int runSimulation(const runtime::Algorithm &algorithm, int argc, const char *const *argv);

} // namespace tla::host
