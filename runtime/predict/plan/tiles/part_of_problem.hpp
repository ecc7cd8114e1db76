// A smaller problem of the same shape, which is simulated where the whole has too many tasks.
#pragma once

#include <tla/runtime/algorithm.hpp>

namespace tla::host {

/// The sizes of a problem with the `share` of each side, 0 < share <= 1, in whole tiles of nb and one at least. Sides
/// of no more than a tile stay as they are, so that a tall matrix loses rows alone.
runtime::Values partOf(const runtime::Values &whole, int nb, double share);

/// The times that a part of a problem told.
struct PartTimes {
  double seconds = 0;    ///< the time of the part on all workers
  double work = 0;       ///< the time in which all workers would compute it: the sum of all tasks' over the workers
  double share = 1;      ///< the part of each side of the whole
  double tasksRatio = 1; ///< the whole's tasks for each of the part's
  bool panels = false;   ///< whether one task takes a column of tiles at a time
};

/// The seconds of the whole problem. The work grows as the tasks do; what else there is, in which workers wait for the
/// longest chain of tasks, with the number of its links, which is that of the tile columns, and where a link is a
/// column of tiles with its length as well. With a share of 1: `seconds`.
double secondsOfWhole(const PartTimes &part);

} // namespace tla::host
