// Tile size and shares for a machine with accelerators, by what a run would take there.
#pragma once

#include "runtime/host/problem/problem.hpp"

#include <functional>
#include <vector>

namespace tla::host {

struct VirtualSearchRequest {
  const Problem &problem;
  int nb = 0;                   ///< not 0: given
  std::vector<int> others = {}; ///< sizes to be tried besides, whatever the larger ones promise
  /// The search is for a run that waits for it: it takes a quarter of the run's time, by the best so far, or twice that
  /// time within 0.2 s. Told by numbers of tasks, so that the answer is the same each time.
  bool brief = false;
  /// Whether the rates give the host whole columns at all. Null: they may.
  std::function<bool(int nb)> hostMay = {};
  /// Seconds of a run on tiles of nb whose whole columns the host computes some of, by the rates, or none of: [Song12]
  /// 3.2's search of B, on a model of the machine.
  std::function<double(int nb, bool hostComputes)> seconds;
  std::function<void()> checkpoint = {}; ///< between runs; may throw Interrupted (parallel.hpp)
};

struct VirtualChoice {
  int nb = 0;
  bool hostComputes = true;
  double seconds = 0; ///< 0: nothing was tried, since even the largest tiles are too many; nb is theirs. Infinite:
                      ///< nothing that was tried can run
};

/// How long a search for a run of so many seconds may take.
double briefSeconds(double run);

/// The tile size, and whether the host takes part in updates, with the least time. Sizes are 128 .. 4096, those that
/// cut the problem into equal parts next to them, and the others; from the largest on, as long as it gets better, and
/// there are not more than some 10^5 tasks.
VirtualChoice searchVirtually(const VirtualSearchRequest &request);

} // namespace tla::host
