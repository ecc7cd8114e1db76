// The main function of a compiled algorithm. Light: every generated program includes it.
#pragma once

namespace tla::runtime {
struct Algorithm;
}

namespace tla::host {

/// Runs the algorithm as the command line asks: makes or reads its matrices, runs, checks, writes, reports.
/// Results go to standard output, warnings and one-line errors ("hetc: ...") to standard error. Never throws.
///
/// Returns the exit code: 0 fine, 1 the check failed, 2 the arguments or input files are at fault, 3 a kernel stopped
/// for numerical reasons (info > 0), 4 the runtime failed, 128 + signal when a signal ended the run (130 for Ctrl-C).
///
/// Environment: HETC_STARTER, set by 'hetc run' (starter.hpp).
int runProgram(const runtime::Algorithm &algorithm, int argc, char **argv);

} // namespace tla::host
