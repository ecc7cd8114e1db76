#include "runtime/predict/rates/probe_task.hpp"
#include "runtime/predict/rates/probe_tiles.hpp"
#include "runtime/predict/rates/stop_watch.hpp"

#include <tla/kernels/traits.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace tla::host {
namespace {
using runtime::Accelerator;

constexpr int smallCopy = 8, largeCopy = 512; // rows and columns of double

/// Tasks of one probe, each with outputs of its own, on an accelerator.
class Stream {
public:
  Stream(Accelerator &accelerator, const RateTask &task, const RateProbe &probe, int nb)
      : accelerator_(accelerator), shape_(probe, nb, elementBytes(task.type)) {
    for (int tile = 0; tile < probe.tiles; ++tile)
      content_.emplace_back(task.type, shape_.table(tile).storage(), probeElement);
  }

  /// Adds so many tasks, or as many as there is memory for. False: these are less, or a copy failed.
  bool grow(int count) {
    const RateProbe &probe = shape_.probe();
    for (int tile = probe.outputs; tile < probe.tiles && tasks_.empty(); ++tile)
      if (!place(tile, inputs_))
        return false;
    for (int t = 0; t < count; ++t) {
      runtime::SingleTask task = taskOf(shape_);
      for (int tile = 0; tile < probe.outputs; ++tile) {
        if (!place(tile, outputs_))
          return false;
        task.setTile(tile, outputs_.back().data());
      }
      for (int tile = probe.outputs; tile < probe.tiles; ++tile)
        task.setTile(tile, inputs_[tile - probe.outputs].data());
      tasks_.push_back(std::move(task));
    }
    return true;
  }

  /// Begins task number t.
  void launch(std::size_t t, runtime::Standing standing) {
    accelerator_.launch(shape_.probe().taskClass, tasks_[t].task(), standing, &tasks_[t]);
  }
  std::size_t size() const { return tasks_.size(); }
  /// The number of the task to which a token belongs; size(): none.
  std::size_t numberOf(const void *token) const {
    std::size_t t = 0;
    while (t < tasks_.size() && token != &tasks_[t])
      ++t;
    return t;
  }

  /// How many of these tasks one launch takes; known when one has run.
  std::size_t tasksOfLaunch() const {
    const runtime::TaskClass &taskClass = shape_.probe().taskClass;
    const runtime::TaskSize size = runtime::sizeOf(taskClass, runtime::TaskView(tasks_.front().task()));
    if (!accelerator_.joins(taskClass, size))
      return 1;
    const runtime::Together &most = accelerator_.properties().together; // as the core has it
    const double enough = size.operations > 0 ? std::ceil(most.operations / size.operations) : most.tasks;
    return static_cast<std::size_t>(std::clamp(enough, 1.0, static_cast<double>(most.tasks)));
  }

