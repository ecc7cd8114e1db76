#include "runtime/core/run/executor_impl.hpp"
#include "runtime/core/schedule/cgroup.hpp"

#include <tla/runtime/error.hpp>

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdio>
#include <system_error>
#include <utility>

namespace tla::runtime {

static constexpr int maxThreads = 4096;
static constexpr int maxWindow = 1 << 26;            // tasks are compared by the lower half of their sequence number
static constexpr int maxWindowOfManyRanks = 1 << 17; // messages on the way have different ordinals, see Courier
/// Longer than it takes a running worker to make the next task ready, short enough to cost nothing when idle.
static constexpr double spinSeconds = 3e-6;

static const Options &checked(const Options &options) {
  const auto range = [](const char *name, int value, int low, int high) {
    if (value < low || value > high)
      throw UsageError(std::string(name) + " is " + std::to_string(value) + "; it must be between " +
                       std::to_string(low) + " and " + std::to_string(high));
  };
  range("threads", options.threads, 0, maxThreads);
  range("window", options.window, 1, options.transport ? maxWindowOfManyRanks : maxWindow);
  range("fanOut", options.fanOut, 0, INT_MAX);
  if (options.virtualMachine && options.transport && !options.virtualMachine->turns)
    throw UsageError("a run in virtual time on several nodes needs a cluster");
  return options;
}

/// A quota of 1.5 cores keeps two threads busy for three quarters of their time: better than one all of it.
static int coresWithin(const UsableCores &cores, double quota) {
  return static_cast<int>(std::clamp(std::ceil(quota), 1.0, static_cast<double>(cores.count())));
}

int defaultThreads() { return coresWithin(UsableCores(), cpuQuota()); }

int threadsBeside(int cores, int accelerators) {
  constexpr int least = 2;
  return accelerators > 0 ? std::max(cores - accelerators - 1, std::min(cores, least)) : cores;
}

Executor::Impl::Impl(const Options &options)
    : threadCount_(checked(options).threads
                       ? options.threads
                       : threadsBeside(coresWithin(cores_, cpuQuota()), static_cast<int>(options.accelerators.size()))),
      pin_(options.pin && threadCount_ > 1 && threadCount_ == cores_.count() && !options.virtualMachine),
      options_(options), host_(threadCount_, threadCount_ <= cores_.count() ? spinSeconds : 0),
      tasks_(options, host_, options.virtualMachine ? static_cast<Device &>(unbacked_) : host_),
      shares_{options.deviceWeights, options.hostWeight} {
  tasks_.window.onWanted([this] { host_.wake(0); });
  if (options.virtualMachine)
    virtualHost_ = std::make_unique<VirtualHost>(tasks_, host_, options_, threadCount_);
  if (options.transport && options.transport->size() > 1)
    connect(*options.transport);
  for (int number = 0; number < threadCount_ && !virtualHost_; ++number)
    workers_.push_back(std::make_unique<Worker>(tasks_, host_, crews_, options.crews, courier_.get(), number));
  for (Accelerator *accelerator : options.accelerators)
    addAccelerator(*accelerator);
  if (!options.accelerators.empty() || !options.deviceWeights.empty())
    nodePlaces(); // weights that do not fit are refused here
}

void Executor::Impl::connect(Transport &transport) {
  ranks_ = transport.size();
  rank_ = transport.rank();
  distribute(Distribution::blockCyclic(ranks_, 1));
  courier_ = std::make_unique<Courier>(
      tasks_, host_, loops_, options_, transport, threadCount_,
      RankWatch::Computing{
          [this] { return sum([](const WorkerStatistics &statistics) { return statistics.tasks(); }); },
          [this] { return running(); }});
  tasks_.units.setNetwork(*courier_);
  if (virtualHost_)
    virtualHost_->setCourier(*courier_);
}

/// The kernels that run at this moment, a line each.
std::vector<std::string> Executor::Impl::running() const {
  std::vector<std::string> lines;
  const auto add = [&lines](std::string text) {
    if (!text.empty())
      lines.push_back(std::move(text));
  };
  for (const auto &worker : workers_)
    add(worker->kernel().text(Clock::now()));
  for (const auto &accelerator : accelerators_)
    add(accelerator->runningText(Clock::now()));
  return lines;
}

/// One pins for all of its back-end.
void Executor::Impl::addAccelerator(Accelerator &accelerator) {
  if (accelerator.properties().pins && !std::exchange(pins_, true))
    host_.pinTiles({[&accelerator](void *memory, std::size_t bytes) { return accelerator.pin(memory, bytes); },
                    [&accelerator](void *memory) { accelerator.unpin(memory); }});
  const int place = static_cast<int>(accelerators_.size()) + 1;
  accelerators_.push_back(std::make_unique<AcceleratorLanes>(tasks_, options_, accelerator, place));
  AcceleratorLanes &lanes = *accelerators_.back();
  tasks_.units.addAccelerator(lanes);
  tasks_.buffers.addAccelerator(lanes.memory());
  if (virtualHost_)
    virtualHost_->add(lanes);
  else
    drivers_.push_back(std::make_unique<AcceleratorWorker>(lanes));
}

NodePlaces Executor::Impl::nodePlaces() {
  std::vector<NodePlaces::Memory> memories;
  for (const Accelerator *accelerator : options_.accelerators) {
    const AcceleratorProperties &properties = accelerator->properties();
    memories.push_back({properties.name, properties.memoryBytes, properties.granularity, properties.runs});
    if (const std::size_t device = memories.size() - 1; device < shares_.runs.size() && shares_.runs[device])
      memories.back().runs = shares_.runs[device];
  }
  NodePlaces places(std::move(memories), shares_.weights, shares_.hostWeight, distribution_, rank_, shares_.gridRows);
  places.has = [&options = options_](int place, const TaskClass &taskClass) {
    return options.accelerators[place - 1]->has(taskClass);
  };
  places.reaches = [&options = options_](int from, int to) {
    return options.accelerators[to - 1]->reaches(*options.accelerators[from - 1]);
  };
  places.homes = homes_.empty() ? nullptr : &homes_;
  return places;
}

std::shared_ptr<const TaskMap> Executor::Impl::mapByWeights() const {
  std::vector<TaskMap::Element> elements = {{static_cast<double>(shares_.hostWeight), HUGE_VAL}};
  for (std::size_t d = 0; d < options_.accelerators.size(); ++d) {
    const auto bytes = static_cast<double>(options_.accelerators[d]->properties().memoryBytes);
    elements.push_back({shares_.weights.empty() ? 1.0 : shares_.weights[d], std::max(1.0, bytes / sizeof(double))});
  }
  return std::make_shared<TaskMap>(std::move(elements));
}

void Executor::Impl::distribute(const Distribution &distribution) {
  if (!homes_.empty() && !(distribution_ == distribution))
    throw UsageError("matrices are resident, whose tiles another distribution would give to other ranks");
  if (distribution.nodes() != ranks_)
    throw UsageError("the distribution " + distribution.name() + " is for " + std::to_string(distribution.nodes()) +
                     " nodes, but this run has " + std::to_string(ranks_) + " ranks");
  distribution_ = distribution;
}

void Executor::Impl::share(const DeviceShares &shares) {
  DeviceShares before = std::exchange(shares_, shares);
  try {
    nodePlaces();
  } catch (...) {
    shares_ = std::move(before);
    throw;
  }
}

void Executor::Impl::startThreads() {
  if (!threads_.empty() || threadCount_ == 1 || virtualHost_)
    return;
  cores_.startHere();
  try {
    for (int number = 1; number < threadCount_; ++number)
      threads_.emplace_back([this, number] {
        if (pin_)
          cores_.bind(number);
        workers_[number]->loop(quit_);
      });
  } catch (const std::system_error &error) {
    noteFewerThreads(error.code().message());
  }
}

/// The caller computes, too, so that a run needs no other thread. A worker without a thread has never been on its way
/// to sleep, so nobody wakes it, and its counts stay 0.
void Executor::Impl::noteFewerThreads(const std::string &reason) {
  if (!std::exchange(saidFewerThreads_, true))
    std::fprintf(stderr, "hetc: warning: %zu of %d computing threads run, the system starts no more: %s\n",
                 threads_.size() + 1, threadCount_, reason.c_str());
}

void Executor::Impl::stopThreads() {
  quit_.store(true, std::memory_order_relaxed); // published by wake()
  for (std::size_t i = 0; i < threads_.size(); ++i)
    host_.wake(static_cast<int>(i) + 1);
  for (Thread &thread : threads_)
    thread.join();
  threads_.clear();
  quit_.store(false, std::memory_order_relaxed);
}

} // namespace tla::runtime
