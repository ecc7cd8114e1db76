#include "runtime/host/rates/rate_measurement.hpp"

#include "runtime/host/rates/probe_task.hpp"
#include "runtime/host/rates/probe_tiles.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace tla::host {
namespace {
using runtime::Accelerator;
using Clock = std::chrono::steady_clock;

constexpr int sizes[] = {32, 64, 128, 256, 512, 1024, 2048};
constexpr double disturbed = 2;                         // larger tiles are never that much slower for their operations
constexpr int leastRounds = 3, mostRounds = 12;         // the least time counts: what is above was disturbed
constexpr std::size_t coldBytes = std::size_t(8) << 20; // more than a core's own cache has
constexpr int smallCopy = 8, largeCopy = 512;           // rows and columns of double

double secondsSince(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

std::vector<int> sizesOf(const RateTask &task) {
  std::vector<int> all(std::begin(sizes), std::end(sizes));
  if (task.nb > 0 && !std::ranges::binary_search(all, task.nb))
    all.insert(std::ranges::lower_bound(all, task.nb), task.nb);
  return all;
}

/// Of one task among others, and of one that is alone.
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
  /// Its outputs leave the core's own cache, as in a run, in which a tile was last written by another core or long ago;
  /// what it only reads stays, as other tasks have read it.
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

/// Tasks of one probe, each with outputs of its own, on an accelerator.
class Stream {
public:
  Stream(Accelerator &accelerator, const RateTask &task, const RateProbe &probe, int nb)
      : accelerator_(accelerator), shape_(probe, nb, elementBytes(task.type)) {
    for (int tile = 0; tile < probe.tiles; ++tile)
      content_.emplace_back(task.type, shape_.table(tile).storage(), probeElement);
  }

  /// So many more tasks. False: no memory, or a copy failed.
  bool grow(int count) {
    const RateProbe &probe = shape_.probe();
    for (int tile = probe.outputs; tile < probe.tiles && tasks_.empty(); ++tile)
      if (!place(tile, inputs_))
        return false;
    for (int t = 0; t < count; ++t) {
      runtime::SingleTask &task = tasks_.emplace_back(taskOf(shape_));
      for (int tile = 0; tile < probe.outputs; ++tile) {
        if (!place(tile, outputs_))
          return false;
        task.setTile(tile, outputs_.back().data());
      }
      for (int tile = probe.outputs; tile < probe.tiles; ++tile)
        task.setTile(tile, inputs_[tile - probe.outputs].data());
    }
    return true;
  }

  /// Seconds of one task when all are done in a stream; nothing: one failed. Tasks may overlap, so their own times may
  /// add up to more than has passed; and what has passed may be more than these when the host is late to look.
  std::optional<double> run() {
    const Clock::time_point begin = Clock::now();
    for (runtime::SingleTask &task : tasks_)
      accelerator_.launch(shape_.probe().taskClass, task.task(), runtime::Standing::Among, &task);
    const Ends ends = finishAll(accelerator_, static_cast<int>(tasks_.size()));
    if (!ends.error.empty())
      return std::nullopt;
    return std::min(ends.seconds, secondsSince(begin)) / static_cast<double>(tasks_.size());
  }

private:
  bool place(int tile, std::vector<AcceleratorTile> &list) {
    const Storage &storage = shape_.table(tile).storage();
    void *const data = list.emplace_back(accelerator_, storage.bytes()).data();
    if (!data)
      return false;
    accelerator_.copyIn(wholeTile(content_[tile].data(), data, storage), nullptr);
    return finishAll(accelerator_, 1).error.empty();
  }

  Accelerator &accelerator_;
  ProbeShape shape_;
  std::vector<HostTile> content_;
  std::vector<AcceleratorTile> inputs_, outputs_;
  std::vector<runtime::SingleTask> tasks_;
};

/// One task alone says how many there is time for. In a stream they take less each where they overlap; where they do
/// not, what one takes alone is the time that is disturbed the least.
std::optional<TaskSeconds> secondsInStream(Accelerator &accelerator, const RateTask &task, const RateProbe &probe,
                                           int nb, double time) {
  if (!accelerator.has(probe.taskClass))
    return std::nullopt;
  Stream stream(accelerator, task, probe, nb);
  if (!stream.grow(1) || !stream.run()) // the first loads what there is to load
    return std::nullopt;
  const auto once = [&] { return stream.run(); };
  const std::optional<double> alone = leastSeconds(time / 2, once);
  if (!alone)
    return std::nullopt;
  const int most = std::max(2, accelerator.properties().kernelsInFlight);
  const int more = std::min(most, static_cast<int>(time / *alone)) - 1;
  if (more < 1 || !stream.grow(more))
    return TaskSeconds{*alone, *alone};
  const std::optional<double> together = leastSeconds(time / 2, once);
  return together ? std::optional(TaskSeconds{std::min(*alone, *together), *alone}) : std::nullopt;
}

/// Of whole panels, one at a time, where the accelerator computes with processors of its own.
void measurePanels(Accelerator &accelerator, const RateTask &task, UnitRates &rates) {
  const double time = task.seconds / 4;
  for (const RateProbe &probe : panelProbesOf(task.type, task.kernels)) {
    if (accelerator.properties().usesHost || !accelerator.has(probe.taskClass))
      continue;
    double last = 0;
    for (const int nb : sizes) {
      if (2 * last > time)
        break;
      if (task.checkpoint)
        task.checkpoint();
      Stream stream(accelerator, task, probe, nb);
      if (!stream.grow(1) || !stream.run())
        break;
      const std::optional<double> alone = leastSeconds(time / 2, [&] { return stream.run(); });
      if (!alone)
        break;
      rates.tall[probe.taskClass.kernel][nb] = last = *alone;
    }
  }
}

/// Memory of the host as tiles have it where accelerators ask for page-locked one; where it cannot be had they are
/// copied from and to any, and so is what is measured.
class CopiedNumbers {
public:
  CopiedNumbers(Accelerator &accelerator, std::size_t count) : accelerator_(accelerator), numbers_(count) {
    isPinned_ = accelerator.properties().pins && accelerator.pin(data(), count * sizeof(double)).empty();
  }
  CopiedNumbers(const CopiedNumbers &) = delete;
  CopiedNumbers &operator=(const CopiedNumbers &) = delete;
  ~CopiedNumbers() {
    if (isPinned_)
      accelerator_.unpin(data());
  }
  double *data() { return numbers_.data(); }

private:
  Accelerator &accelerator_;
  std::vector<double> numbers_;
  bool isPinned_;
};

/// Of n x n numbers there or back, whatever takes longer.
std::optional<double> copySeconds(Accelerator &accelerator, int n) {
  const std::size_t bytes = sizeof(double) * n * n;
  CopiedNumbers host(accelerator, static_cast<std::size_t>(n) * n);
  const AcceleratorTile tile(accelerator, bytes);
  if (!tile.data())
    return std::nullopt;
  double in = INFINITY, out = INFINITY;
  for (int round = 0; round < mostRounds; ++round) {
    const auto timed = [&](double &least, auto &&copy) {
      const Clock::time_point begin = Clock::now();
      copy();
      const Ends ends = finishAll(accelerator, 1);
      least = std::min(least, secondsSince(begin));
      return ends.error.empty();
    };
    if (!timed(in,
               [&] {
                 accelerator.copyIn({host.data(), n, tile.data(), n, n, n, sizeof(double), Region::Full}, nullptr);
               }) ||
        !timed(out, [&] {
          accelerator.copyOut({tile.data(), n, host.data(), n, n, n, sizeof(double), Region::Full}, nullptr);
        }))
      return std::nullopt;
  }
  return std::max(in, out);
}

void measureCopies(Accelerator &accelerator, UnitRates &rates) {
  const auto few = copySeconds(accelerator, smallCopy), many = copySeconds(accelerator, largeCopy);
  if (!few || !many || *many <= *few)
    return;
  rates.latency = *few;
  rates.bandwidth = sizeof(double) * (largeCopy * largeCopy - smallCopy * smallCopy) / (*many - *few);
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
    for (const auto &[nb, tile] : rates.seconds["gemm"]) {
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

UnitRates measureAccelerator(Accelerator &accelerator, const RateTask &task) {
  UnitRates rates;
  measureKernels(task, rates, [&](const RateProbe &probe, int nb, double time) {
    return secondsInStream(accelerator, task, probe, nb, time);
  });
  measurePanels(accelerator, task, rates);
  measureCopies(accelerator, rates);
  return rates;
}

} // namespace tla::host
