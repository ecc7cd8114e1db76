// What an executor is made of, and its steps.
#pragma once

#include "dsl/base/thread.hpp"
#include "runtime/core/network/courier.hpp"
#include "runtime/core/passes/node_program.hpp"
#include "runtime/core/places/accelerator_lanes.hpp"
#include "runtime/core/places/accelerator_worker.hpp"
#include "runtime/core/places/residents.hpp"
#include "runtime/core/run/generator.hpp"
#include "runtime/core/run/virtual_host.hpp"
#include "runtime/core/run/worker.hpp"
#include "runtime/core/schedule/topology.hpp"

#include <tla/runtime/executor.hpp>
#include <tla/runtime/task_map.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tla::runtime {

/// Puts the rooms of the core together: a node's tasks, those who execute them, and the runs of its caller, one at a
/// time. Members are in the order in which they use each other: the threads of a later one end before an earlier one
/// goes.
class Executor::Impl {
public:
  explicit Impl(const Options &options);
  ~Impl() { stopThreads(); }

  const Distribution &distribution() const { return distribution_; }
  Transport *transport() const { return courier_ ? options_.transport : nullptr; }
  void distribute(const Distribution &distribution);
  void lookAhead(std::size_t bytes) { lookaheadBytes_ = bytes; }
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
    tasks_.state.interrupt();
  }
  /// Ranks watch each other.
  std::string loopsText() const { return courier_ ? "" : loops_.text(); }
  std::uint64_t loopSteps() const { return loops_.steps(); }
  int threads() const { return threadCount_; }
  int accelerators() const { return static_cast<int>(accelerators_.size()); }
  std::string pinningProblem() { return host_.pinningProblem(); }
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
  /// Who owns the tiles; null on one rank.
  const Distribution *ownership() const { return ranks_ > 1 ? &distribution_ : nullptr; }
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
  /// The tasks of `generate` in the order of the shares, where there are accelerators for which it is made.
  std::function<void(Generator &)> ordered(const std::function<void(Generator &)> &generate);
  bool isOrdered() const { return !accelerators_.empty() && homes_.empty() && !shares_.order.isProgramOrder(); }
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
  const Options options_;
  std::size_t lookaheadBytes_ = options_.lookaheadBytes;
  HostDevice host_; // the ready queue of the computing threads, and the host's memory
  CrewSlots crews_;
  NodeTasks tasks_;
  LoopProgress loops_{tasks_.state};
  Homes homes_;                                  // of resident matrices; constant during a run
  HeldWorkspaces held_;                          // of a run in parts; the generating thread's
  std::vector<std::unique_ptr<Worker>> workers_; // number 0 is the caller of run()
  std::unique_ptr<VirtualHost> virtualHost_;     // in place of all workers
  std::vector<Thread> threads_;                  // may be fewer than wanted, see startThreads()
  bool saidFewerThreads_ = false;
  std::atomic<bool> quit_{false};
  std::atomic<bool> busy_{false};
  // On several ranks.
  int ranks_ = 1, rank_ = 0;
  Distribution distribution_;
  std::unique_ptr<Courier> courier_; // its thread ends before what it uses goes
  TransferCounts expected_;
  std::vector<std::unique_ptr<AcceleratorLanes>> accelerators_;
  Residents residents_{homes_, tasks_.buffers};             // gives back memory of the accelerators
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

} // namespace tla::runtime
