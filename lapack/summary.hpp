// What HETC_VERBOSE and HETC_LAPACK_REPORT say when the process ends: which LAPACK it had, and what became of its
// calls.
#pragma once

#include <string>
#include <vector>

namespace tla::lapack {

/// Whether anybody wants to know: HETC_VERBOSE=1 or HETC_LAPACK_REPORT=FILE.
bool isSummaryWanted();

/// A call of a routine ("dpotrf") that was computed on tiles, or went on to the next library for a reason.
void countTiled(const std::string &routine);
void countPassedOn(const std::string &routine, const std::string &reason);

/// Libraries that this library has loaded for itself: they are not the program's.
void noteOwnLibraries(const std::vector<std::string> &files);

} // namespace tla::lapack
