#include <tla/runtime/executor.hpp>

#include "dsl/base/thread.hpp"
#include "runtime/core/accelerator_worker.hpp"
#include "runtime/core/borrowed_period.hpp"
#include "runtime/core/borrowed_task_map.hpp"
#include "runtime/core/cgroup.hpp"
#include "runtime/core/courier.hpp"
#include "runtime/core/generator.hpp"
#include "runtime/core/node_program.hpp"
#include "runtime/core/replay.hpp"
#include "runtime/core/residents.hpp"
#include "runtime/core/shapes.hpp"
#include "runtime/core/staged_run.hpp"
#include "runtime/core/staging.hpp"
#include "runtime/core/topology.hpp"
#include "runtime/core/virtual_host.hpp"
#include "runtime/core/worker.hpp"

#include <tla/runtime/task_map.hpp>

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdio>
#include <new>
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

class Executor::Impl {
public:
  explicit Impl(const Options &options)
      : threadCount_(checked(options).threads ? options.threads
                                              : threadsBeside(coresWithin(cores_, cpuQuota()),
                                                              static_cast<int>(options.accelerators.size()))),
        pin_(options.pin && threadCount_ > 1 && threadCount_ == cores_.count() && !options.virtualMachine),
        engine_(options, threadCount_, threadCount_ <= cores_.count() ? spinSeconds : 0,
                options.virtualMachine ? &unbacked_ : nullptr),
        shares_{options.deviceWeights, options.hostWeight} {
    if (options.virtualMachine)
      virtualHost_ = std::make_unique<VirtualHost>(engine_, threadCount_);
    for (int number = 0; number < threadCount_ && !virtualHost_; ++number)
      workers_.push_back(std::make_unique<Worker>(engine_, number));
    if (options.transport && options.transport->size() > 1)
      connect(*options.transport);
    for (Accelerator *accelerator : options.accelerators)
      addAccelerator(*accelerator);
    if (!options.accelerators.empty() || !options.deviceWeights.empty())
      nodePlaces(); // weights that do not fit are refused here
  }
  ~Impl() { stopThreads(); }

  const Distribution &distribution() const { return distribution_; }
  Transport *transport() const { return courier_ ? engine_.options.transport : nullptr; }
  void distribute(const Distribution &distribution);
  void share(const DeviceShares &shares);
  /// On one node: as the shares say, else by their weights.
  std::shared_ptr<const TaskMap> taskMap() const {
    if (ranks_ > 1 || accelerators_.empty())
      return nullptr;
    return shares_.taskMap ? shares_.taskMap : mapByWeights();
  }

  std::string makeResident(const NodeProgram &program, const std::vector<const Storage *> &matrices);
  std::string makeResident(const Algorithm &algorithm, const Arguments &arguments);
  std::string makeResident(const std::function<void(Generator &)> &generate,
                           const std::vector<const Storage *> &matrices);
  /// Copies all resident tiles from their home to the host's memory, or in the other direction.
  Outcome copyResidents(bool toHost, const std::vector<const Storage *> &only);
  Residents &residents() { return residents_; }
  void endResidence(const std::vector<const Storage *> &only);

