#include "runtime/core/passes/blocked_program.hpp"
#include "runtime/core/passes/replay.hpp"
#include "runtime/core/run/executor_impl.hpp"
#include "runtime/core/run/staged_run.hpp"

#include <new>
#include <optional>
#include <utility>

namespace tla::runtime {

/// Between runs all tasks are complete and returned, so nobody else uses what is reset here; a worker that is still on
/// its way to sleep looks at the queue only.
void Executor::Impl::reset() {
  tasks_.modes = FloatingPointModes::ofThisThread();
  tasks_.window.reset();
  tasks_.buffers.reset();
  tasks_.record.log.reset();
  for (const auto &worker : workers_)
    worker->reset();
  if (virtualHost_)
    virtualHost_->reset();
  for (const auto &accelerator : accelerators_)
    accelerator->reset();
  tasks_.state.begin(/*ordered=*/!courier_ && accelerators_.empty() && !virtualHost_);
  if (inParts_ && interrupted_.load())
    tasks_.state.interrupt();
}

/// The text of an exception, for the other ranks.
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
  RunTables tables(ownership(), rank_, held_);
  GeneratorImpl generator(tasks_, tables, homes_, host_, loops_,
                          virtualHost_ ? static_cast<Helper &>(*virtualHost_) : *workers_[0], lookaheadBytes_);
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
    tasks_.state.stop();
    thrown = std::current_exception();
  }
  generator.finish();
  generator.settle();
  const bool cutShort = tasks_.state.cutShort();
  tasks_.state.end(outcome);
  if (thrown && outcome.kind == Outcome::Kind::Finished) {
    outcome.kind = Outcome::Kind::Fault;
    outcome.message = textOf(thrown);
  }
  if (courier && !cutShort)
    requireExpected(outcome);
  if (courier)
    courier->agree(outcome, cutShort,
                   virtualHost_ ? [this](const std::function<bool()> &come) { virtualHost_->waitUntil(come); }
                                : Courier::PassTime());
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
  TileUses::Recorder recorder(uses, places, ownership(), rank_);
  program(recorder);
  Places placed(places, uses, generator);
  generateInto(placed, program);
}

void Executor::Impl::generateInto(TaskSink &sink, const NodeProgram &program) {
  if (courier_)
    expected_ = generateInstances(program, distribution_, rank_, sink);
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
  outcome.message = "rank " + std::to_string(rank_) + " was to have " + text(expected_) + ", but had " + text(counts);
}

void Executor::Impl::collect(const GeneratorImpl &generator, Statistics &statistics, bool alone) {
  const double secondsPerTick =
      tasks_.record.clock.secondsPerTick(); // once: what is measured anew may differ, and parts exceed the whole
  generator.addTo(statistics, secondsPerTick);
  tasks_.record.log.join();
  StatisticsSum sum(statistics, generator.classes(), tasks_.record.log, generator.begin(), secondsPerTick);
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

/// Nodes of a cluster in virtual time run the same program in one process: it is put in order once.
std::function<void(Generator &)> Executor::Impl::ordered(const std::function<void(Generator &)> &generate) {
  if (!isOrdered())
    return generate;
  VirtualTurns *const turns = virtualHost_ && !inParts_ ? options_.virtualMachine->turns : nullptr;
  if (turns && turns->ordered)
    return turns->ordered;
  std::function<void(Generator &)> program = inOrder(generate, shares_.order, &loops_);
  if (turns)
    turns->ordered = program;
  return program;
}

Outcome Executor::Impl::run(const std::function<void(Generator &)> &generate) {
  return run([&](GeneratorImpl &generator) {
    const std::function<void(Generator &)> program = ordered(generate);
    if (courier_)
      return runNode(replay(program, distribution_, rank_, &loops_), generator);
    runNode([&](TaskSink &sink) { runLoops(sink, &loops_, program); }, generator);
  });
}

Outcome Executor::Impl::run(const Algorithm &algorithm, const Arguments &arguments) {
  const std::function<void(Generator &)> generate = [&](Generator &generator) {
    algorithm.generate(generator, arguments);
  };
  if (!courier_)
    return run(generate);
  Outcome outcome = isOrdered() ? run(generate) : run([&](GeneratorImpl &generator) {
    runNode(nodeProgram(algorithm, arguments, distribution_, rank_, &loops_), generator);
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
    if (!homes_.find(matrix))
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
      impl.held_.clear();
    }
  } const end{*this};
  return runStages(
      algorithm, arguments,
      {run, fetch, held_, ownership(), rank_, courier_ ? options_.transport : nullptr, virtualHost_ != nullptr});
}

/// Checks that the tasks of all ranks add up to the whole program, which its own loops count: those that gave the ranks
/// their tasks may be others. The outcome is the same on all ranks, before and after.
void Executor::Impl::requireAllTasks(const Algorithm &algorithm, const Arguments &arguments, Outcome &outcome) {
  if (!outcome.isComplete() || !algorithm.countTasks)
    return;
  auto all = static_cast<double>(outcome.statistics.tasks); // exact up to 2^53
  options_.transport->sum(&all, 1);
  const long run = static_cast<long>(all), expected = algorithm.countTasks(arguments);
  if (run == expected)
    return;
  outcome.kind = Outcome::Kind::Fault;
  outcome.wentOn = false;
  outcome.message = "all ranks together ran " + std::to_string(run) + " tasks, but the program has " +
                    std::to_string(expected) + "; this is hetc's own error, please report it";
}

} // namespace tla::runtime
