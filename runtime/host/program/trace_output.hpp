// Where --trace goes.
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
  std::string machine; ///< of a run in virtual time; else empty
};

/// Writes the file whole or not at all. Throws tla::Error.
void writeTrace(const std::string &path, const TracedRun &run);

} // namespace tla::host
