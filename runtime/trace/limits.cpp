#include "runtime/trace/limits.hpp"

#include "dsl/base/text.hpp"

#include <algorithm>
#include <numeric>

namespace tla::trace {
namespace {

// Where the causes begin. They are orders of magnitude apart, so that a noisy clock does not change a verdict.
constexpr double briefRun = 1e-3;     // seconds
constexpr double briefTask = 15e-6;   // seconds, some ten times what hetc needs for a task
constexpr double fewTasks = 4;        // for each thread and accelerator
constexpr double slowKernel = 0.1;    // part of the rate of the run's fastest kernel
constexpr double muchOfTheTime = 0.5; // part of all kernels' time
constexpr double idle = 0.25;         // part of the time
constexpr double muchWaiting = 0.1;   // part of all cores' time
constexpr double unevenRanks = 1.4;   // the busiest rank, in relation to all
constexpr double busyDevice = 0.75;   // part of the time
constexpr double busyLoops = 0.6;     // part of the time
constexpr std::size_t mostLimits = 2;

std::string count(std::uint64_t number, const char *what) {
  return format("%llu %s%s", static_cast<unsigned long long>(number), what, number == 1 ? "" : "s");
}

std::string percent(double part) { return format("%.0f%%", 100 * part); }

double kernelSeconds(const RunCounts &run) {
  return std::accumulate(run.kernels.begin(), run.kernels.end(), 0.0,
                         [](double sum, const RunCounts::Kernel &kernel) { return sum + kernel.seconds; });
}

double rateOf(const RunCounts::Kernel &kernel) { return kernel.seconds > 0 ? kernel.flops / kernel.seconds : 0; }

/// "leave out --nb, hetc takes 304"; or, where the size was hetc's, what else there is.
std::string otherTiles(const RunCounts &run, const char *otherwise) {
  if (!run.nbGiven)
    return otherwise;
  return run.usualNb > 0 ? format("leave out --nb: hetc takes %d", run.usualNb)
                         : std::string("leave out --nb: hetc looks for a good size");
}

class Judge {
public:
  explicit Judge(const RunCounts &run) : run_(run) {}

  std::vector<Limit> judge() {
    if (run_.tasks == 0 || !(run_.seconds > 0))
      return {};
    if (run_.debugging)
      return {{"debugging",
               "kernels are debugged (HETC_DEBUG): one task runs at a time, on guarded tiles, and times say "
               "nothing"}};
    judgeTasks();
    judgeKernels();
    if (run_.allBusy() < 1 - idle && !isLimitedByDevices())
      judgeIdleness();
    else
      judgeCores();
    if (limits_.size() > mostLimits)
      limits_.resize(mostLimits);
    return std::move(limits_);
  }

private:
  void add(const char *cause, std::string text) { limits_.push_back({cause, std::move(text)}); }
  bool has(const char *cause) const { return std::ranges::find(limits_, cause, &Limit::cause) != limits_.end(); }

  void judgeTasks() {
    const double units = run_.allThreads() + static_cast<double>(run_.devices.size());
    const double task = kernelSeconds(run_) / static_cast<double>(run_.tasks);
    if (static_cast<double>(run_.tasks) < fewTasks * units && units > 1 && !isLimitedByDevices())
      add("few-tasks", count(run_.tasks, "task") + " for " + unitsText() +
                           format(": tiles of %d are too large for this "
                                  "problem; ",
                                  run_.nb) +
                           otherTiles(run_, "a smaller --nb, or a larger problem, has more to do at one time"));
    else if (task < briefTask)
      add("small-tasks",
          "tasks last " + formatSeconds(task) +
              format(" on average: tiles of %d are too small, as hetc itself takes about a microsecond for "
                     "each; ",
                     run_.nb) +
              otherTiles(run_, "give a larger --nb, or let a kernel do more"));
    else if (run_.seconds < briefRun)
      add("brief-run", "the run took " + formatSeconds(run_.seconds) +
                           ": threads wake up and end in such a time; only a larger problem gains from more of them");
  }

  /// "2 threads", "4 ranks of 2 threads", "2 threads and 1 accelerator"
  std::string unitsText() const {
    std::string text = count(static_cast<std::uint64_t>(run_.threads), "thread");
    if (run_.ranks > 1)
      text = count(static_cast<std::uint64_t>(run_.ranks), "rank") + " of " + text;
    return run_.devices.empty() ? text : text + " and " + count(run_.devices.size(), "accelerator");
  }

  void judgeKernels() {
    if (run_.referenceKernels)
      add("reference-kernels", "the reference kernels ran, which are plain loops; leave out --kernels, or install "
                               "OpenBLAS ('hetc doctor' says what is missing)");
    if (run_.cores > 0 && run_.threads > run_.cores)
      add("many-threads", count(static_cast<std::uint64_t>(run_.threads), "thread") + " share " +
                              count(static_cast<std::uint64_t>(run_.cores), "core") +
                              ": while one waits for its turn, others wait for its task; leave out --threads");
    const double all = kernelSeconds(run_);
    double best = 0;
    for (const RunCounts::Kernel &kernel : run_.kernels)
      if (kernel.seconds >= 0.001 * all)
        best = std::max(best, rateOf(kernel));
    for (const RunCounts::Kernel &kernel : run_.kernels)
      if (kernel.isOwn && kernel.seconds > muchOfTheTime * all && kernel.flops > 0 &&
          rateOf(kernel) < slowKernel * best)
        add("slow-kernel",
            "kernel " + kernel.name + " takes " + percent(kernel.seconds / all) +
                format(" of the kernels' time at %.2g Gflop/s, the fastest has %.3g; make its inner loop "
                       "vector code (<tla/vec.hpp>), or its part smaller (a smaller --nb)",
                       rateOf(kernel) * 1e-9, best * 1e-9));
  }