  Outcome run(const std::function<void(Generator &)> &generate);
  Outcome run(const Algorithm &algorithm, const Arguments &arguments);
  Outcome runInParts(const Algorithm &algorithm, const Arguments &arguments);
  /// Between two parts of a run there is none that could be interrupted: the next one will be.
  void interrupt() {
    interrupted_.store(true);
    engine_.state.interrupt();
  }
  /// Ranks watch each other.
  std::string loopsText() const { return courier_ ? "" : engine_.loops.text(); }
  std::uint64_t loopSteps() const { return engine_.loops.steps(); }
  int threads() const { return threadCount_; }
  int accelerators() const { return static_cast<int>(accelerators_.size()); }
  std::string pinningProblem() { return engine_.host.pinningProblem(); }
  template <typename Count> auto sum(Count count) const {
    decltype(count(statistics(0))) total = 0; // of the present part, where a run has parts
    for (int thread = 0; thread < threadCount_; ++thread)
      total += count(statistics(thread));
    for (const auto &accelerator : accelerators_)
      total += count(accelerator->statistics());
    return total;
  }

private:
  const WorkerStatistics &statistics(int thread) const {
    return virtualHost_ ? virtualHost_->statistics(thread) : workers_[thread]->statistics();
  }
  struct Busy;
  void connect(Transport &transport);
  std::vector<std::string> running() const;
  void addAccelerator(Accelerator &accelerator);
  NodePlaces nodePlaces();
  std::shared_ptr<const TaskMap> mapByWeights() const;
  void startThreads();
  void noteFewerThreads(const std::string &reason);
  void stopThreads();
  void reset();
  /// `generate` gives this node's tasks to the generator.
  /// `alone`: other ranks know nothing of it, and there are no transfers.
  Outcome run(const std::function<void(GeneratorImpl &)> &generate, bool alone = false);
  void runNode(const NodeProgram &program, GeneratorImpl &generator);
  void generateInto(TaskSink &sink, const NodeProgram &program);
  void generateTasks(const std::function<void(GeneratorImpl &)> &generate, GeneratorImpl &generator);
  void requireExpected(Outcome &outcome) const;
  void requireAllTasks(const Algorithm &algorithm, const Arguments &arguments, Outcome &outcome);
  void collect(const GeneratorImpl &generator, Statistics &statistics, bool alone);

  UsableCores cores_;
  const int threadCount_;
  const bool pin_;
  UnbackedMemory unbacked_; // in virtual time
  Engine engine_;
  std::vector<std::unique_ptr<Worker>> workers_; // number 0 is the caller of run()
  std::unique_ptr<VirtualHost> virtualHost_;     // in place of all workers
  std::vector<Thread> threads_;                  // may be fewer than wanted, see startThreads()
  bool saidFewerThreads_ = false;
  std::atomic<bool> quit_{false};
  std::atomic<bool> busy_{false};
  // On several ranks.
  int ranks_ = 1;
  Distribution distribution_;
  std::unique_ptr<Courier> courier_; // its thread ends before what it uses goes
  TransferCounts expected_;
  std::vector<std::unique_ptr<AcceleratorLanes>> accelerators_;
  Residents residents_{engine_};                            // gives back memory of the accelerators
  std::vector<std::unique_ptr<AcceleratorWorker>> drivers_; // of these; they end first, as the courier
  DeviceShares shares_;
  bool pins_ = false; // tiles' memory, for accelerators
  // Of a run in parts.
  bool inParts_ = false;
  std::atomic<bool> interrupted_{false};
  std::function<void()> prepare_; // what is to be done before a part generates anything
};

/// One run at a time.
struct Executor::Impl::Busy {
  explicit Busy(std::atomic<bool> &flag) : flag(flag) {
    if (flag.exchange(true, std::memory_order_acquire))
      throw UsageError("this executor is running already; one executor does one run at a time");
  }
  ~Busy() { flag.store(false, std::memory_order_release); }
  std::atomic<bool> &flag;
};

void Executor::Impl::connect(Transport &transport) {
  ranks_ = transport.size();
  engine_.rank = transport.rank();
  distribute(Distribution::blockCyclic(ranks_, 1));
  courier_ = std::make_unique<Courier>(
      engine_, transport, threadCount_,
      RankWatch::Computing{
          [this] { return sum([](const WorkerStatistics &statistics) { return statistics.tasks(); }); },
          [this] { return running(); }});
  engine_.courier = courier_.get();
}

