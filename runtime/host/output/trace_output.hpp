// Where --trace goes, and as what.
#pragma once

#include "runtime/host/problem/problem.hpp"

#include <tla/runtime/executor.hpp>

#include <string>
#include <vector>

namespace tla::host {

/// A run as it is to be drawn.
struct TracedRun {
  const Problem &problem;
  const std::vector<runtime::Statistics> &ranks;
  double seconds = 0, flops = 0;
  std::string machine; ///< machine of a run in virtual time; else empty
};

/// Before a run: throws UsageError where the file cannot be written, or is to be a picture (.html, .svg) and the
/// program was not started by hetc, which draws those.
void requireTraceOutput(const std::string &path);

/// Writes the file whole or not at all: events as JSON, or by its name the picture that 'hetc trace' makes of them.
/// Throws tla::Error.
void writeTrace(const std::string &path, const TracedRun &run);

} // namespace tla::host