  bool isLimitedByDevices() const {
    return std::ranges::any_of(run_.devices, [](const auto &device) { return device.busy >= busyDevice; });
  }

  std::string idleText() const { return "cores were idle for " + percent(1 - run_.allBusy()) + " of the time"; }

  /// Cores had nothing to do for a good part of the time.
  void judgeIdleness() {
    judgeRanks();
    judgeDevices();
    judgeWindow();
    judgeLoops();
    // Few or brief tasks are why cores wait for others.
    if (!limits_.empty())
      return;
    const bool named = run_.waits && !run_.waits->kernel.empty();
    add("waiting",
        idleText() + ": tasks waited for " + (named ? run_.waits->kernel + " and " : "") +
            "one another, which more cores do not change; a larger problem or a smaller --nb has more that is "
            "independent, and 'hetc trace' shows the critical path");
  }

  void judgeRanks() {
    if (run_.ranks < 2 || run_.busy.empty())
      return;
    const auto busiest = std::ranges::max_element(run_.busy), laziest = std::ranges::min_element(run_.busy);
    if (*busiest > unevenRanks * run_.allBusy() && *busiest > 0.3) {
      add("uneven-ranks",
          format("rank %td computed for %s of the time, all ranks together for %s: tiles are dealt "
                 "unevenly; leave out --dist, or give --node-weights where nodes are unlike",
                 busiest - run_.busy.begin(), percent(*busiest).c_str(), percent(run_.allBusy()).c_str()));
      return;
    }
    const bool known = run_.waits.has_value();
    if (run_.messages && (!known || run_.waits->messages >= muchWaiting))
      add("messages",
          (known ? "idle cores waited for messages for " + percent(run_.waits->messages) + " of the time"
                 : format("rank %td was idle for %s of the time", laziest - run_.busy.begin(),
                          percent(1 - *laziest).c_str())) +
              ": " + count(run_.messages, "message") + " brought " + formatBytes(static_cast<double>(run_.bytes)) +
              "; larger tiles and other grids move less ('hetc cost --compare'), fewer nodes wait less ('hetc plan')");
  }

  void judgeDevices() {
    std::uint64_t bytes = 0;
    for (const RunCounts::Device &device : run_.devices)
      bytes += device.bytes;
    if (run_.devices.empty() || bytes == 0 || (run_.waits && run_.waits->copies < muchWaiting))
      return;
    const auto busiest = std::ranges::max_element(run_.devices, {}, &RunCounts::Device::busy);
    add("copies", busiest->name + " computed for " + percent(busiest->busy) + " of the time, and " +
                      formatBytes(static_cast<double>(bytes)) +
                      " were copied: --resident keeps matrices there between runs, a larger --nb copies less for each "
                      "operation");
  }

  void judgeWindow() {
    const bool full = run_.waits ? run_.waits->window >= muchWaiting : run_.windowFull > 0 && run_.generation > 0;
    if (run_.windowFull > 0 && full)
      add("window", idleText() + ", and the window" +
                        (run_.window ? format(" of %zu tasks", run_.window) : std::string()) + " was full " +
                        count(run_.windowFull, "time") +
                        ": tasks that could run are behind those that wait; give a larger --window");
  }

  void judgeLoops() {
    if (has("window"))
      return;
    const double loops = run_.waits ? run_.waits->loops : run_.generation / run_.seconds;
    if (loops < (run_.waits ? muchWaiting : busyLoops))
      return;
    add("loops", (run_.waits ? "cores waited for the program's loops for " : "the program's loops took ") +
                     percent(loops) + " of the time, which make " + count(run_.tasks, "task") +
                     "; a larger --nb makes fewer, a loop without needless iterations makes them sooner");
  }

  void judgeCores() {
    if (isLimitedByDevices()) {
      const auto busiest = std::ranges::max_element(run_.devices, {}, &RunCounts::Device::busy);
      return add("devices",
                 busiest->name + " computed for " + percent(busiest->busy) +
                     " of the time: it was the limit; more accelerators or faster kernels help, more cores do "
                     "not");
    }
    if (run_.cores > 0 && run_.threads < run_.cores)
      return add("few-threads", count(static_cast<std::uint64_t>(run_.threads), "thread") + " of " +
                                    count(static_cast<std::uint64_t>(run_.cores), "core") + " computed for " +
                                    percent(run_.allBusy()) + " of the time; leave out --threads to use them all");
    double flops = 0;
    for (const RunCounts::Kernel &kernel : run_.kernels)
      flops += kernel.flops;
    add("cores", "the cores were the limit, not the graph: they computed for " + percent(run_.allBusy()) +
                     " of the time" +
                     (flops > 0 ? format(", at %.3g Gflop/s each", flops / kernelSeconds(run_) * 1e-9) : "") +
                     "; more cores or faster kernels help");
  }

  const RunCounts &run_;
  std::vector<Limit> limits_;
};

} // namespace

double RunCounts::allBusy() const {
  return busy.empty() ? 0 : std::accumulate(busy.begin(), busy.end(), 0.0) / static_cast<double>(busy.size());
}

std::vector<Limit> limitsOf(const RunCounts &run) { return Judge(run).judge(); }

std::string limitsText(const std::vector<Limit> &limits) {
  std::string text;
  for (const Limit &limit : limits)
    text += "  verdict   " + limit.text + "\n";
  return text;
}

} // namespace tla::trace