/// What computes at this moment, a line each.
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
    engine_.host.pinTiles({[&accelerator](void *memory, std::size_t bytes) { return accelerator.pin(memory, bytes); },
                           [&accelerator](void *memory) { accelerator.unpin(memory); }});
  const int place = static_cast<int>(accelerators_.size()) + 1;
  accelerators_.push_back(std::make_unique<AcceleratorLanes>(engine_, accelerator, place));
  engine_.accelerators.push_back(accelerators_.back().get());
  engine_.buffers.addAccelerator(accelerators_.back()->memory());
  if (!virtualHost_)
    drivers_.push_back(std::make_unique<AcceleratorWorker>(*accelerators_.back()));
}

NodePlaces Executor::Impl::nodePlaces() {
  const Options &options = engine_.options;
  std::vector<NodePlaces::Memory> memories;
  for (const Accelerator *accelerator : options.accelerators) {
    const AcceleratorProperties &properties = accelerator->properties();
    memories.push_back({properties.name, properties.memoryBytes, properties.granularity, properties.runs});
    if (const std::size_t device = memories.size() - 1; device < shares_.runs.size() && shares_.runs[device])
      memories.back().runs = shares_.runs[device];
  }
  NodePlaces places(std::move(memories), shares_.weights, shares_.hostWeight, distribution_, engine_.rank,
                    shares_.gridRows);
  places.has = [&options](int place, const TaskClass &taskClass) {
    return options.accelerators[place - 1]->has(taskClass);
  };
  places.reaches = [&options](int from, int to) {
    return options.accelerators[to - 1]->reaches(*options.accelerators[from - 1]);
  };
  places.homes = engine_.homes.empty() ? nullptr : &engine_.homes;
  return places;
}

std::shared_ptr<const TaskMap> Executor::Impl::mapByWeights() const {
  std::vector<TaskMap::Element> elements = {{static_cast<double>(shares_.hostWeight), HUGE_VAL}};
  for (std::size_t d = 0; d < engine_.options.accelerators.size(); ++d) {
    const auto bytes = static_cast<double>(engine_.options.accelerators[d]->properties().memoryBytes);
    elements.push_back({shares_.weights.empty() ? 1.0 : shares_.weights[d], std::max(1.0, bytes / sizeof(double))});
  }
  return std::make_shared<TaskMap>(std::move(elements));
}

void Executor::Impl::distribute(const Distribution &distribution) {
  if (!engine_.homes.empty() && !(distribution_ == distribution))
    throw UsageError("matrices are resident, whose tiles another distribution would give to other ranks");
  if (distribution.nodes() != ranks_)
    throw UsageError("the distribution " + distribution.name() + " is for " + std::to_string(distribution.nodes()) +
                     " nodes, but this run has " + std::to_string(ranks_) + " ranks");
  distribution_ = distribution;
  engine_.distribution = ranks_ > 1 ? &distribution_ : nullptr;
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
    engine_.host.wake(static_cast<int>(i) + 1);
  for (Thread &thread : threads_)
    thread.join();
  threads_.clear();
  quit_.store(false, std::memory_order_relaxed);
}

/// Between runs all tasks are complete and returned, so nobody else uses what is reset here; a worker that is still on
/// its way to sleep looks at the queue only.
void Executor::Impl::reset() {
  engine_.modes = FloatingPointModes::ofThisThread();
  engine_.window.reset();
  engine_.buffers.reset();
  engine_.log.reset();
  for (const auto &worker : workers_)
    worker->reset();
  if (virtualHost_)
    virtualHost_->reset();
  for (const auto &accelerator : accelerators_)
    accelerator->reset();
  engine_.state.begin(/*ordered=*/!courier_ && accelerators_.empty() && !virtualHost_);
  if (inParts_ && interrupted_.load())
    engine_.state.interrupt();
}

/// What the other ranks say.
static std::string textOf(const std::exception_ptr &thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception &error) {
    return error.what();
  } catch (...) {
    return "the program that generates the tasks threw something that is no std::exception";
  }
}

