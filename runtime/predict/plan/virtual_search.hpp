// Tile size and shares for a machine with accelerators, by what a run would take there.
#pragma once

#include "runtime/predict/plan/plan_case.hpp"

namespace tla::host {

struct VirtualChoice {
  int nb = 0;
  bool hostComputes = true;
  double seconds = 0;    ///< best time; 0: nothing was tried. Infinite: nothing that was tried can run
  bool tooLarge = false; ///< nothing was tried, since even the largest tiles are too many; nb is theirs
};

/// How long a search for a run of so many seconds may take.
double briefSeconds(double run);

/// The tile size, and whether the host takes part in updates, with the least time on the case's hardware(): [Song12]
/// 3.2's search of B, on a model of the machine. With `given` > 0 tiles have that size. Sizes are 128 .. 4096, those
/// that cut the problem into equal parts next to them; from the largest on, as long as it gets better, and there are
/// not more than some 10^5 tasks, of the largest 10^6.
///
/// A brief search is for a run that waits for it: it tries the sizes of chooseTiles() besides, whatever the larger ones
/// promise, and takes a quarter of the run's time, by the best so far, or twice that time within 0.2 s. That is told by
/// numbers of tasks, so that the answer is the same each time.
VirtualChoice searchVirtually(const PlanCase &plan, int given, bool brief);

} // namespace tla::host
