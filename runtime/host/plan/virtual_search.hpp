// Tile size and shares for a machine with accelerators, by what a run would take there.
#pragma once

#include "runtime/host/problem/problem.hpp"

#include <functional>

namespace tla::host {

struct VirtualSearchRequest {
  const Problem &problem;
  int nb = 0; ///< not 0: given
  /// Seconds of a run on tiles of nb whose whole columns the host computes some of, by the rates, or none of: [Song12]
  /// 3.2's search of B, on a model of the machine.
  std::function<double(int nb, bool hostComputes)> seconds;
  std::function<void()> checkpoint = {}; ///< between runs; may throw Interrupted (parallel.hpp)
};

struct VirtualChoice {
  int nb = 0;
  bool hostComputes = true;
  double seconds = 0; ///< 0: nothing was tried, since even the largest tiles are too many; nb is theirs
};

/// The tile size, and whether the host takes part in updates, with the least time. Sizes are 128 .. 4096, those that
/// cut the problem into equal parts next to them; from the largest on, as long as it gets better, and there are not
/// more than some 10^5 tasks.
VirtualChoice searchVirtually(const VirtualSearchRequest &request);

} // namespace tla::host
