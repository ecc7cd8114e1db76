#include "runtime/predict/rates/noise_measurement.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tla::host {
namespace {

constexpr double stopped = 5e-4, partStopped = 0.5; // more than its neighbours: seconds, and of theirs
constexpr std::size_t leastOfWindow = 20;
constexpr double windowSeconds = 0.05;
constexpr double slower = 0.05;            // than the fast windows of the core
constexpr double fastPart = 0.2;           // of the windows are surely fast
constexpr double normalDeviation = 1.4826; // of normal numbers, in means of their distance from the median

double quantile(std::vector<double> values, double part) {
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

/// Kernels that followed each other for a twentieth of a second.
struct Window {
  std::vector<double> seconds;
  double length = 0, middle = 0;
};

std::vector<Window> windowsOf(const std::vector<TimedKernel> &kernels) {
  std::vector<Window> windows;
  double end = 0;
  for (const TimedKernel &kernel : kernels) {
    if (windows.empty() || (kernel.begin >= end && windows.back().seconds.size() >= leastOfWindow)) {
      windows.emplace_back();
      end = kernel.begin + windowSeconds;
    }
    windows.back().seconds.push_back(kernel.seconds);
    windows.back().length += kernel.seconds;
  }
  for (Window &window : windows)
    window.middle = quantile(window.seconds, 0.5);
  return windows;
}

/// The noise that all cores together have shown.
struct Seen {
  std::vector<double> stops;  // seconds more
  std::vector<double> apart;  // of a kernel from the middle of its window, in parts of that
  std::vector<double> slowBy; // of slow windows
  double seconds = 0, slowSeconds = 0;
  int slowTimes = 0;
};

void look(const std::vector<TimedKernel> &kernels, Seen &seen) {
  const std::vector<Window> windows = windowsOf(kernels);
  std::vector<double> middles;
  for (const Window &window : windows)
    middles.push_back(window.middle);
  const double fast = quantile(middles, fastPart);
  bool slowBefore = false;
  for (const Window &window : windows) {
    for (const double seconds : window.seconds) {
      if (seconds > window.middle + std::max(stopped, partStopped * window.middle))
        seen.stops.push_back(seconds - window.middle);
      else
        seen.apart.push_back(std::abs(seconds / window.middle - 1));
    }
    const bool slow = window.middle > (1 + slower) * fast;
    if (slow) {
      seen.slowBy.push_back(window.middle / fast - 1);
      seen.slowSeconds += window.length;
      seen.slowTimes += slowBefore ? 0 : 1;
    }
    slowBefore = slow;
    seen.seconds += window.length;
  }
}

double meanOf(const std::vector<double> &values) {
  double sum = 0;
  for (const double value : values)
    sum += value;
  return sum / static_cast<double>(values.size());
}

} // namespace

runtime::NoiseFigures noiseOf(const std::vector<std::vector<TimedKernel>> &cores) {
  Seen seen;
  for (const std::vector<TimedKernel> &kernels : cores)
    if (!kernels.empty())
      look(kernels, seen);
  runtime::NoiseFigures figures;
  if (!seen.apart.empty())
    figures.spread = normalDeviation * quantile(seen.apart, 0.5);
  if (seen.slowTimes > 1) {
    figures.slowBy = quantile(seen.slowBy, 0.5);
    figures.slowSeconds = seen.slowSeconds / seen.slowTimes;
    figures.slowEvery = (seen.seconds - seen.slowSeconds) / seen.slowTimes;
  }
  if (seen.stops.size() > 1) {
    // Stops are drawn evenly between two lengths; these have their mean, and the least is one of the shortest.
    figures.leastStop = quantile(seen.stops, 0.1);
    figures.mostStop = std::max(figures.leastStop, 2 * meanOf(seen.stops) - figures.leastStop);
    figures.stopEvery = seen.seconds / static_cast<double>(seen.stops.size());
  }
  return figures;
}

} // namespace tla::host