Outcome Executor::Impl::run(const std::function<void(GeneratorImpl &)> &generate, bool alone) {
  const Busy busy(busy_);
  Courier *const courier = alone ? nullptr : courier_.get();
  reset();
  if (courier)
    courier->begin(); // first: the other ranks count on this one from now on
  std::optional<AffinityGuard> affinity;
  Outcome outcome;
  GeneratorImpl generator(engine_, virtualHost_ ? static_cast<Helper &>(*virtualHost_) : *workers_[0]);
  std::exception_ptr thrown;
  std::optional<CrewOfThread> crew;
  if (!workers_.empty())
    crew.emplace(workers_[0]->crew());
  try {
    startThreads();
    if (pin_) {
      affinity.emplace();
      cores_.bind(0);
    }
    generateTasks(generate, generator);
  } catch (...) { // the program's own, or no threads: given to the caller when all that runs is at rest
    engine_.state.stop();
    thrown = std::current_exception();
  }
  generator.finish();
  generator.settle();
  const bool cutShort = engine_.state.cutShort();
  engine_.state.end(outcome);
  if (thrown && outcome.kind == Outcome::Kind::Finished) {
    outcome.kind = Outcome::Kind::Fault;
    outcome.message = textOf(thrown);
  }
  if (courier && !cutShort)
    requireExpected(outcome);
  if (courier)
    courier->agree(outcome, cutShort);
  if (thrown)
    std::rethrow_exception(thrown);
  collect(generator, outcome.statistics, alone);
  return outcome;
}

void Executor::Impl::generateTasks(const std::function<void(GeneratorImpl &)> &generate, GeneratorImpl &generator) {
  try {
    if (prepare_)
      prepare_();
    generate(generator);
  } catch (const std::bad_alloc &) {
    generator.failBetweenTasks("out of memory while generating tasks");
  }
}

/// With accelerators once more, beforehand, for what Places has to know.
void Executor::Impl::runNode(const NodeProgram &program, GeneratorImpl &generator) {
  if (accelerators_.empty())
    return generateInto(generator, program);
  const NodePlaces places = nodePlaces();
  TileUses uses;
  TileUses::Recorder recorder(uses, places, engine_.distribution, engine_.rank);
  program(recorder);
  Places placed(places, uses, generator);
  generateInto(placed, program);
}

void Executor::Impl::generateInto(TaskSink &sink, const NodeProgram &program) {
  if (courier_)
    expected_ = generateInstances(program, distribution_, engine_.rank, sink);
  else
    program(sink);
}

/// All of this node's transfers are complete, so the courier counts no more of them.
void Executor::Impl::requireExpected(Outcome &outcome) const {
  const TransferCounts counts = courier_->counts();
  const auto differs = [&](std::uint64_t TransferCounts::*count) { return counts.*count != expected_.*count; };
  using Counts = TransferCounts;
  if (!outcome.isComplete() || (!differs(&Counts::messages) && !differs(&Counts::bytes) &&
                                !differs(&Counts::received) && !differs(&Counts::receivedBytes)))
    return;
  const auto text = [](const Counts &of) {
    return std::to_string(of.messages) + " messages (" + std::to_string(of.bytes) + " bytes) sent, " +
           std::to_string(of.received) + " (" + std::to_string(of.receivedBytes) + " bytes) received";
  };
  outcome.kind = Outcome::Kind::Fault;
  outcome.wentOn = false;
  outcome.message =
      "rank " + std::to_string(engine_.rank) + " was to have " + text(expected_) + ", but had " + text(counts);
}

void Executor::Impl::collect(const GeneratorImpl &generator, Statistics &statistics, bool alone) {
  const double secondsPerTick =
      engine_.secondsPerTick(); // once: what is measured anew may differ, and parts exceed the whole
  generator.addTo(statistics, secondsPerTick);
  engine_.log.join();
  StatisticsSum sum(statistics, generator.classes(), engine_.log, generator.begin(), secondsPerTick);
  for (int number = 0; number < threadCount_; ++number)
    sum.add(number, this->statistics(number));
  for (const auto &accelerator : accelerators_)
    sum.addDevice(threadCount_ + static_cast<int>(statistics.devices.size()), accelerator->statistics(),
                  accelerator->counts());
  sum.addLog();
  if (virtualHost_)
    statistics.criticalPath = virtualHost_->path().parts(secondsPerTick);
  if (!courier_ || alone)
    return;
  statistics.transfers = courier_->counts();
  statistics.expected = expected_;
}

