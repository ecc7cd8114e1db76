// What fits into the nodes' memory: windows, tiles and owners that take less, and the largest problem.
#pragma once

#include "runtime/predict/commands/plan_problem.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace tla::host {

struct PlanRequest {
  WantedOwners owners;
  std::vector<int> nodes;
  std::optional<double> memory, nodeHour;
  bool largest = false;     ///< no size is given: the largest n that fits is wanted
  bool windowGiven = false; ///< --window, which is not searched then
  Settings settings;
};

/// Plans the problem on so many nodes. Where a node's memory is known and the problem does not fit with the usual
/// window, a smaller one is looked for, then smaller tiles, unless these are given, and other owners; of a plan that
/// fits nowhere the first is returned. Of PlanRequest::largest the largest n, in whole tiles, to about one in a
/// hundred. Throws UsageError, Error.
PlanRecord planNodes(const runtime::Algorithm &algorithm, const PlanRequest &request, int nodes);

/// The largest size, a multiple of `step`, for which `bytes` is at most `memory`, to about one in a hundred, looked for
/// from `first` on; 0: not even `step` fits. `bytes` grows with the size, as about its square beside `fixed`.
long largestFitting(const std::function<double(long)> &bytes, double memory, double fixed, long first, long step);

} // namespace tla::host
