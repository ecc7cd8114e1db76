#include "runtime/predict/plan/cut_choice.hpp"

#include <algorithm>
#include <cmath>

namespace tla::host {
namespace {

constexpr int step = 8;       // of widths
constexpr int narrowest = 64; // below, there are many tasks and little in each
constexpr double nearlyBest = 0.9;
constexpr int mostTrials = 8, refinements = 4;

/// The rate of a kernel, in a unit that cancels out: tiles of 1 x 1 a second.
double rate(const UnitRates &unit, const std::string &kernel, int nb) {
  const auto seconds = unit.secondsOf(kernel, nb);
  return seconds ? std::pow(nb, 3) / *seconds : 0;
}

/// The narrowest square tile, at most nb wide, at which a core is nearly as fast as on any.
int widthForCore(const UnitRates &core, const std::string &kernel, int nb) {
  double best = 0;
  for (int width = step; width <= nb; width += step)
    best = std::max(best, rate(core, kernel, width));
  int width = std::min(narrowest, std::max(step, nb / step * step));
  while (width + step <= nb && rate(core, kernel, width) < nearlyBest * best)
    width += step;
  return width;
}

/// 0: there is no room. Something is left for the accelerator.
int rounded(double width, int slices, int nb) {
  const int most = (nb - 1) / (slices - 1) / step * step;
  return std::min(std::max(static_cast<int>(std::lround(width / step)), 1) * step, most);
}

double sumOfRates(const std::vector<UnitRates> &units, const std::string &kernel, int nb) {
  double sum = 0;
  for (const UnitRates &unit : units)
    sum += rate(unit, kernel, nb);
  return sum;
}

bool isKnown(const NodeRates &rates, const std::string &kernel, int cores, int nb) {
  return cores > 0 && rates.core.secondsOf(kernel, nb) && sumOfRates(rates.accelerators, kernel, nb) > 0;
}

/// [Song12]'s Bh with slices of that width.
double hostColumns(const NodeRates &rates, const std::string &kernel, int cores, int width, int nb) {
  const double host = cores * rate(rates.core, kernel, width);
  return nb * host / (host + sumOfRates(rates.accelerators, kernel, nb));
}

} // namespace

CutChoice cutFor(const NodeRates &rates, const std::string &kernel, int cores, int nb) {
  if (!isKnown(rates, kernel, cores, nb))
    return {};
  const int preferred = widthForCore(rates.core, kernel, nb);
  const double columns = hostColumns(rates, kernel, cores, preferred, nb);
  const int slices = 1 + std::clamp(static_cast<int>(std::lround(columns / preferred)), 1, mostSlices - 1);
  const int width = columns < step ? 0 : widthFor(rates, kernel, cores, slices, nb);
  return width > 0 ? CutChoice{slices, width} : CutChoice();
}

int widthFor(const NodeRates &rates, const std::string &kernel, int cores, int slices, int nb) {
  if (!isKnown(rates, kernel, cores, nb))
    return 0;
  int width = std::max(step, nb / slices);
  for (int i = 0; i < refinements && width > 0; ++i)
    width = rounded(hostColumns(rates, kernel, cores, width, nb) / (slices - 1), slices, nb);
  return width;
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

} // namespace tla::host