Executor::Executor(const Options &options) : impl_(new Impl(options)) {}
Executor::~Executor() = default;

Outcome Executor::Impl::run(const std::function<void(Generator &)> &generate) {
  return run([&](GeneratorImpl &generator) {
    if (courier_)
      return runNode(replay(generate, distribution_, engine_.rank, &engine_.loops), generator);
    runNode([&](TaskSink &sink) { runLoops(sink, &engine_.loops, generate); }, generator);
  });
}

Outcome Executor::Impl::run(const Algorithm &algorithm, const Arguments &arguments) {
  if (!courier_)
    return run([&](Generator &generator) { algorithm.generate(generator, arguments); });
  Outcome outcome = run([&](GeneratorImpl &generator) {
    runNode(nodeProgram(algorithm, arguments, distribution_, engine_.rank, &engine_.loops), generator);
  });
  requireAllTasks(algorithm, arguments, outcome);
  return outcome;
}

Outcome Executor::Impl::runInParts(const Algorithm &algorithm, const Arguments &arguments) {
  const auto run = [&](const Arguments &part, const std::function<void()> &prepare) {
    prepare_ = prepare;
    return this->run(algorithm, part);
  };
  const auto fetch = [this](const Storage &matrix) {
    if (!engine_.homes.find(matrix))
      return Outcome();
    // To look at: for the parts of the run the tiles are where they were counted.
    return this->run([&](GeneratorImpl &generator) { residents_.copy(generator, /*toHost=*/true, {&matrix}); },
                     /*alone=*/true);
  };
  interrupted_.store(false);
  inParts_ = true;
  struct End {
    Impl &impl;
    ~End() {
      impl.inParts_ = false;
      impl.prepare_ = nullptr;
      impl.engine_.held.clear();
    }
  } const end{*this};
  const auto hold = [this](const Storage &workspace) { engine_.held.add(workspace); };
  return runStages(algorithm, arguments,
                   {run, fetch, hold, engine_.distribution, engine_.rank,
                    courier_ ? engine_.options.transport : nullptr, virtualHost_ != nullptr});
}

/// What all ranks have run is the whole program, which its own loops count: those that gave the ranks their tasks may
/// be others. The outcome is the same on all ranks, before and after.
void Executor::Impl::requireAllTasks(const Algorithm &algorithm, const Arguments &arguments, Outcome &outcome) {
  if (!outcome.isComplete() || !algorithm.countTasks)
    return;
  auto all = static_cast<double>(outcome.statistics.tasks); // exact up to 2^53
  engine_.options.transport->sum(&all, 1);
  const long run = static_cast<long>(all), expected = algorithm.countTasks(arguments);
  if (run == expected)
    return;
  outcome.kind = Outcome::Kind::Fault;
  outcome.wentOn = false;
  outcome.message = "all ranks together ran " + std::to_string(run) + " tasks, but the program has " +
                    std::to_string(expected) + "; this is hetc's own error, please report it";
}

std::string Executor::Impl::makeResident(const NodeProgram &program, const std::vector<const Storage *> &matrices) {
  const Busy busy(busy_);
  if (accelerators_.empty())
    return {};
  residents_.requireNoAlias(matrices);
  const NodePlaces places = nodePlaces();
  return residents_.add(homesFor(program, places, engine_.distribution, engine_.rank, &matrices), places);
}

/// Of all parts, where an element ends the program's loop.
std::string Executor::Impl::makeResident(const Algorithm &algorithm, const Arguments &arguments) {
  const auto program = [&](TaskSink &sink) {
    forEachStage(algorithm, arguments, [&](const Arguments &part) {
      nodeProgram(algorithm, part, distribution_, engine_.rank)(sink);
      return true;
    });
  };
  return makeResident(program, callersMatrices(algorithm, arguments));
}