  /// Seconds of one task when all are done in a stream, so many by one launch; nothing: one failed. Tasks may overlap,
  /// so their own times may add up to more than has passed; and what has passed may be more than these when the host is
  /// late to look.
  std::optional<double> run(std::size_t step = 1) {
    const Clock::time_point begin = Clock::now();
    int launches = 0;
    for (std::size_t t = 0; t < tasks_.size(); t += step, ++launches)
      launchFrom(t, std::min(step, tasks_.size() - t));
    const Ends ends = finishAll(accelerator_, launches);
    if (!ends.error.empty())
      return std::nullopt;
    return std::min(ends.seconds, secondsSince(begin)) / static_cast<double>(tasks_.size());
  }

private:
  void launchFrom(std::size_t t, std::size_t count) {
    if (count == 1)
      return launch(t, runtime::Standing::Among);
    std::vector<const runtime::Task *> list;
    for (std::size_t i = t; i < t + count; ++i)
      list.push_back(&tasks_[i].task());
    accelerator_.launchTogether(shape_.probe().taskClass, list, runtime::Standing::Among, &tasks_[t]);
  }

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
  const std::size_t step = stream.tasksOfLaunch();
  const auto once = [&] { return stream.run(step); };
  const std::optional<double> alone = leastSeconds(time / 2, once);
  if (!alone)
    return std::nullopt;
  constexpr int launches = 4; // about, of several tasks each
  const int most = (step > 1 ? launches : 1) * std::max(2, accelerator.properties().kernelsInFlight);
  const int more = std::min(most, static_cast<int>(time / *alone)) - 1;
  if (more < 1 || (!stream.grow(more) && stream.size() == 1))
    return TaskSeconds{*alone, *alone};
  const std::optional<double> together = leastSeconds(time / 2, once);
  return together ? std::optional(TaskSeconds{std::min(*alone, *together), *alone}) : std::nullopt;
}

/// Measures whole panels, one at a time, where the accelerator computes with processors of its own.
void measurePanels(Accelerator &accelerator, const RateTask &task, UnitRates &rates) {
  const double time = task.seconds / 4;
  for (const RateProbe &probe : panelProbesOf(task.type, task.kernels)) {
    if (accelerator.properties().usesHost || !accelerator.has(probe.taskClass))
      continue;
    double last = 0;
    for (const int nb : probeSizes) {
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

/// Products so large that the accelerator is full of them, as many as suit it or as there is memory for. Null: there is
/// none, or they fail.
std::unique_ptr<Stream> productsThatFill(Accelerator &accelerator, const RateTask &task, const RateProbe &product) {
  constexpr double enough = 1e-4; // seconds of one
  std::unique_ptr<Stream> products;
  for (const int nb : probeSizes) {
    auto larger = std::make_unique<Stream>(accelerator, task, product, nb);
    if (!larger->grow(1) || !larger->run())
      break;
    products = std::move(larger);
    if (leastSeconds(0, [&] { return products->run(); }).value_or(HUGE_VAL) >= enough)
      break;
  }
  if (products)
    products->grow(accelerator.properties().kernelsInFlight - 1);
  return products;
}

/// The time of the one task of a stream, while the others are under way from before its beginning until its end.
/// Nothing: one failed.
std::optional<double> secondsBeside(Accelerator &accelerator, Stream &others, Stream &stream) {
  for (std::size_t t = 0; t < others.size(); ++t)
    others.launch(t, runtime::Standing::Among);
  stream.launch(0, runtime::Standing::Before);
  std::optional<double> seconds;
  bool fine = true, under = true;
  for (std::size_t count = others.size() + 1; count > 0;) {
    constexpr int room = 16;
    runtime::Finished list[room];
    const int got = accelerator.finished(list, room);
    for (int i = 0; i < got; ++i) {
      fine &= list[i].error.empty();
      if (stream.numberOf(list[i].token) < stream.size()) {
        seconds = list[i].seconds;
        under = false;
      } else if (under && fine) {
        others.launch(others.numberOf(list[i].token), runtime::Standing::Among);
        continue;
      }
      --count;
    }
    if (!got)
      accelerator.wait(100'000'000);
  }
  return fine ? seconds : std::nullopt;
}

/// The probes of kernels that are several of an accelerator's own, one after the other; on panels where they take such.
std::vector<RateProbe> probesOfChains(const RateTask &task) {
  std::vector<RateProbe> probes = panelProbesOf(task.type, task.kernels);
  const auto isThere = [&](const std::string_view kernel) {
    return std::ranges::any_of(probes, [&](const RateProbe &probe) { return probe.taskClass.kernel == kernel; });
  };
  for (const RateProbe &probe : corePanelProbesOf(task.type))
    if (const std::string_view kernel = probe.taskClass.kernel;
        kernels::hasTrait(kernel, kernels::Trait::Reflectors) && std::ranges::count(task.kernels, kernel))
      probes.push_back(probe);
  for (const RateProbe &probe : probesOf(task.type, task.kernels))
    if (const std::string_view kernel = probe.taskClass.kernel;
        !isThere(kernel) &&
        (kernels::hasTrait(kernel, kernels::Trait::Panel) || kernels::hasTrait(kernel, kernels::Trait::Chain)))
      probes.push_back(probe);
  return probes;
}

/// How much longer these take beside products that fill the accelerator, where it computes with processors of its own.
void measureWaits(Accelerator &accelerator, const RateTask &task, UnitRates &rates) {
  constexpr int least = 128, growth = 4; // rows and columns; waits grow with these
  const std::vector<RateProbe> product = probesOf(task.type, {kernels::productKernel});
  if (accelerator.properties().usesHost || !accelerator.has(product.front().taskClass))
    return;
  std::unique_ptr<Stream> products;
  for (const RateProbe &probe : probesOfChains(task)) {
    int next = least;
    for (const auto &[nb, seconds] : rates.seconds[probe.taskClass.kernel]) {
      if (nb < next)
        continue;
      next = growth * nb;
      if (task.checkpoint)
        task.checkpoint();
      if (!products)
        products = productsThatFill(accelerator, task, product.front());
      Stream stream(accelerator, task, probe, nb);
      if (!products || !stream.grow(1) || !stream.run())
        break;
      const auto alone = leastSeconds(0, [&] { return stream.run(); });
      const auto beside = leastSeconds(0, [&] { return secondsBeside(accelerator, *products, stream); });
      if (alone && beside && *beside > *alone)
        rates.waits[probe.taskClass.kernel][nb] = *beside - *alone;
    }
  }
}

/// Measures the time that the host needs for a launch: of products that one launch could take several of, each launched
/// alone, as many as are in flight, the smallest; if it is more than what they take together.
void measureLaunches(Accelerator &accelerator, const RateTask &task, UnitRates &rates) {
  const runtime::AcceleratorProperties &properties = accelerator.properties();
  const auto gemm = rates.seconds.find(kernels::productKernel);
  if (gemm == rates.seconds.end() || properties.together.tasks == 1 || !properties.together.products)
    return;
  const std::vector<RateProbe> product = probesOf(task.type, {kernels::productKernel});
  for (const auto &[nb, together] : gemm->second) {
    if (!properties.together.products(static_cast<char>(task.type), nb, nb, nb))
      continue;
    if (task.checkpoint)
      task.checkpoint();
    Stream stream(accelerator, task, product.front(), nb);
    if (!stream.grow(properties.kernelsInFlight))
      return;
    const auto single = leastSeconds(0, [&]() -> std::optional<double> {
      const Clock::time_point begin = Clock::now(); // its own time is the accelerator's
      if (!stream.run())
        return std::nullopt;
      return secondsSince(begin) / static_cast<double>(stream.size());
    });
    rates.launch = single && *single > 1.2 * together ? *single : 0;
    return;
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

/// The time to copy n x n numbers there or back, whatever takes longer.
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

UnitRates measureAccelerator(Accelerator &accelerator, const RateTask &task) {
  UnitRates rates;
  measureKernels(task, rates, [&](const RateProbe &probe, int nb, double time) {
    return secondsInStream(accelerator, task, probe, nb, time);
  });
  measurePanels(accelerator, task, rates);
  measureWaits(accelerator, task, rates);
  measureLaunches(accelerator, task, rates);
  measureCopies(accelerator, rates);
  return rates;
}

} // namespace tla::host
