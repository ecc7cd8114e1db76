#include "tools/gantt/ticks.hpp"

#include <cmath>

namespace hetc::gantt {

std::vector<Time> ticksFor(Time length, int most) {
  double step = std::pow(10, std::floor(std::log10(length / most)));
  for (const double factor : {1, 2, 5, 10, 20})
    if (std::floor(length / (factor * step)) + 1 <= most) {
      step *= factor;
      break;
    }
  std::vector<Time> ticks;
  for (int tick = 0; tick < most && tick * step <= length; ++tick)
    ticks.push_back(tick * step);
  return ticks;
}

} // namespace hetc::gantt
