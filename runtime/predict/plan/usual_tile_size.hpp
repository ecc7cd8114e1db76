// The tile size that a run would have without --nb.
#pragma once

#include "runtime/host/problem/problem.hpp"
#include "runtime/host/problem/settings.hpp"

#include <string>

namespace tla::host {

/// The tile size that a search has found for such a run of these host kernels (hostKernelsText()), else the one with
/// which it would begin; 0: there is nothing to cut. On `threads` cores of each of so many ranks without accelerators.
/// Measures nothing.
int usualTileSize(const Problem &problem, const Settings &settings, int threads, int ranks, const std::string &kernels);

} // namespace tla::host
