#include "runtime/bootstrap/cut_choice.hpp"

#include <algorithm>
#include <cmath>

namespace tla::bootstrap {
namespace {

constexpr int step = 8; // of widths
constexpr double nearlyBest = 0.9;
constexpr int mostTrials = 8, refinements = 4;

/// In a unit that cancels out: tiles of 1 x 1 a second.
double rate(const UnitRates &unit, const std::string &kernel, int nb) {
  const auto seconds = unit.secondsOf(kernel, nb);
  return seconds ? std::pow(nb, 3) / *seconds : 0;
}

/// The narrowest square tile, at most nb wide, at which a core is nearly as fast as on any.
int widthForCore(const UnitRates &core, const std::string &kernel, int nb) {
  double best = 0;
  for (int width = step; width <= nb; width += step)
    best = std::max(best, rate(core, kernel, width));
  int width = step;
  while (width + step <= nb && rate(core, kernel, width) < nearlyBest * best)
    width += step;
  return width;
}

int rounded(double width, int slices, int nb) {
  const int most = (nb - 1) / std::max(1, slices - 1) / step * step; // something is left for the accelerator
  return std::clamp(static_cast<int>(std::lround(width / step)) * step, std::min(step, most), most);
}

} // namespace

CutChoice cutFor(const NodeRates &rates, const std::string &kernel, int cores, int nb) {
  double accelerators = 0;
  for (const UnitRates &accelerator : rates.accelerators)
    accelerators += rate(accelerator, kernel, nb);
  if (!(accelerators > 0) || cores < 1 || !rates.core.secondsOf(kernel, nb))
    return {};
  const int preferred = widthForCore(rates.core, kernel, nb);
  int width = preferred, slices = 1;
  for (int i = 0; i < refinements; ++i) {
    const double host = cores * rate(rates.core, kernel, width);
    const double hostColumns = nb * host / (host + accelerators);
    slices = 1 + std::clamp(static_cast<int>(std::lround(hostColumns / preferred)), 1, mostSlices - 1);
    width = rounded(hostColumns / (slices - 1), slices, nb);
    if (hostColumns < step || width < step)
      return {};
  }
  return {slices, width};
}

CutChoice searchCut(const CutChoice &start, int nb, const std::function<std::optional<CutTrial>(CutChoice)> &trial) {
  if (start.slices < 2)
    return start;
  CutChoice best = start;
  double least = INFINITY;
  int low = 0, high = rounded(nb, start.slices, nb) + step; // too narrow, too wide
  for (int trials = 0, width = start.width; trials < mostTrials && low < width && width < high; ++trials) {
    const CutChoice choice{start.slices, width};
    const std::optional<CutTrial> took = trial(choice);
    if (!took)
      break;
    if (const double difference = std::abs(took->host - took->accelerators); difference < least) {
      least = difference;
      best = choice;
    }
    (took->host < took->accelerators ? low : high) = width;
    width = (low + high) / 2 / step * step;
  }
  return best;
}

} // namespace tla::bootstrap
