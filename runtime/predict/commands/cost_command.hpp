// 'hetc cost' and --fake-rank: counting instead of running.
#pragma once

#include <tla/runtime/algorithm.hpp>

namespace tla::host {

/// Whether the command line asks to count: its first word is "cost", or it has --fake-rank.
bool asksForCost(int argc, const char *const *argv);

/// PROGRAM cost ..., PROGRAM ... --fake-rank R/P: the report, or one line on standard error. Returns the exit code, as
/// runProgram(). Never throws; a signal ends it.
int runCost(const runtime::Algorithm &algorithm, int argc, const char *const *argv);

} // namespace tla::host
