#include "runtime/predict/rates/rate_measurement.hpp"

#include "runtime/predict/rates/probe_task.hpp"
#include "runtime/predict/rates/probe_tiles.hpp"
#include "runtime/predict/rates/stop_watch.hpp"

#include <tla/kernels/traits.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace tla::host {
namespace {
constexpr std::size_t coldBytes = std::size_t(8) << 20; // more than a core's own cache has

/// A probe with tiles of its own, to be run on the calling thread.
class CoreProbe {
public:
  CoreProbe(ElementType type, const RateProbe &probe, int nb)
      : shape_(probe, nb, elementBytes(type)), running_(taskOf(shape_)) {
    for (int tile = 0; tile < probe.tiles; ++tile) {
      tiles_.emplace_back(type, shape_.table(tile).storage(), probeElement);
      running_.setTile(tile, tiles_.back().data());
    }
    seconds(); // into the caches
  }
  /// Moves the task's outputs out of the core's own cache, as in a run, in which a tile was last written by another
  /// core or long ago; tiles that are only read stay, as other tasks have read them.
  void coolOutputs(std::vector<double> &other) {
    for (double &number : other)
      number += 1;
    double sum = 0;
    for (int tile = shape_.probe().outputs; tile < shape_.probe().tiles; ++tile) {
      const auto *const first = static_cast<const char *>(tiles_[tile].data());
      for (std::size_t at = 0; at < shape_.bytes(tile); at += 64)
        sum += first[at];
    }
    other[0] += sum;
  }
  double seconds() {
    const Clock::time_point begin = Clock::now();
    running_.run();
    return secondsSince(begin);
  }

private:
  ProbeShape shape_;
  runtime::SingleTask running_;
  std::vector<HostTile> tiles_;
};

/// The middle of several times, as many as there is time for.
template <typename Seconds> double middleSeconds(double time, Seconds &&seconds) {
  const Clock::time_point begin = Clock::now();
  std::vector<double> all;
  while (all.size() < leastRounds || (all.size() < mostRounds && secondsSince(begin) < time))
    all.push_back(seconds());
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  return *middle;
}

double secondsOnCore(const RateTask &task, const RateProbe &probe, int nb, double time) {
  CoreProbe running(task.type, probe, nb);
  if (!task.asInARun)
    return *leastSeconds(time, [&] { return std::optional(running.seconds()); });
  std::vector<double> other(coldBytes / sizeof(double));
  return middleSeconds(time, [&] {
    running.coolOutputs(other);
    return running.seconds();
  });
}

} // namespace

UnitRates measureCore(const RateTask &task) {
  UnitRates rates;
  measureKernels(task, rates, [&](const RateProbe &probe, int nb, double time) {
    const double seconds = secondsOnCore(task, probe, nb, time);
    return std::optional(TaskSeconds{seconds, seconds});
  });
  return rates;
}

void measureCorePanels(const RateTask &task, UnitRates &rates) {
  const double time = task.seconds / 4;
  for (const RateProbe &probe : corePanelProbesOf(task.type)) {
    double last = 0;
    for (const auto &[nb, tile] : rates.seconds[kernels::productKernel]) {
      if ((UnitRates::tallPanel * tile > time || last > time) && nb != task.nb)
        continue;
      if (task.checkpoint)
        task.checkpoint();
      rates.tall[probe.taskClass.kernel][nb] = last = secondsOnCore(task, probe, nb, time);
    }
  }
}

std::vector<TimedKernel> watchCore(const RateTask &task, Clock::time_point begin) {
  constexpr double checkEvery = 0.1; // seconds
  const std::vector<RateProbe> probes = probesOf(task.type, {task.kernels.front()});
  CoreProbe running(task.type, probes.front(), task.nb);
  std::vector<TimedKernel> times;
  double checked = 0;
  for (const Clock::time_point own = Clock::now(); secondsSince(own) < task.seconds;) {
    const double since = secondsSince(begin);
    times.push_back({since, running.seconds()});
    if (task.checkpoint && since - checked > checkEvery) {
      task.checkpoint();
      checked = since;
    }
  }
  return times;
}

} // namespace tla::host
