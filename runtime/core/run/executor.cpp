#include "dsl/base/debugging.hpp"
#include "runtime/core/passes/borrowed_period.hpp"
#include "runtime/core/passes/replay.hpp"
#include "runtime/core/passes/shapes.hpp"
#include "runtime/core/run/executor_impl.hpp"
#include "runtime/core/run/staging.hpp"

#include <tla/runtime/executor.hpp>

namespace tla::runtime {

/// With a window of one task and one thread, tasks run in the program's order, one at a time.
static Options oneByOne(Options options) {
  options.threads = options.window = 1;
  options.renameBytes = 0;
  options.crews = false;
  return options;
}

Executor::Executor(const Options &options)
    : impl_(new Impl(isDebugging() && !options.virtualMachine ? oneByOne(options) : options)) {}
Executor::~Executor() = default;

std::string Executor::Impl::makeResident(const NodeProgram &program, const std::vector<const Storage *> &matrices) {
  const Busy busy(busy_);
  if (accelerators_.empty())
    return {};
  residents_.requireNoAlias(matrices);
  const NodePlaces places = nodePlaces();
  return residents_.add(homesFor(program, places, ownership(), rank_, &matrices), places);
}

/// Makes the matrices resident for all parts of a program, where an element ends its loop.
std::string Executor::Impl::makeResident(const Algorithm &algorithm, const Arguments &arguments) {
  const auto program = [&](TaskSink &sink) {
    forEachStage(algorithm, arguments, [&](const Arguments &part) {
      nodeProgram(algorithm, part, distribution_, rank_)(sink);
      return true;
    });
  };
  return makeResident(program, callersMatrices(algorithm, arguments));
}

std::string Executor::Impl::makeResident(const std::function<void(Generator &)> &generate,
                                         const std::vector<const Storage *> &matrices) {
  return makeResident(replay(generate, distribution_, rank_), matrices);
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

namespace {
/// A call's arguments, which fit together, with what this executor adds to them for as long as the call lasts.
class PreparedCall {
public:
  template <typename Impl>
  PreparedCall(Impl &executor, const Algorithm &algorithm, const Arguments &call)
      : period_(algorithm, call, executor.distribution()), dealing_(algorithm.isDealt() ? executor.taskMap() : nullptr),
        arguments_(call) {
    if (dealing_)
      arguments_.taskMap = dealing_.get();
    requireFittingShapes(algorithm, arguments_);
    executor.residents().requireNoAlias(algorithm, arguments_);
  }
  const Arguments &arguments() const { return arguments_; }

private:
  const BorrowedPeriod period_;
  const std::shared_ptr<const TaskMap> dealing_;
  Arguments arguments_;
};
} // namespace

Outcome Executor::run(const Algorithm &algorithm, const Arguments &call) {
  const PreparedCall prepared(*impl_, algorithm, call);
  const Arguments &arguments = prepared.arguments();
  if (writesNothing(algorithm, arguments))
    return {};
  return algorithm.stages ? impl_->runInParts(algorithm, arguments) : impl_->run(algorithm, arguments);
}

std::string Executor::makeResident(const Algorithm &algorithm, const Arguments &call) {
  const PreparedCall prepared(*impl_, algorithm, call);
  const Arguments &arguments = prepared.arguments();
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
void Executor::lookAhead(std::size_t bytes) { impl_->lookAhead(bytes); }
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
