#include "runtime/program/program_run.hpp"

#include "dsl/base/text.hpp"
#include "runtime/host/files/npy.hpp"
#include "runtime/host/files/output_file.hpp"
#include "runtime/host/output/trace_output.hpp"
#include "runtime/host/problem/nominal_flops.hpp"
#include "runtime/host/problem/options.hpp"
#include "runtime/host/problem/outcome_text.hpp"
#include "runtime/host/problem/residence.hpp"
#include "runtime/host/ranks/parallel.hpp"
#include "runtime/host/ranks/rank_statistics.hpp"
#include "runtime/interfaces/cost.hpp"
#include "runtime/predict/machine/virtual_node.hpp"
#include "runtime/predict/plan/order_choice.hpp"
#include "runtime/predict/plan/tile_search.hpp"
#include "runtime/predict/plan/virtual_run.hpp"
#include "runtime/predict/rates/measured_machine.hpp"
#include "runtime/program/identity.hpp"
#include "runtime/program/shared_npy.hpp"
#include "runtime/program/slow_kernels.hpp"

#include <tla/generated/guard.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <utility>

namespace tla::host {
namespace {
using runtime::Outcome;

/// For as long as it lives a signal ends the process at once.
struct Uninterruptible {
  explicit Uninterruptible(Supervisor &supervisor) : supervisor(supervisor) { supervisor.setUninterruptible(true); }
  ~Uninterruptible() { supervisor.setUninterruptible(false); }
  Supervisor &supervisor;
};

std::vector<Storage *> storagesOf(const Problem &problem) {
  std::vector<Storage *> storages;
  for (const ProblemMatrix &matrix : problem.matrices)
    storages.push_back(&**matrix.storage);
  return storages;
}
} // namespace

int ProgramRun::run(const Settings &settings) {
  record_.settings = settings;
  record_.ranks = ranks_.size();
  const std::string name = algorithm().name;
  try {
    return runStages();
  } catch (const RankFailure &failure) {
    return end(failure);
  } catch (const UsageError &error) {
    return fail(BadInput, error.what());
  } catch (const Interrupted &) {
    return fail(Signalled + (supervisor_ && supervisor_->signal() ? supervisor_->signal() : SIGINT),
                name + ": interrupted");
  } catch (const std::bad_alloc &) {
    return fail(RuntimeFault, name + ": out of memory");
  } catch (const std::exception &error) {
    return fail(RuntimeFault, name + ": " + error.what());
  } catch (...) {
    return fail(RuntimeFault, name + ": a kernel or the program's loops threw something that is no std::exception");
  }
}

int ProgramRun::runStages() {
  describe();
  plan();
  if (settings().plan) {
    tellPlan();
    return Fine;
  }
  if (isVirtual()) {
    if (const int code = runOnProfile(); code != Fine)
      return code;
  } else {
    load();
    if (const int code = runRepeatedly(); code != Fine)
      return code;
    judge();
  }
  writeOutputs();
  if (ranks_.first())
    report();
  ranks_.agree();
  if (!record_.infoText.empty())
    return NumericalStop;
  if (record_.verdict.judged && !record_.verdict.passed)
    return CheckFailed;
  return Fine;
}

void ProgramRun::plan() {
  runtime::Executor measuring(measuringOptions());
  const Supervisor::Side side(*supervisor_, measuring);
  plan_ = planRun(*problem_, machine(), settings(), Purpose::Run,
                  {.remark = [this](const std::string &text) { remark(text); },
                   .checkpoint = [this] { supervisor_->checkpoint(); },
                   .measuring = &measuring,
                   .interruptible = interruptible()});
  applyPlan(plan_, *problem_);
  if (!ranks_.alone())
    executor_->distribute(plan_.distribution);
  if (!devices_.empty())
    executor_->share(plan_.shares);
  executor_->lookAhead(plan_.lookaheadBytes);
  record_.machine = isVirtual() ? settings().devices.machine->profile.description : "";
  record_.shares = plan_.shares;
  record_.generator = plan_.generator();
  record_.neededBytes = plan_.bytes;
  record_.searchSeconds = plan_.searchSeconds;
  if (untuned_ && plan_.searched && ranks_.first() && isFirstSearch())
    remark("products of tiles are the shipped ones; 'hetc tune gemm' looks for faster ones on this machine");
}

Interruptible ProgramRun::interruptible() {
  return [this](runtime::Executor &executor) { return std::make_shared<Supervisor::Side>(*supervisor_, executor); };
}

/// In place of data, run and check.
int ProgramRun::runOnProfile() {
  const runtime::VirtualHardware hardware = profileMachine(*settings().devices.machine, algorithm().type);
  const Outcome outcome = runVirtually({.algorithm = plan_.algorithm,
                                        .values = problem_->values,
                                        .scalars = problem_->scalars,
                                        .nb = problem_->nb,
                                        .cut = problem_->cut,
                                        .shares = plan_.shares,
                                        .machine = hardware,
                                        .threads = record_.threads,
                                        .window = settings().window,
                                        .trace = !settings().traceFile.empty(),
                                        .resident = settings().resident,
                                        .interruptible = interruptible()});
  if (outcome.kind == Outcome::Kind::Interrupted)
    throw Interrupted{};
  record_.perRank = {record_.statistics = outcome.statistics};
  record_.iterations = outcome.statistics.iterations;
  if (record_.flops = nominalFlops(*problem_); record_.flops <= 0)
    record_.flops = record_.statistics.flops;
  if (outcome.kind != Outcome::Kind::Finished)
    throw Error(failureText(algorithm(), outcome));
  record_.seconds.push_back(outcome.statistics.seconds);
  return Fine;
}

/// --plan: in place of a run.
void ProgramRun::tellPlan() {
  if (ranks_.first()) {
    if (settings().json) {
      OutputFile file(settings().jsonFile);
      file.write(planJson(*problem_, plan_, machine()));
      file.commit();
    }
    if (!settings().quiet && !(settings().json && isStandardOutput(settings().jsonFile)))
      printOut(planText(*problem_, plan_, machine()));
  }
  ranks_.agree();
}

void ProgramRun::load() {
  makeSources(*problem_, settings());
  allocateMatrices(*problem_);
}

int ProgramRun::runRepeatedly() {
  std::optional<runtime::GuardEveryCall> guard;
  if (settings().check == CheckMode::Full)
    guard.emplace();
  for (int r = 0; r < settings().repeat; ++r) {
    supervisor_->checkpoint();
    fillMatrices(*problem_, team());
    if (r == 0)
      pageLocked_.lock(*problem_, devices_);
    if (settings().resident)
      bringToDevices();
    if (const int code = runOnce(r); code != Fine)
      return code;
  }
  if (settings().resident)
    requireFinished(executor_->updateHost());
  const std::string ofTiles = executor_->pinningProblem();
  if (const std::string &problem = ofTiles.empty() ? pageLocked_.obstacle() : ofTiles; !problem.empty())
    remark("not all memory of tiles is page-locked (" + problem + "): copies to and from devices go through buffers");
  return Fine;
}

/// --resident: before a run, and no part of its time.
void ProgramRun::bringToDevices() {
  const std::vector<Storage *> storages = storagesOf(*problem_);
  makeResident(*executor_, plan_.algorithm, {storages.data(), problem_->scalars.data()});
  requireFinished(executor_->updateAccelerators());
}

void ProgramRun::requireFinished(const Outcome &outcome) const {
  if (outcome.kind == Outcome::Kind::Interrupted)
    throw Interrupted{};
  if (outcome.kind != Outcome::Kind::Finished)
    throw Error(failureText(algorithm(), outcome));
}

int ProgramRun::runOnce(int repetition) {
  const std::vector<Storage *> storages = storagesOf(*problem_);
  const runtime::Arguments arguments{storages.data(), problem_->scalars.data()};
  std::string label = algorithm().name;
  if (settings().repeat > 1)
    label += format(" %d/%d", repetition + 1, settings().repeat);
  const double nominal = nominalFlops(*problem_);
  if (settings().serial && problem_->patterns) // the serial elision does not look
    requireStoredTiles(algorithm(), arguments);
  supervisor_->beginPhase({label, nominal, ranks_.size()});
  ranks_.agree(); // all begin at the same time

  const auto begin = std::chrono::steady_clock::now();
  const Outcome outcome = execute(arguments);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  supervisor_->endPhase();

  record_.perRank = gatherStatistics(outcome.statistics, ranks_);
  record_.statistics = totalOf(record_.perRank);
  record_.iterations = outcome.statistics.iterations;
  record_.endedEarly = outcome.statistics.endedEarly;
  record_.flops = nominal > 0 ? nominal : record_.statistics.flops;
  if (outcome.wentOn)
    noteInfo(outcome);
  else if (outcome.kind == Outcome::Kind::Numerical)
    return stopNumerically(outcome);
  else
    requireFinished(outcome);
  record_.seconds.push_back(ranks_.largest(seconds));
  if (settings().check == CheckMode::Full)
    requireCounts(arguments);
  return Fine;
}

/// Counts, after a run on one node with devices, what it was to do and copy; throws Error if it has done something
/// else. Resident matrices are left out: what is copied depends on the runs before.
void ProgramRun::requireCounts(const runtime::Arguments &arguments) const {
  if (devices_.empty() || !ranks_.alone() || settings().serial || settings().resident || !record_.infoText.empty())
    return;
  std::vector<runtime::AcceleratorProperties> devices;
  for (const auto &device : devices_)
    devices.push_back(device->properties());
  runtime::CostOptions options = costOptions(devices, settings(), plan_.shares);
  options.iterations = record_.endedEarly ? static_cast<int>(record_.iterations) : 0;
  const runtime::Cost counted = runtime::predictCost(plan_.algorithm, arguments, plan_.distribution, options);
  if (!runtime::isAsCounted(record_.perRank[0], counted.nodes[0]))
    throw Error("the run has not done and copied what 'hetc cost' counts for it; this is hetc's own error, please "
                "report it");
}

Outcome ProgramRun::execute(const runtime::Arguments &arguments) {
  if (!settings().serial)
    return executor_->run(plan_.algorithm, arguments);
  const Uninterruptible alone(*supervisor_);
  record_.info.reset(); // kernels return it to nobody
  algorithm().serial(arguments);
  return {};
}

/// The results are there, and judged and written as those of any run: only the exit code is that of an info.
void ProgramRun::noteInfo(const Outcome &outcome) {
  record_.info = outcome.info;
  record_.infoText = failureText(algorithm(), outcome);
}

int ProgramRun::stopNumerically(const Outcome &outcome) {
  record_.info = outcome.info;
  return fail(NumericalStop, failureText(algorithm(), outcome));
}

void ProgramRun::judge() {
  supervisor_->checkpoint();
  record_.verdict = checkResult(*problem_, settings().check, team());
}

void ProgramRun::writeOutputs() {
  for (const Assignment &output : settings().outputs) {
    supervisor_->checkpoint();
    const ProblemMatrix &matrix = *problem_->find(output.name);
    if (ranks_.alone())
      writeNpy(output.value, **matrix.storage, matrix.parameter->type);
    else
      writeNpyTogether(output.value, matrix, ranks_);
  }
  if (!settings().traceFile.empty() && ranks_.first())
    writeTrace(settings().traceFile, {*problem_, record_.perRank, record_.seconds.empty() ? 0 : record_.seconds.back(),
                                      record_.flops, record_.machine});
}

void ProgramRun::report() {
  if (!record_.infoText.empty())
    std::fprintf(stderr, "hetc: %s\n", record_.infoText.c_str());
  if (!settings().quiet) {
    std::string text = readableReport(record_);
    if (settings().stats)
      text += statisticsTable(record_) + slowKernels(record_) + trace::limitsText(limitsOf(record_));
    if (outputTaken())
      std::fputs(text.c_str(), stderr);
    else
      printOut(text);
  }
  writeJson();
}

int ProgramRun::fail(int code, const std::string &message) { return end(ranks_.settle({code, message})); }

int ProgramRun::end(const Failure &failure) {
  if (supervisor_)
    supervisor_->endPhase();
  if (!ranks_.first())
    return failure.code;
  record_.error = failure.message;
  std::fprintf(stderr, "hetc: %s\n", failure.message.c_str());
  try {
    writeJson();
  } catch (const std::exception &error) {
    std::fprintf(stderr, "hetc: %s\n", error.what());
  }
  return failure.code;
}

void ProgramRun::writeJson() {
  if (!std::exchange(jsonWanted_, false))
    return;
  OutputFile file(settings().jsonFile);
  file.write(jsonReport(record_));
  file.commit();
}

bool ProgramRun::outputTaken() const {
  return (settings().json && isStandardOutput(settings().jsonFile)) ||
         (!settings().traceFile.empty() && isStandardOutput(settings().traceFile));
}

void ProgramRun::remark(const std::string &message) const {
  if (!settings().quiet)
    std::fprintf(stderr, "hetc: remark: %s\n", message.c_str());
}

void ProgramRun::warn(const std::string &message) const {
  if (!settings().quiet && ranks_.first())
    std::fprintf(stderr, "hetc: warning: %s\n", message.c_str());
}

} // namespace tla::host
