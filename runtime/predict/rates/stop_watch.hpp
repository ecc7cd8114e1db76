// What measurements on cores and on accelerators have in common.
#pragma once

#include "runtime/predict/rates/rate_measurement.hpp"
#include "runtime/predict/rates/rate_probes.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <vector>

namespace tla::host {

using Clock = std::chrono::steady_clock;

inline constexpr int probeSizes[] = {32, 64, 128, 256, 512, 1024, 2048};
inline constexpr double disturbed = 2;                 // larger tiles are never that much slower for their operations
inline constexpr int leastRounds = 3, mostRounds = 12; // the least time counts: what is above was disturbed

inline double secondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

inline std::vector<int> sizesOf(const RateTask &task) {
  std::vector<int> all(std::begin(probeSizes), std::end(probeSizes));
  if (task.nb > 0 && !std::ranges::binary_search(all, task.nb))
    all.insert(std::ranges::lower_bound(all, task.nb), task.nb);
  return all;
}

/// Seconds of one task among others, and of one that is alone.
struct TaskSeconds {
  double together, alone;
};

/// Fills in the seconds of each kernel, size by size, until one task of the next size would take all the time there is.
/// seconds(probe, nb, time): of one task, or nothing when it cannot be measured, in about that time.
template <typename Seconds> void measureKernels(const RateTask &task, UnitRates &rates, Seconds &&seconds) {
  double time = task.seconds;
  for (const RateProbe &probe : probesOf(task.type, task.kernels)) {
    double last = 0;
    int before = 1;
    for (const int nb : sizesOf(task)) {
      const double growth = std::pow(static_cast<double>(nb) / before, 3); // of operations
      if (growth * last > time && nb != task.nb)
        continue;
      before = nb;
      if (task.checkpoint)
        task.checkpoint();
      const std::optional<TaskSeconds> measured = seconds(probe, nb, time);
      if (!measured || (last > 0 && measured->together > disturbed * growth * last))
        break;
      rates.seconds[probe.taskClass.kernel][nb] = last = measured->together;
      if (measured->alone > last)
        rates.alone[probe.taskClass.kernel][nb] = measured->alone;
    }
    time = task.seconds / 4;
  }
}

/// The least of several times, as many as there is time for. Nothing when one of them is nothing.
template <typename Seconds> std::optional<double> leastSeconds(double time, Seconds &&seconds) {
  const Clock::time_point begin = Clock::now();
  std::optional<double> least;
  for (int round = 0; round < leastRounds || (round < mostRounds && secondsSince(begin) < time); ++round) {
    const std::optional<double> now = seconds();
    if (!now)
      return std::nullopt;
    least = std::min(least.value_or(*now), *now);
  }
  return least;
}

} // namespace tla::host
