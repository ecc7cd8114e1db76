#include "runtime/predict/plan/tiles/part_of_problem.hpp"

#include <algorithm>
#include <cmath>

namespace tla::host {

runtime::Values partOf(const runtime::Values &whole, int nb, double share) {
  const auto cut = [&](long &side) {
    if (side > nb)
      side = std::min(side, std::max(1L, std::lround(static_cast<double>(side) * share / nb)) * nb);
  };
  runtime::Values part = whole;
  cut(part.m);
  cut(part.n);
  cut(part.k);
  return part;
}

double secondsOfWhole(const PartTimes &part) {
  const double work = std::min(part.work, part.seconds);
  return work * part.tasksRatio + (part.seconds - work) * std::pow(1 / part.share, part.panels ? 2 : 1);
}

} // namespace tla::host