std::string Executor::Impl::makeResident(const std::function<void(Generator &)> &generate,
                                         const std::vector<const Storage *> &matrices) {
  return makeResident(replay(generate, distribution_, engine_.rank), matrices);
}

void Executor::Impl::endResidence(const std::vector<const Storage *> &only) {
  const Busy busy(busy_);
  residents_.end(only);
}

Outcome Executor::Impl::copyResidents(bool toHost, const std::vector<const Storage *> &only) {
  Outcome outcome = run([&](GeneratorImpl &generator) { residents_.copy(generator, toHost, only); }, /*alone=*/true);
  if (outcome.kind == Outcome::Kind::Finished)
    residents_.setUnchanged(only);
  return outcome;
}

Outcome Executor::run(const std::function<void(Generator &)> &generate) { return impl_->run(generate); }

Outcome Executor::run(const Algorithm &algorithm, const Arguments &arguments) {
  const BorrowedPeriod period(algorithm, arguments, impl_->distribution());
  const std::shared_ptr<const TaskMap> dealing = algorithm.isDealt ? impl_->taskMap() : nullptr;
  const BorrowedTaskMap map(algorithm, arguments, dealing.get());
  requireFittingShapes(algorithm, arguments);
  impl_->residents().requireNoAlias(algorithm, arguments);
  if (writesNothing(algorithm, arguments))
    return {};
  return algorithm.stages ? impl_->runInParts(algorithm, arguments) : impl_->run(algorithm, arguments);
}

std::string Executor::makeResident(const Algorithm &algorithm, const Arguments &arguments) {
  const BorrowedPeriod period(algorithm, arguments, impl_->distribution());
  const std::shared_ptr<const TaskMap> dealing = algorithm.isDealt ? impl_->taskMap() : nullptr;
  const BorrowedTaskMap map(algorithm, arguments, dealing.get());
  requireFittingShapes(algorithm, arguments);
  impl_->residents().requireNoAlias(algorithm, arguments);
  return writesNothing(algorithm, arguments) ? "" : impl_->makeResident(algorithm, arguments);
}

std::string Executor::makeResident(const std::function<void(Generator &)> &generate,
                                   const std::vector<const Storage *> &matrices) {
  return impl_->makeResident(generate, matrices);
}

Outcome Executor::updateAccelerators(const std::vector<const Storage *> &only) {
  return impl_->copyResidents(/*toHost=*/false, only);
}
Outcome Executor::updateHost(const std::vector<const Storage *> &only) {
  return impl_->copyResidents(/*toHost=*/true, only);
}
void Executor::endResidence(const std::vector<const Storage *> &only) { impl_->endResidence(only); }
std::vector<std::size_t> Executor::residentBytes() const { return impl_->residents().bytes(); }

void Executor::share(const DeviceShares &shares) { impl_->share(shares); }
void Executor::distribute(const Distribution &distribution) { impl_->distribute(distribution); }

void Executor::interrupt() { impl_->interrupt(); }
int Executor::threads() const { return impl_->threads(); }
int Executor::accelerators() const { return impl_->accelerators(); }
Transport *Executor::transport() const { return impl_->transport(); }
const Distribution &Executor::distribution() const { return impl_->distribution(); }
std::string Executor::pinningProblem() const { return impl_->pinningProblem(); }

double Executor::flopsDone() const {
  return impl_->sum([](const WorkerStatistics &statistics) { return statistics.flops(); });
}
std::uint64_t Executor::tasksDone() const {
  return impl_->sum([](const WorkerStatistics &statistics) { return statistics.tasks(); });
}
std::uint64_t Executor::loopSteps() const { return impl_->loopSteps(); }
std::string Executor::loopsText() const { return impl_->loopsText(); }

} // namespace tla::runtime
